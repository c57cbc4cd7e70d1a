import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Tail } from './hash-chain.ts'

/** Tails in memory at a time. */
const AT_HAND = 50_000

/** Last read event of each stream in a log: recent streams in memory, others in an unnamed file. */
export class StreamHeadTable implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #find: StatementSync
  readonly #put: StatementSync
  readonly #recent = new Map<string, Tail>()
  #size = 0
  #isSpilled = false

  constructor() {
    this.#db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16000;
      CREATE TABLE tail (stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID`)
    this.#find = this.#db.prepare('SELECT revision, hash FROM tail WHERE stream = ?')
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO tail VALUES (?, ?, ?)')
  }

  get size(): number {
    return this.#size
  }

  get(stream: string): Tail | undefined {
    const recent = this.#recent.get(stream)
    if (recent !== undefined || !this.#isSpilled) return recent
    const row = this.#find.get(stream)
    return row && { revision: Number(row.revision), hash: String(row.hash) }
  }

  /** @param isNew whether `get` found none */
  set(stream: string, tail: Tail, isNew: boolean): void {
    if (isNew) this.#size += 1
    this.#recent.set(stream, tail)
    if (this.#recent.size >= AT_HAND) this.#spill()
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  #spill(): void {
    this.#db.exec('BEGIN')
    for (const [stream, { revision, hash }] of this.#recent) this.#put.run(stream, revision, hash)
    this.#db.exec('COMMIT')
    this.#recent.clear()
    this.#isSpilled = true
  }
}
