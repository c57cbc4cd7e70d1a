import type { StoredEvent } from '#schemas/event.ts'
import {
  NOTICE_GIVEN,
  NOTIFICATION_PREFIX,
  noticeGivenSchema,
  notificationsReadSchema,
} from '#schemas/events/notification.ts'
import type { Notice } from '../query-results.ts'
import { numberOf, type StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { type Table, tableName } from '../table.ts'

/** A notice whose level is not looked up yet. */
export type UnplacedNotice = Omit<Notice, 'hierarchy'>

const MAX_NOTICES = 5000
const PRUNED_AT_ONCE = 100

const KINDS: Readonly<Record<string, { message: string; type: Notice['notificationType'] }>> = {
  BotStarted: { message: 'bot.started', type: 'info' },
  BotStopped: { message: 'bot.stopped', type: 'warn' },
  BotRestarted: { message: 'bot.restarted', type: 'info' },
  BotFixed: { message: 'bot.fixed', type: 'info' },
  UserLocked: { message: 'user.locked', type: 'alert' },
  VersionApplied: { message: 'version.applied', type: 'alert' },
  DialogPublished: { message: 'dialog.published', type: 'info' },
  HandlerPublished: { message: 'handler.published', type: 'info' },
}

/** The newest notices of all people, and each person's read marks; recipients are determined at read time. */
export class NotificationTable {
  readonly #statements: StatementCache
  #next: number

  constructor(statements: StatementCache) {
    this.#statements = statements
    this.#next = numberOf(statements.get('SELECT max(n) AS n FROM notification'), 'n') + 1
  }

  /** The notice that an entity's event gives, if it gives one. */
  noticeOf(event: StoredEvent, entity: string, entityid: string): UnplacedNotice | undefined {
    const kind = KINDS[event.type]
    if (kind === undefined) return undefined
    return {
      id: event.id,
      message: kind.message,
      params: {},
      time: event.time,
      notificationType: kind.type,
      entity,
      entityid,
      actors: event.actor === null ? [] : [event.actor],
    }
  }

  /** The notice that the system gives. */
  given(event: StoredEvent): UnplacedNotice | undefined {
    if (event.type !== NOTICE_GIVEN) return undefined
    const { entity, id, message, kind, params, recipients } = noticeGivenSchema.parse(event.data)
    return {
      ...{ id: event.id, message, params, time: event.time, notificationType: kind, entity, entityid: id, actors: [] },
      ...(recipients === undefined ? {} : { recipients }),
    }
  }

  add(notice: UnplacedNotice, level: number): void {
    this.#statements.run(
      'INSERT INTO notification VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      this.#next,
      notice.id,
      notice.message,
      JSON.stringify(notice.params),
      notice.time,
      notice.notificationType,
      level,
      notice.entity,
      notice.entityid,
      JSON.stringify(notice.actors),
      notice.recipients === undefined ? null : JSON.stringify(notice.recipients),
    )
    const oldest = this.#next - MAX_NOTICES
    if (oldest > 0 && oldest % PRUNED_AT_ONCE === 0) {
      this.#statements.run('DELETE FROM notification WHERE n <= ?', oldest)
      this.#statements.run('DELETE FROM notification_read WHERE n <= ?', oldest)
    }
    this.#next += 1
  }

  /** The user who has read something. */
  read(event: StoredEvent): string | undefined {
    if (event.type !== 'NotificationsRead') return undefined
    const user = event.stream.slice(NOTIFICATION_PREFIX.length)
    const seen = notificationsReadSchema.parse(event.data)
    if ('all' in seen) {
      this.#statements.run('INSERT OR REPLACE INTO notification_mark VALUES (?, ?)', user, this.#next - 1)
      this.#statements.run('DELETE FROM notification_read WHERE user = ? AND n < ?', user, this.#next)
      return user
    }
    for (const id of seen.ids) {
      this.#statements.run(
        'INSERT OR IGNORE INTO notification_read SELECT ?, n FROM notification WHERE id = ?',
        user,
        id,
      )
    }
    return user
  }

  /** Deletes notices about a forgotten person. */
  forget(user: string): void {
    for (const row of this.#statements.all("SELECT n FROM notification WHERE entity = 'user' AND entityid = ?", user)) {
      this.#statements.run('DELETE FROM notification_read WHERE n = ?', numberOf(row, 'n'))
    }
    this.#statements.run("DELETE FROM notification WHERE entity = 'user' AND entityid = ?", user)
    this.#statements.run('DELETE FROM notification_read WHERE user = ?', user)
    this.#statements.run('DELETE FROM notification_mark WHERE user = ?', user)
  }
}

