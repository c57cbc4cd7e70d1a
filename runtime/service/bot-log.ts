import { randomBytes } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { BotLogLevel, BotLogLine } from '#schemas/api/bot-service.ts'

/** Entry of a bot's log: codes and ids, never the text of a person. */
export interface BotLogEntry {
  readonly level: BotLogLevel
  /** Code in the catalogue of messages, such as `turn.failed` or `service.down`. */
  readonly code: string
  readonly bot: string
  readonly release?: number
  readonly dialog?: string
  readonly block?: string
  readonly conversation?: string
  readonly service?: string
  /** Result in codes: the provider's code, its title, a type, the attempt and the pause before the next one. */
  readonly detail?: string
}

interface BotLogQuery {
  readonly level?: BotLogLevel | undefined
  readonly search?: string | undefined
  readonly service?: string | undefined
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly size: number
}

export interface BotLog {
  /** Id of the log, other than that of every other node: 8 hexadecimal digits. */
  readonly id: string
  /** Never throws and never waits. Equal entries of one block share one counting line per hour. */
  log(entry: BotLogEntry): void
  read(
    bot: string,
    query: BotLogQuery,
  ): {
    readonly items: readonly BotLogLine[]
    readonly newest: number
    readonly counts: Readonly<Record<BotLogLevel, number>>
  }
}

interface BotLogOptions {
  /** Own file of the log; empty: in memory. */
  readonly file: string
  readonly failed: (error: unknown) => void
  readonly now?: () => number
  readonly maxLines?: number
}

const HOUR_MS = 3_600_000
const KEPT_MS = 7 * 24 * HOUR_MS
const MAX_LINES = 100_000
const FLUSH_MS = 200
const PRUNE_MS = 60_000
const MAX_WORD = 200
/** Limit of kinds of lines whose hour is remembered. */
const MAX_KNOWN = 10_000

