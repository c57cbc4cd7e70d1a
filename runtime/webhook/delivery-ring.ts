import { IndexDatabase } from '../log/followed-index.ts'

const VERSION = 2
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS delivery (
    webhook TEXT NOT NULL, event TEXT NOT NULL, type TEXT NOT NULL, entity TEXT NOT NULL, time INTEGER NOT NULL, state TEXT NOT NULL,
    tries INTEGER NOT NULL, status INTEGER, reason TEXT, ms INTEGER NOT NULL, next INTEGER, answer TEXT NOT NULL,
    body TEXT, replay INTEGER NOT NULL, PRIMARY KEY (webhook, event)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS delivery_time ON delivery (webhook, time);
  CREATE INDEX IF NOT EXISTS delivery_newest ON delivery (time);
`
const KEPT_MS = 7 * 86_400_000
const MAX_ROWS = 100_000

export type DeliveryState = 'arrived' | 'failing' | 'givenup'

/** The last attempt at an event. */
export interface Delivery {
  readonly event: string
  readonly type: string
  /** Entity of its subject. */
  readonly entity: string
  /** ms since 1970. */
  readonly time: number
  readonly state: DeliveryState
  readonly tries: number
  /** HTTP status; null: there was no answer. */
  readonly status: number | null
  /** Code of the reason why there was no answer. */
  readonly reason: string | null
  readonly ms: number
  /** ms since 1970 of the next attempt. */
  readonly next: number | null
  /** First characters of the answer. */
  readonly answer: string
  /** Bytes that are sent again; null once it arrived. */
  readonly body: string | null
  readonly isReplay: boolean
}

interface DeliveryQuery {
  readonly state?: DeliveryState
  /** ms since 1970. */
  readonly from?: number
  readonly limit: number
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const deliveryOf = (row: Readonly<Record<string, unknown>>): Delivery => ({
  event: String(row.event),
  type: String(row.type),
  entity: String(row.entity),
  time: Number(row.time),
  state: row.state as DeliveryState,
  tries: Number(row.tries),
  status: numberOrNull(row.status),
  reason: textOrNull(row.reason),
  ms: Number(row.ms),
  next: numberOrNull(row.next),
  answer: String(row.answer),
  body: textOrNull(row.body),
  isReplay: row.replay === 1,
})

/** The attempts of this node, one line for each event: of the last 7 days, at most 100,000. Safe to delete. */
export class DeliveryRing {
  readonly #sql: IndexDatabase
  #puts = 0

  constructor(file: string) {
    this.#sql = new IndexDatabase(file, { version: VERSION, schema: SCHEMA })
  }

  put(webhook: string, delivery: Delivery): void {
    const { event, type, entity, time, state, tries, status, reason, ms, next, answer, body, isReplay } = delivery
    this.#sql.begin()
    this.#sql.run(
      'INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[webhook, event, type, entity, time, state, tries, status, reason, ms, next, answer, body, isReplay ? 1 : 0],
    )
    this.#puts += 1
    if (this.#puts % 1_000 === 0) this.sweep(time)
  }

  get(webhook: string, event: string): Delivery | undefined {
    const row = this.#sql.get('SELECT * FROM delivery WHERE webhook = ? AND event = ?', webhook, event)
    return row && deliveryOf(row)
  }

  /** The newest first. */
  list(webhook: string, { state, from = 0, limit }: DeliveryQuery): readonly Delivery[] {
    const rows =
      state === undefined
        ? this.#sql.all(
            'SELECT * FROM delivery WHERE webhook = ? AND time >= ? ORDER BY time DESC LIMIT ?',
            webhook,
            from,
            limit,
          )
        : this.#sql.all(
            'SELECT * FROM delivery WHERE webhook = ? AND time >= ? AND state = ? ORDER BY time DESC LIMIT ?',
            webhook,
            from,
            state,
            limit,
          )
    return rows.map(deliveryOf)
  }

  sweep(now: number): void {
    this.#sql.begin()
    this.#sql.run('DELETE FROM delivery WHERE time < ?', now - KEPT_MS)
    this.#sql.run(
      'DELETE FROM delivery WHERE rowid IN (SELECT rowid FROM delivery ORDER BY time DESC LIMIT -1 OFFSET ?)',
      MAX_ROWS,
    )
  }

  close(): void {
    this.#sql.close()
  }
}