const COMMENT_NOTICES_KINDS: ReadonlySet<string> = new Set(['dialogcomment', 'handlercomment'])

/** Notices of comments: one per mentioned person; thread participants get answers, resolving and reopening. */
export class CommentNotices {
  readonly #statements: StatementCache

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  /** Asked after the event was folded into its row. */
  of(event: StoredEvent, table: Table, id: string): readonly UnplacedNotice[] {
    if (!COMMENT_NOTICES_KINDS.has(table.name)) return []
    switch (event.type.slice(table.type.length)) {
      case 'Created': {
        const named = this.#unheard(table, id)
        const others = this.#thread(table, id).filter(user => !named.includes(user))
        return [
          ...this.#notice(event, table, id, 'mentioned', named),
          ...this.#notice(event, table, id, 'answered', others),
        ]
      }
      case 'Changed':
        return this.#notice(event, table, id, 'mentioned', this.#unheard(table, id))
      case 'Resolved':
        return this.#notice(event, table, id, 'resolved', this.#thread(table, id))
      case 'Reopened':
        return this.#notice(event, table, id, 'reopened', this.#thread(table, id))
      default:
        return []
    }
  }

  #notice(event: StoredEvent, table: Table, id: string, what: string, people: readonly string[]): UnplacedNotice[] {
    const recipients = people.filter(user => user !== event.actor)
    const row = this.#row(table, id)
    if (recipients.length === 0 || row === undefined || table.parent === null) return []
    return [
      {
        id: `${event.id}:${what}`,
        message: `comment.${what}`,
        params: { comment: id, block: stringOf(row, 'f_block') },
        time: event.time,
        notificationType: 'info',
        entity: table.parent,
        entityid: stringOf(row, `f_${table.parent}`),
        actors: event.actor === null ? [] : [event.actor],
        recipients,
      },
    ]
  }

  /** People mentioned by a comment and not notified yet. */
  #unheard(table: Table, id: string): string[] {
    const told = this.#statements.all(
      "SELECT recipients FROM notification WHERE message = 'comment.mentioned' AND json_extract(params, '$.comment') = ?",
      id,
    )
    const heard = new Set(told.flatMap(row => idsOf(textOf(row, 'recipients'))))
    return idsOf(textOf(this.#row(table, id), 'f_mentioned')).filter(user => !heard.has(user))
  }

  /** Authors and mentioned people of a comment's thread. */
  #thread(table: Table, id: string): string[] {
    const first = textOf(this.#row(table, id), `f_${table.name}`) ?? id
    const rows = this.#statements.all(
      `SELECT f_author, f_mentioned FROM ${tableName(table.name)} WHERE (id = ? OR f_${table.name} = ?) AND removed = 0`,
      first,
      first,
    )
    const people = rows.flatMap(row => [textOf(row, 'f_author') ?? '', ...idsOf(textOf(row, 'f_mentioned'))])
    return [...new Set(people)].filter(user => user !== '')
  }

  #row(table: Table, id: string) {
    return this.#statements.get(`SELECT * FROM ${tableName(table.name)} WHERE id = ?`, id)
  }
}

const idsOf = (text: string | null): string[] => JSON.parse(text ?? '[]') as string[]
