import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'

/** Data about an index itself, such as its position in each log. */
const META = 'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT'

/** Shape of an index. An index of another `version` is dropped and rebuilt from the log. */
interface IndexShape {
  readonly version: number
  readonly tables: readonly string[]
  readonly schema: string
}

/** File of an index that can be rebuilt at any time: writes are collected until the event loop turns. */
export class IndexDatabase {
  readonly database: DatabaseSync
  readonly #shape: IndexShape
  readonly #statements = new Map<string, StatementSync>()
  #isOpen = false

  constructor(file: string, shape: IndexShape) {
    this.#shape = shape
    this.database = new DatabaseSync(file)
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const isOther = this.database.prepare('PRAGMA user_version').get()?.user_version !== shape.version
    if (isOther) this.clear()
    else this.#make()
  }

  /** Recreates all tables, without rows. */
  clear(): void {
    const { version, tables } = this.#shape
    this.#statements.clear()
    for (const table of ['meta', ...tables]) this.database.exec(`DROP TABLE IF EXISTS ${table}`)
    this.database.exec(`PRAGMA user_version = ${version}`)
    this.#make()
  }

  /** Position up to which a log was read; '' at its beginning. */
  position(store: string): string {
    return String(this.get('SELECT value FROM meta WHERE key = ?', `position ${store}`)?.value ?? '')
  }

  /** Stored in one transaction with the rows read up to this position. */
  moveTo(store: string, position: string): void {
    this.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', `position ${store}`, position)
  }

  /** Opens the transaction for all writes until the next flush. */
  begin(): void {
    if (this.#isOpen) return
    this.database.exec('BEGIN')
    this.#isOpen = true
    setImmediate(() => this.flush())
  }

  flush(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.database.exec('COMMIT')
  }

  close(): void {
    this.flush()
    this.database.close()
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values)
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.#prepared(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.#prepared(sql).all(...values)
  }

  #make(): void {
    this.database.exec(META)
    this.database.exec(this.#shape.schema)
  }

  #prepared(sql: string): StatementSync {
    const held = this.#statements.get(sql) ?? this.database.prepare(sql)
    this.#statements.set(sql, held)
    return held
  }
}
