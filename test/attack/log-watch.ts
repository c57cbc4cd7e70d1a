import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Logged {
  readonly stream: string
  readonly type: string
  readonly actor: string | null
  readonly level: string | null
}

/** Reads the event log of a running gateway from its file. */
export class LogWatch {
  readonly #database: DatabaseSync

  constructor(folder: string) {
    this.#database = new DatabaseSync(join(folder, 'events.sqlite'), { readOnly: true, timeout: 5000 })
  }

  get position(): number {
    return Number(this.#database.prepare('SELECT coalesce(max(position), 0) AS n FROM event').get()?.n)
  }

  after(position: number): Logged[] {
    const sql = 'SELECT stream, type, actor, level FROM event WHERE position > ? ORDER BY position'
    return this.#database.prepare(sql).all(position) as unknown as Logged[]
  }

  of(correlation: string): Logged[] {
    const sql = 'SELECT stream, type, actor, level FROM event WHERE correlation = ? ORDER BY position'
    return this.#database.prepare(sql).all(correlation) as unknown as Logged[]
  }

  close(): void {
    this.#database.close()
  }
}