const TABLE = `
CREATE TABLE IF NOT EXISTS line (
  n INTEGER PRIMARY KEY AUTOINCREMENT, bot TEXT NOT NULL, time INTEGER NOT NULL, level TEXT NOT NULL, code TEXT NOT NULL,
  release INTEGER, dialog TEXT, block TEXT, conversation TEXT, service TEXT, count INTEGER NOT NULL, detail TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS log (id TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS line_bot ON line (bot, n);
CREATE INDEX IF NOT EXISTS line_time ON line (time);
`
const COLUMNS = 'n AS id, time, level, code, release, dialog, block, conversation, service, detail, count'
const SEARCHED = "instr(lower(concat_ws(' ', code, dialog, block, conversation, service, detail)), ?) > 0"
const INSERT = `INSERT INTO line (bot, time, level, code, release, dialog, block, conversation, service, detail, count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const CUT = `DELETE FROM line WHERE bot = ?
  AND n <= (SELECT n FROM line WHERE bot = ? ORDER BY n DESC LIMIT 1 OFFSET ?)`

const kindOf = ({ bot, level, code, release, dialog, block, service, detail }: BotLogEntry): string =>
  JSON.stringify([bot, level, code, release, dialog, block, service, detail])

const word = (value: string | undefined): string | null => value?.slice(0, MAX_WORD) ?? null

interface Waiting {
  readonly entry: BotLogEntry
  readonly time: number
  count: number
}

const linesOf = (rows: readonly Record<string, unknown>[]): readonly BotLogLine[] =>
  rows.map(row => ({ ...row, time: new Date(Number(row.time)).toISOString() }) as BotLogLine)

const whereOf = (conditions: readonly (readonly [sql: string, value: string | number | undefined])[]) => {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  return { sql: given.map(({ sql }) => sql), values: given.map(({ value }) => value) }
}

/** A ring of lines for each bot: seven days, at most 100,000 lines. It is neither in the events nor in backups. */
export class BotLogFile implements BotLog {
  readonly id: string
  readonly #db: DatabaseSync
  readonly #failed: BotLogOptions['failed']
  readonly #now: () => number
  readonly #maxLines: number
  readonly #insert: StatementSync
  readonly #again: StatementSync
  /** The line that counts repeated entries, by kind. */
  readonly #known = new Map<string, { readonly n: number; readonly since: number }>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #written = new Set<string>()
  readonly #pruning: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined

  constructor({ file, failed, now = Date.now, maxLines = MAX_LINES }: BotLogOptions) {
    this.#failed = failed
    this.#now = now
    this.#maxLines = maxLines
    this.#db = new DatabaseSync(file, { timeout: 5000 })
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    this.#db.exec(TABLE)
    // Files of earlier versions have no details.
    const columns = this.#db.prepare("SELECT name FROM pragma_table_info('line')").all()
    if (columns.every(({ name }) => name !== 'detail')) this.#db.exec('ALTER TABLE line ADD COLUMN detail TEXT')
    this.id = this.#readId()
    this.#insert = this.#db.prepare(INSERT)
    this.#again = this.#db.prepare('UPDATE line SET count = count + ? WHERE n = ?')
    this.#pruning = setInterval(() => this.prune(), PRUNE_MS).unref()
  }

  log(entry: BotLogEntry): void {
    const kind = kindOf(entry)
    const held = this.#waiting.get(kind)
    if (held === undefined) this.#waiting.set(kind, { entry, time: this.#now(), count: 1 })
    else held.count += 1
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  read(bot: string, { level, search = '', service, after, before, size }: BotLogQuery): ReturnType<BotLog['read']> {
    this.#flush()
    const words = search.trim().toLowerCase()
    const about = whereOf([
      ['bot = ?', bot],
      ['service = ?', service],
      [SEARCHED, words === '' ? undefined : words],
    ])
    const asked = whereOf([
      ['level = ?', level],
      ['n > ?', after],
      ['n < ?', before],
    ])
    const where = [...about.sql, ...asked.sql].join(' AND ')
    const order = after === undefined ? 'DESC' : 'ASC'
    const rows = this.#db
      .prepare(`SELECT ${COLUMNS} FROM line WHERE ${where} ORDER BY n ${order} LIMIT ?`)
      .all(...about.values, ...asked.values, size)
    const newest = this.#db.prepare('SELECT ifnull(max(n), 0) AS n FROM line WHERE bot = ?').get(bot)
    const counted = this.#db
      .prepare(`SELECT level, sum(count) AS n FROM line WHERE ${about.sql.join(' AND ')} GROUP BY level`)
      .all(...about.values)
    const countOf = (one: BotLogLevel) => Number(counted.find(row => row.level === one)?.n ?? 0)
    const counts = { info: countOf('info'), warn: countOf('warn'), error: countOf('error') }
    return { items: linesOf(rows), newest: Number(newest?.n ?? 0), counts }
  }

  /** Deletes lines that are too old or exceed the limit. */
  prune(): void {
    this.#flush()
    this.#inTransaction(() => {
      this.#db.prepare('DELETE FROM line WHERE time < ?').run(this.#now() - KEPT_MS)
      for (const bot of this.#written) this.#db.prepare(CUT).run(bot, bot, this.#maxLines)
      this.#written.clear()
    })
  }

  close(): void {
    clearInterval(this.#pruning)
    this.#flush()
    this.#db.close()
  }

  #readId(): string {
    const made = randomBytes(4).toString('hex')
    this.#db.prepare('INSERT INTO log (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM log)').run(made)
    return String(this.#db.prepare('SELECT id FROM log').get()?.id)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#inTransaction(() => {
      for (const [kind, one] of this.#waiting) this.#write(kind, one)
    })
    this.#waiting.clear()
  }

  #write(kind: string, { entry, time, count }: Waiting): void {
    const line = this.#known.get(kind)
    if (line !== undefined && time - line.since < HOUR_MS && this.#again.run(count, line.n).changes > 0) return
    const { bot, level, code, release, ...ids } = entry
    const words = [ids.dialog, ids.block, ids.conversation, ids.service, ids.detail].map(word)
    const { lastInsertRowid } = this.#insert.run(bot, time, level, word(code), release ?? null, ...words, count)
    this.#known.delete(kind)
    this.#known.set(kind, { n: Number(lastInsertRowid), since: time })
    this.#written.add(bot)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  #inTransaction(work: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      work()
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      this.#failed(error)
    }
  }
}
