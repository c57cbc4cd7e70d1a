import type { StoredEvent } from '#schemas/event.ts'
import { isOriginId, ORIGIN_DAYS, originSeenSchema } from '#schemas/events/origin.ts'
import { numberOf, type StatementCache } from '../statement-cache.ts'

const REMEMBERED = 10_000
const DAY_MS = 86_400_000
const EMPTY = 'address = NULL, agent = NULL, name = NULL, time = NULL'

/** Addresses and browsers of sessions and attempts to sign in, by the small integers that audit lines refer to. */
export class OriginTable {
  readonly #statements: StatementCache
  readonly #keys = new Map<string, number>()

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  keyOf(causation: string | null): number | null {
    if (!isOriginId(causation)) return null
    const known = this.#keys.get(causation)
    if (known !== undefined) return known
    this.#statements.run('INSERT OR IGNORE INTO origin (id) VALUES (?)', causation)
    const key = numberOf(this.#statements.get('SELECT key FROM origin WHERE id = ?', causation), 'key')
    if (this.#keys.size >= REMEMBERED) this.#keys.clear()
    this.#keys.set(causation, key)
    return key
  }

  /** Stores what an event says, and removes what is older than the retention at its time. */
  apply({ data, time }: StoredEvent): void {
    const { origin, user, fields } = originSeenSchema.parse(data)
    const { address, agent, name = null } = fields
    // Personal values of forgotten users are no texts.
    const text = (value: unknown) => (typeof value === 'string' ? value : null)
    this.#statements.run(
      `INSERT INTO origin (id, time, user, address, agent, name) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET time = excluded.time, user = excluded.user, address = excluded.address,
         agent = excluded.agent, name = excluded.name`,
      origin,
      time,
      user,
      text(address),
      text(agent),
      name,
    )
    const oldest = new Date(Date.parse(time) - ORIGIN_DAYS * DAY_MS).toISOString()
    this.#statements.run(`UPDATE origin SET ${EMPTY} WHERE time IS NOT NULL AND time < ?`, oldest)
  }

  /** A forgotten user leaves no address and no browser. */
  forget(user: string): void {
    this.#statements.run(`UPDATE origin SET ${EMPTY} WHERE user = ?`, user)
  }
}
