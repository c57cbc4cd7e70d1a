import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '#commands/store/port.ts'
import type { Checkpoint } from './message.ts'
import { LAYOUT } from './schema.ts'
import { StatementCache, stringOf } from './statement-cache.ts'
import type { Table } from './table.ts'

const NONE: Checkpoint = { position: '', seq: 0, last: null }

export const readCheckpoint = (statements: StatementCache): Checkpoint => {
  const row = statements.get("SELECT value FROM meta WHERE key = 'checkpoint'")
  return row === undefined ? NONE : (JSON.parse(stringOf(row, 'value')) as Checkpoint)
}

export const writeCheckpoint = (statements: StatementCache, checkpoint: Checkpoint): void => {
  statements.run("INSERT OR REPLACE INTO meta VALUES ('checkpoint', ?)", JSON.stringify(checkpoint))
}

const POINTER = 'current'
const PREFIX = 'models-'

interface Found {
  readonly layout: string
  readonly tables: string
  readonly store: string
  readonly complete: boolean
  readonly checkpoint: Checkpoint
}

/** `current`: serves as it is. `outdated`: of other declarations, may serve until a new one is built. */
type Fitness =
  | { readonly state: 'current' | 'outdated'; readonly file: string; readonly tables: readonly Table[] }
  | { readonly state: 'unfit' }

/** The files of read models in a folder: one is named by the pointer, all others are rests of what was being built. */
export class ModelFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  newFile(): string {
    return join(this.#folder, `${PREFIX}${crypto.randomUUID()}.sqlite`)
  }

  /** Made the one that the next start opens, in one step. */
  point(file: string): void {
    const pointer = join(this.#folder, POINTER)
    writeFileSync(`${pointer}.new`, file.slice(this.#folder.length + 1), { mode: 0o600 })
    renameSync(`${pointer}.new`, pointer)
  }

  /** Removes all files except the given ones; retries failed removals after a later start. */
  sweep(keep: readonly string[]): void {
    const names = keep.map(file => file.slice(this.#folder.length + 1))
    for (const name of readdirSync(this.#folder)) {
      if (!name.startsWith(PREFIX) || names.some(kept => name.startsWith(kept))) continue
      try {
        rmSync(join(this.#folder, name), { force: true })
      } catch {
        // The disk takes no writes at present.
      }
    }
  }

  /** Whether the file served last can be reused. */
  async inspect(store: EventStore, tables: readonly Table[]): Promise<Fitness> {
    const file = this.pointed()
    const found = file === undefined ? undefined : read(file)
    if (file === undefined || found === undefined) return { state: 'unfit' }
    if (found.layout !== String(LAYOUT) || found.store !== store.id || !found.complete) return { state: 'unfit' }
    if (!(await matches(store, found.checkpoint))) return { state: 'unfit' }
    const outdated = found.tables !== JSON.stringify(tables)
    return { state: outdated ? 'outdated' : 'current', file, tables: JSON.parse(found.tables) as Table[] }
  }

  /** The file that the pointer names. */
  pointed(): string | undefined {
    try {
      const name = readFileSync(join(this.#folder, POINTER), 'utf8')
      return /^models-[-0-9a-f]+\.sqlite$/.test(name) ? join(this.#folder, name) : undefined
    } catch {
      return undefined
    }
  }
}

/** Undefined for what is not there, damaged or no file of read models. */
const read = (file: string): Found | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const statements = new StatementCache(database)
    const rows = statements.all('SELECT key, value FROM meta')
    const meta = new Map(rows.map(row => [stringOf(row, 'key'), stringOf(row, 'value')]))
    return {
      layout: meta.get('layout') ?? '',
      tables: meta.get('tables') ?? '',
      store: meta.get('store') ?? '',
      complete: meta.has('complete'),
      checkpoint: readCheckpoint(statements),
    }
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}

/** Whether the store still holds, where the file says, the event that it folded last. */
const matches = async (store: EventStore, { last, position }: Checkpoint): Promise<boolean> => {
  if (last === null) return true
  for await (const event of store.read(last.stream, { from: last.revision, limit: 1 })) {
    return event.revision === last.revision && event.hash === last.hash && event.position === position
  }
  return false
}

/** Streams that read models are built from, beside those of entities, by the prefix of their names. */
const PREFIXES = ['flow', 'session', 'signin', 'visits', 'audit', 'notification', 'notice', 'origin'] as const

type ShownPrefix = (typeof PREFIXES)[number]

/** Prefixes of all streams that read models are built from, given the names of entities. */
export const shownPrefixes = (entities: Iterable<string>): readonly string[] =>
  [...entities, ...PREFIXES].map(prefix => `${prefix}-`)

export const isProjectedPrefix = (prefix: string): prefix is ShownPrefix =>
  (PREFIXES as readonly string[]).includes(prefix)
