import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { ALERT_PREFIX, NOTICE_GIVEN } from '#schemas/events/notification.ts'
import { objectOf, parseJsonField } from '#schemas/json.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { FollowedIndex, plain } from '../log/followed-index.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 2
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS notice (n INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS alert (
    id TEXT PRIMARY KEY, level TEXT NOT NULL, entity TEXT NOT NULL, entityid TEXT NOT NULL, name TEXT NOT NULL,
    message TEXT NOT NULL, kind TEXT NOT NULL, params TEXT NOT NULL, time INTEGER NOT NULL, test INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, status INTEGER, refusal TEXT NOT NULL DEFAULT 'null', due INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS alert_level ON alert (level, time);
  CREATE INDEX IF NOT EXISTS alert_thing ON alert (entity, entityid, time);
  CREATE INDEX IF NOT EXISTS alert_due ON alert (due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS joined (
    alert TEXT NOT NULL, notice TEXT NOT NULL, PRIMARY KEY (alert, notice)
  ) STRICT, WITHOUT ROWID;
`

/** An alert as the log has it. */
export interface StoredAlert {
  readonly id: string
  readonly level: string
  readonly entity: string
  readonly entityid: string
  readonly name: string
  readonly message: string
  readonly kind: string
  readonly params: JsonObject
  /** ms since 1970 of its notice. */
  readonly time: number
  readonly isTest: boolean
  readonly tries: number
  /** HTTP status of the last answer; null: there was none. */
  readonly status: number | null
  /** Why the last attempt had no answer. */
  readonly refusal: Refusal | undefined
  /** ms since 1970 of the next attempt; null: it arrived, or was given up. */
  readonly due: number | null
  /** Number of joined notices. */
  readonly times: number
}

/** A notice that no alert was made of so far. */
interface WaitingNotice {
  readonly n: number
  readonly event: StoredEvent
}

const COLUMNS = `*, 1 + (SELECT count(*) FROM joined WHERE joined.alert = alert.id) AS times`

const alertOf = (row: Readonly<Record<string, unknown>>): StoredAlert => ({
  id: String(row.id),
  level: String(row.level),
  entity: String(row.entity),
  entityid: String(row.entityid),
  name: String(row.name),
  message: String(row.message),
  kind: String(row.kind),
  params: objectOf(parseJsonField(String(row.params))),
  time: Number(row.time),
  isTest: row.test === 1,
  tries: Number(row.tries),
  status: row.status === null ? null : Number(row.status),
  refusal: (JSON.parse(String(row.refusal)) as Refusal | null) ?? undefined,
  due: row.due === null ? null : Number(row.due),
  times: Number(row.times),
})

/** Notices that wait to become alerts, and the alerts: built from the log, safe to delete. */
export class AlertIndex extends FollowedIndex {
  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
  }

  protected change(event: StoredEvent): void {
    if (!event.stream.startsWith(ALERT_PREFIX)) {
      if (event.type === NOTICE_GIVEN) this.sql.run('INSERT INTO notice (event) VALUES (?)', JSON.stringify(event))
      return
    }
    const id = event.stream.slice(ALERT_PREFIX.length)
    const { data } = event
    switch (event.type) {
      case 'AlertQueued':
        this.sql.run(
          `INSERT OR IGNORE INTO alert (id, level, entity, entityid, name, message, kind, params, time, test, due)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
          ...[id, plain(data.level), plain(data.entity), plain(data.entityid), plain(data.name), plain(data.message)],
          ...[plain(data.kind), JSON.stringify(data.params), plain(data.time), data.isTest === true ? 1 : 0],
        )
        return
      case 'AlertJoined':
        this.sql.run('INSERT OR IGNORE INTO joined (alert, notice) VALUES (?, ?)', id, plain(data.notice))
        return
      case 'AlertTaken':
        this.sql.run('UPDATE alert SET due = ? WHERE id = ?', plain(data.until), id)
        return
      case 'AlertTried':
        this.sql.run(
          'UPDATE alert SET tries = ?, status = ?, refusal = ?, due = ? WHERE id = ?',
          ...[plain(data.tries), plain(data.status), JSON.stringify(data.refusal ?? null), plain(data.due), id],
        )
    }
  }

  /** The oldest notice that no alert was made of. */
  nextNotice(): WaitingNotice | undefined {
    const row = this.sql.get('SELECT n, event FROM notice ORDER BY n LIMIT 1')
    return row && { n: Number(row.n), event: JSON.parse(String(row.event)) as StoredEvent }
  }

  dropNotice(n: number): void {
    this.sql.begin()
    this.sql.run('DELETE FROM notice WHERE n = ?', n)
  }

  has(id: string): boolean {
    return this.sql.get('SELECT 1 FROM alert WHERE id = ?', id) !== undefined
  }

  get(id: string): StoredAlert | undefined {
    const row = this.sql.get(`SELECT ${COLUMNS} FROM alert WHERE id = ?`, id)
    return row && alertOf(row)
  }

  /** The newest alert about a thing with one of these messages; of the same millisecond, the one that the log has last. */
  lastAbout(entity: string, entityid: string, messages: readonly string[]): StoredAlert | undefined {
    const row = this.sql.get(
      `SELECT ${COLUMNS} FROM alert WHERE entity = ? AND entityid = ? AND test = 0
       AND message IN (SELECT value FROM json_each(?)) ORDER BY time DESC, rowid DESC LIMIT 1`,
      ...[entity, entityid, JSON.stringify(messages)],
    )
    return row && alertOf(row)
  }

  /** The newest alerts of a level's address, newest first. */
  ofLevel(level: string, limit: number): readonly StoredAlert[] {
    const rows = this.sql.all(
      `SELECT ${COLUMNS} FROM alert WHERE level = ? ORDER BY time DESC, rowid DESC LIMIT ?`,
      level,
      limit,
    )
    return rows.map(alertOf)
  }

  due(now: number, limit: number): readonly string[] {
    return this.sql
      .all('SELECT id FROM alert WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?', now, limit)
      .map(({ id }) => String(id))
  }

  older(before: number, limit: number): readonly string[] {
    return this.sql
      .all('SELECT id FROM alert WHERE time < ? ORDER BY time LIMIT ?', before, limit)
      .map(({ id }) => String(id))
  }

  forget(id: string): void {
    this.sql.begin()
    this.sql.run('DELETE FROM joined WHERE alert = ?', id)
    this.sql.run('DELETE FROM alert WHERE id = ?', id)
  }
}
