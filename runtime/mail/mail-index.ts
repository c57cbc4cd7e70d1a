import { credentialChange, isJoined, MAIL_FRESH_MS, mailKindOf } from '#domain/mail.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { MAIL_PREFIX, type MailKind } from '#schemas/events/mail.ts'
import { NOTICE_GIVEN } from '#schemas/events/notification.ts'
import { objectOf, parseJsonField, stringsOf, textOf } from '#schemas/json.ts'
import { FollowedIndex, plain } from '../log/followed-index.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 1
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS cause (n INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS unread (
    user TEXT NOT NULL, notification TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (user, notification)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS unread_time ON unread (time);
  CREATE TABLE IF NOT EXISTS mail (
    id TEXT PRIMARY KEY, user TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL, time INTEGER NOT NULL,
    until INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, due INTEGER, sent INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS mail_due ON mail (due) WHERE due IS NOT NULL;
  CREATE INDEX IF NOT EXISTS mail_sent ON mail (sent, user) WHERE sent IS NOT NULL;
  CREATE INDEX IF NOT EXISTS mail_time ON mail (time);
`

/** A mail as the log has it. Times are ms since 1970. */
export interface StoredMail {
  readonly id: string
  readonly user: string
  readonly kind: MailKind
  readonly about: JsonObject
  readonly time: number
  /** No attempt begins later. */
  readonly until: number
  readonly tries: number
  /** The next attempt; null: there is none. */
  readonly due: number | null
}

const mailOf = (row: Readonly<Record<string, unknown>>): StoredMail => ({
  id: String(row.id),
  user: String(row.user),
  kind: String(row.kind) as MailKind,
  about: objectOf(parseJsonField(String(row.about))),
  time: Number(row.time),
  until: Number(row.until),
  tries: Number(row.tries),
  due: row.due === null ? null : Number(row.due),
})

/** Recipients of a notification that is mailed when they leave it unread. */
const unreadBy = ({ type, data }: StoredEvent): readonly string[] => {
  if (type === NOTICE_GIVEN) {
    const kind = mailKindOf(textOf(data.message))
    return kind !== undefined && isJoined(kind) ? stringsOf(data.recipients) : []
  }
  return /^(Dialog|Handler)Comment(Created|Changed)$/.test(type) ? stringsOf(objectOf(data.fields).mentioned) : []
}

/** Whether mails are made of a stored event at once. */
const isCause = ({ type, data }: StoredEvent): boolean => {
  if (type === 'PasswordResetAsked' || type === 'UserLocked') return true
  if (type !== NOTICE_GIVEN) return credentialChange(type, objectOf(data.fields)) !== undefined
  const kind = mailKindOf(textOf(data.message))
  return kind !== undefined && !isJoined(kind)
}

/** Causes of mails, unread notifications and the mails: built from the log, safe to delete. */
export class MailIndex extends FollowedIndex {
  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
  }

  protected change(event: StoredEvent): void {
    if (event.stream.startsWith(MAIL_PREFIX)) {
      this.#changeMail(event)
      return
    }
    const time = Date.parse(event.time)
    // An index that is built again reads all events there ever were.
    if (time < Date.now() - MAIL_FRESH_MS) return
    for (const user of unreadBy(event))
      if (user !== event.actor) this.sql.run('INSERT OR IGNORE INTO unread VALUES (?, ?, ?)', user, event.id, time)
    if (isCause(event)) this.sql.run('INSERT INTO cause (event) VALUES (?)', JSON.stringify(event))
  }

  #changeMail({ stream, type, data }: StoredEvent): void {
    const id = stream.slice(MAIL_PREFIX.length)
    switch (type) {
      case 'MailQueued':
        this.sql.run(
          'INSERT OR IGNORE INTO mail (id, user, kind, about, time, until, due) VALUES (?, ?, ?, ?, ?, ?, 0)',
          ...[id, plain(data.user), plain(data.kind), JSON.stringify(data.about), plain(data.time), plain(data.until)],
        )
        for (const one of stringsOf(objectOf(data.about).of)) this.read(String(data.user), one)
        return
      case 'MailTaken':
        this.sql.run('UPDATE mail SET due = ? WHERE id = ?', plain(data.until), id)
        return
      case 'MailTried':
        this.sql.run('UPDATE mail SET tries = ?, due = ? WHERE id = ?', plain(data.tries), plain(data.due), id)
        return
      case 'MailSent':
        this.sql.run(
          'UPDATE mail SET tries = ?, due = NULL, sent = ? WHERE id = ?',
          ...[plain(data.tries), plain(data.sent), id],
        )
        return
      case 'MailBounced':
      case 'MailGivenUp':
      case 'MailDropped':
        this.sql.run('UPDATE mail SET due = NULL WHERE id = ?', id)
    }
  }

  /** The oldest event that no mail was made of. */
  nextCause(): { readonly n: number; readonly event: StoredEvent } | undefined {
    const row = this.sql.get('SELECT n, event FROM cause ORDER BY n LIMIT 1')
    return row && { n: Number(row.n), event: JSON.parse(String(row.event)) as StoredEvent }
  }

  dropCause(n: number): void {
    this.sql.begin()
    this.sql.run('DELETE FROM cause WHERE n = ?', n)
  }

  /** The person with the oldest notification from before a moment, with all that were not mailed to them. */
  nextUnread(
    before: number,
  ): { readonly user: string; readonly of: readonly string[]; readonly time: number } | undefined {
    const first = this.sql.get('SELECT user, time FROM unread WHERE time <= ? ORDER BY time, user LIMIT 1', before)
    if (first === undefined) return undefined
    const user = String(first.user)
    const rows = this.sql.all('SELECT notification FROM unread WHERE user = ? ORDER BY time, notification', user)
    return { user, of: rows.map(({ notification }) => String(notification)), time: Number(first.time) }
  }

  /** Drops a notification that needs no mail any more. */
  read(user: string, notification: string): void {
    this.sql.begin()
    this.sql.run('DELETE FROM unread WHERE user = ? AND notification = ?', user, notification)
  }

  get(id: string): StoredMail | undefined {
    const row = this.sql.get('SELECT * FROM mail WHERE id = ?', id)
    return row && mailOf(row)
  }

  /** Mails that were sent from a moment on. */
  sentSince(since: number): number {
    return Number(this.sql.get('SELECT count(*) AS n FROM mail WHERE sent > ?', since)?.n)
  }

  /**
   * Mails that are due, one for each person, links for passwords first; not those of people `without`, or who got `most`
   * since a moment.
   */
  due(
    now: number,
    limit: number,
    { since, most, without }: { readonly since: number; readonly most: number; readonly without: readonly string[] },
  ): readonly { readonly id: string; readonly user: string }[] {
    return this.sql
      .all(
        `SELECT id, user FROM (
           SELECT id, user, kind, due, row_number() OVER (PARTITION BY user ORDER BY kind = 'reset' DESC, due, time) AS n
           FROM mail WHERE due IS NOT NULL AND due <= ?
           AND user NOT IN (SELECT user FROM mail WHERE sent > ? GROUP BY user HAVING count(*) >= ?)
           AND user NOT IN (SELECT value FROM json_each(?))
         ) WHERE n = 1 ORDER BY kind = 'reset' DESC, due LIMIT ?`,
        ...[now, since, most, JSON.stringify(without), limit],
      )
      .map(({ id, user }) => ({ id: String(id), user: String(user) }))
  }

  older(before: number, limit: number): readonly string[] {
    return this.sql
      .all('SELECT id FROM mail WHERE time < ? ORDER BY time LIMIT ?', before, limit)
      .map(({ id }) => String(id))
  }

  forget(id: string): void {
    this.sql.begin()
    this.sql.run('DELETE FROM mail WHERE id = ?', id)
  }
}
