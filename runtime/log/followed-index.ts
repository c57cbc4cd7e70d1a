import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { type Follower, follow } from '#commands/store/follow.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'

/** Longest wait for a position, ms. */
const REACHED_MS = 10_000

/** Data about an index itself, such as its position in each log. */
const META = 'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT'

/** Shape of an index. */
interface IndexShape {
  /** A file of another version is emptied, and filled again from the log. */
  readonly version: number
  /** Statements that create the tables that do not exist. */
  readonly schema: string
}

/** A member of an event as a value of SQLite: neither boolean nor object. */
export const plain = (value: Json | undefined): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

/** SQLite file that can be rebuilt at any time: writes are collected until the event loop turns. */
export class IndexDatabase {
  readonly #database: DatabaseSync
  readonly #shape: IndexShape
  readonly #statements = new Map<string, StatementSync>()
  readonly #settle: () => void
  #isOpen = false

  /** `settle`: writes what is collected in memory; called before each commit. */
  constructor(file: string, shape: IndexShape, settle: () => void = () => undefined) {
    this.#shape = shape
    this.#settle = settle
    this.#database = new DatabaseSync(file)
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const isOther = this.#database.prepare('PRAGMA user_version').get()?.user_version !== shape.version
    if (isOther) this.clear()
    else this.#make()
  }

  /** Recreates all tables, without rows. */
  clear(): void {
    this.#statements.clear()
    const tables = this.#database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    for (const { name } of tables.all()) this.#database.exec(`DROP TABLE ${name}`)
    this.#database.exec(`PRAGMA user_version = ${this.#shape.version}`)
    this.#make()
  }

  /** Position up to which a log was read; START at its beginning. */
  position(store: string): string {
    return String(this.get('SELECT value FROM meta WHERE key = ?', `position ${store}`)?.value ?? START)
  }

  /** Stored in one transaction with the rows read up to this position. */
  moveTo(store: string, position: string): void {
    this.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', `position ${store}`, position)
  }

  /** Opens the transaction for all writes until the next flush. */
  begin(): void {
    if (this.#isOpen) return
    this.#database.exec('BEGIN')
    this.#isOpen = true
    setImmediate(() => this.flush())
  }

  flush(): void {
    if (!this.#isOpen) return
    this.#settle()
    this.#isOpen = false
    this.#database.exec('COMMIT')
  }

  close(): void {
    this.flush()
    this.#database.close()
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes)
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.#prepared(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.#prepared(sql).all(...values)
  }

  /** Reads rows one by one. The caller may stop early, and must not run the same statement meanwhile. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<Record<string, SQLOutputValue>> {
    return this.#prepared(sql).iterate(...values)
  }

  #make(): void {
    this.#database.exec(META)
    this.#database.exec(this.#shape.schema)
  }

  #prepared(sql: string): StatementSync {
    const held = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, held)
    return held
  }
}

/** Options of following a log. */
interface Following {
  /** Names the index in readiness and in errors. */
  readonly name: string
  /** Prefixes of the streams that it reads. */
  readonly prefixes: readonly string[]
  readonly failed: (error: unknown) => void
  /** Called before the first event; retried until it succeeds. */
  readonly prepare?: () => Promise<void>
  /** Called after an event was applied; an event whose call fails is applied again. */
  readonly heard?: (event: StoredEvent) => void | Promise<void>
}

/** Index of a log, built by following it and safe to delete: each change of rows is stored with the log's position. */
export abstract class FollowedIndex {
  protected readonly sql: IndexDatabase
  #follower: Follower | undefined
  #position = START
  #applying: Promise<void> | undefined
  readonly #waiting = new Set<{ readonly position: string; readonly resolve: () => void }>()

  constructor(file: string, shape: IndexShape) {
    this.sql = new IndexDatabase(file, shape, () => this.settle())
  }

  /** Writes changes that are collected in memory. */
  protected settle(): void {
    // Most indexes write at once.
  }

  /** Changes the rows for an event; it must bear to see an event twice, and a part of it before the whole. */
  protected abstract change(event: StoredEvent): void | Promise<void>

  /** Position up to which a log was read; START at its beginning. */
  position(store: string): string {
    return this.sql.position(store)
  }

  /** Applies an event of the log with this id. Returns a promise only for a change that is made in slices. */
  apply(store: string, event: StoredEvent): void | Promise<void> {
    const moved = () => {
      this.sql.begin()
      this.sql.moveTo(store, event.position)
    }
    this.sql.begin()
    const changing = this.change(event)
    if (changing === undefined) return moved()
    this.#applying = changing.then(moved)
    return this.#applying
  }

  /** Follows a log from the stored position, instead of an earlier following. Resolves when it has caught up. */
  async follow(store: EventStore, { name, prefixes, failed, prepare, heard }: Following): Promise<void> {
    await this.#follower?.stop()
    this.#follower = follow(store, {
      name,
      from: async () => {
        await prepare?.()
        return this.position(store.id)
      },
      filter: { streamPrefixes: prefixes },
      event: event => {
        const applied = () => {
          this.#moved(event.position)
          return heard?.(event)
        }
        const applying = this.apply(store.id, event)
        return applying === undefined ? applied() : applying.then(applied)
      },
      caughtUp: position => this.#moved(position),
      passed: position => this.#moved(position),
      failed,
    })
    await this.#follower.caughtUp
  }

  /**
   * Resolves when the index includes everything up to a position.
   * @throws Error after 10 s
   */
  async reached(position: string): Promise<void> {
    if (this.#position >= position) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { position, resolve }
    const late = () => reject(new Error('the index does not reach the position'))
    const timer = setTimeout(late, REACHED_MS)
    this.#waiting.add(waiting)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
    })
  }

  /** Stops following and resolves all waits. */
  async close(): Promise<void> {
    await this.#follower?.stop()
    await this.#applying?.catch(() => undefined)
    for (const { resolve } of this.#waiting) resolve()
    this.sql.close()
  }

  #moved(position: string): void {
    this.#position = position
    for (const waiting of this.#waiting) if (waiting.position <= position) waiting.resolve()
  }
}
