import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Mark } from '../store/mark.ts'

/** Marks of a store at hand by stream, in a nameless file, so that as many as there are take no memory. */
export class MarkBook implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #find: StatementSync
  #size = 0

  private constructor() {
    this.#db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000;
      CREATE TABLE mark (stream TEXT PRIMARY KEY, removed INTEGER NOT NULL, max_count INTEGER, tombstone INTEGER NOT NULL)
        WITHOUT ROWID`)
    this.#find = this.#db.prepare('SELECT * FROM mark WHERE stream = ?')
  }

  static async of(marks: AsyncIterable<Mark> | Iterable<Mark>): Promise<MarkBook> {
    const book = new MarkBook()
    const put = book.#db.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)')
    book.#db.exec('BEGIN')
    for await (const { stream, removed, maxCount, isTombstoned } of marks)
      put.run(stream, removed, maxCount ?? null, isTombstoned ? 1 : 0)
    book.#db.exec('COMMIT')
    book.#size = Number(book.#db.prepare('SELECT count(*) AS n FROM mark').get()?.n)
    return book
  }

  get size(): number {
    return this.#size
  }

  find(stream: string): Mark | undefined {
    if (this.#size === 0) return undefined
    const row = this.#find.get(stream)
    return row && toMark(row)
  }

  /** In the order of the streams' names. */
  *all(): Generator<Mark> {
    for (const row of this.#db.prepare('SELECT * FROM mark ORDER BY stream').iterate()) yield toMark(row)
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }
}

const toMark = ({ stream, removed, max_count, tombstone }: Record<string, unknown>): Mark => ({
  stream: String(stream),
  removed: Number(removed),
  maxCount: max_count === null ? undefined : Number(max_count),
  isTombstoned: tombstone === 1,
})
