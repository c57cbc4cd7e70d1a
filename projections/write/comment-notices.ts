import type { StoredEvent } from '#schemas/event.ts'
import { type StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { type Table, tableName } from '../table.ts'
import type { UnplacedNotice } from './notification-table.ts'

const KINDS: ReadonlySet<string> = new Set(['dialogcomment', 'handlercomment'])

/** Notices of comments: one per mentioned person; thread participants get answers, resolving and reopening. */
export class CommentNotices {
  readonly #statements: StatementCache

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  /** Asked after the event was folded into its row. */
  of(event: StoredEvent, table: Table, id: string): readonly UnplacedNotice[] {
    if (!KINDS.has(table.name)) return []
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
