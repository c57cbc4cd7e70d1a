import { DatabaseSync } from 'node:sqlite'
import type { Link } from './segment.ts'

/** Links in memory at a time. */
const AT_HAND = 20_000

/**
 * Events waiting for their seal, in log order. A gateway seals continuously, so few wait; in a log sealed late, older
 * ones are in an unnamed file.
 */
export class LinkQueue implements Disposable {
  #recent: Link[] = []
  #db: DatabaseSync | undefined
  /** Those in the file. */
  #first = 1
  #last = 0

  get size(): number {
    return this.#inFile + this.#recent.length
  }

  get #inFile(): number {
    return this.#last - this.#first + 1
  }

  add({ stream, revision, hash }: Link): void {
    this.#recent.push({ stream, revision, hash })
    if (this.#recent.length >= AT_HAND) this.#spill()
  }

  /** The one at a place, from 1. */
  at(place: number): Link | undefined {
    if (place > this.#inFile) return this.#recent[place - 1 - this.#inFile]
    const row = this.#db?.prepare('SELECT * FROM link WHERE n = ?').get(this.#first + place - 1)
    return row && toLink(row)
  }

  /** The place of the last one that is meant; 0 where none is. */
  lastPlace(isMeant: (link: Link) => boolean): number {
    const recent = this.#recent.findLastIndex(isMeant)
    if (recent >= 0) return this.#inFile + recent + 1
    for (const row of this.#db?.prepare('SELECT * FROM link ORDER BY n DESC').iterate() ?? [])
      if (isMeant(toLink(row))) return Number(row.n) - this.#first + 1
    return 0
  }

  /** Removes and gives the first ones. */
  take(count: number): Link[] {
    const old = Math.min(count, this.#inFile)
    const end = this.#first + old
    const taken = old === 0 ? [] : (this.#db?.prepare('SELECT * FROM link WHERE n < ? ORDER BY n').all(end) ?? [])
    if (old > 0) this.#db?.prepare('DELETE FROM link WHERE n < ?').run(end)
    this.#first = end
    return [...taken.map(toLink), ...this.#recent.splice(0, count - old)]
  }

  [Symbol.dispose](): void {
    this.#db?.close()
  }

  #spill(): void {
    this.#db ??= opened()
    const put = this.#db.prepare('INSERT INTO link VALUES (?, ?, ?, ?)')
    this.#db.exec('BEGIN')
    for (const { stream, revision, hash } of this.#recent) {
      this.#last += 1
      put.run(this.#last, stream, revision, hash)
    }
    this.#db.exec('COMMIT')
    this.#recent = []
  }
}

const opened = (): DatabaseSync => {
  const db = new DatabaseSync('')
  db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000;
    CREATE TABLE link (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, hash TEXT NOT NULL)`)
  return db
}

const toLink = ({ stream, revision, hash }: Record<string, unknown>): Link => ({
  stream: String(stream),
  revision: Number(revision),
  hash: String(hash),
})
