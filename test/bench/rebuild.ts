import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import { type Figure, median, ROUNDS, rounded } from './figure.ts'
import { MILLION, millionEvents } from './million.ts'
import { writeMixedStore } from './mixed-store.ts'

const EVENTS = 100_000
/** Events per transaction of a rebuild. */
const BATCH = 2000

/** Seconds until read models built from nothing serve. */
const rebuilt = async (folder: string, models: string): Promise<number> => {
  rmSync(models, { recursive: true, force: true })
  const store = await openEmbeddedStore({ folder })
  const started = performance.now()
  const read = await openReadModels({ store, folder: models, upcast })
  await new Promise<void>(resolve => {
    const clock = setInterval(() => {
      if (!read.status().ready) return
      clearInterval(clock)
      resolve()
    }, 5)
  })
  const seconds = (performance.now() - started) / 1000
  await read.close()
  await store.close()
  return seconds
}

interface Rows {
  readonly insert: string
  readonly rows: readonly SQLInputValue[][]
}

/** Every row of a file of read models, and the statements that make its tables and indexes. */
const contentOf = (models: string) => {
  const name = readdirSync(models).find(file => file.endsWith('.sqlite')) ?? ''
  const db = new DatabaseSync(join(models, name), { readOnly: true })
  const made = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
  const schema = made.all().map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }))
  const tables = schema.filter(({ type }) => type === 'table')
  const content = tables.map(({ name }): Rows => {
    const select = db.prepare(`SELECT * FROM "${name}"`)
    select.setReturnArrays(true)
    const rows = select.all() as unknown as SQLInputValue[][]
    const values = select.columns().map(() => '?')
    return { insert: `INSERT INTO "${name}" VALUES (${values.join()})`, rows }
  })
  db.close()
  // A rebuild creates some indexes with its tables and the others at its end.
  const early = ({ name }: { name: string }) => name === 'i_session_expires' || name.endsWith('_parent')
  const indexes = schema.filter(({ type }) => type === 'index')
  return {
    before: [...tables, ...indexes.filter(early)].map(({ sql }) => sql),
    after: indexes.filter(index => !early(index)).map(({ sql }) => sql),
    content: content.filter(({ rows }) => rows.length > 0),
  }
}

/** Seconds in which one thread inserts the same rows into the same tables, as many to a transaction, and indexes them. */
const inserted = ({ before, after, content }: ReturnType<typeof contentOf>, events: number): number => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const db = new DatabaseSync(join(folder, 'bare.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON')
  db.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16384; PRAGMA cache_size = -131072')
  const started = performance.now()
  for (const statement of before) db.exec(statement)
  const inserts = content.map(({ insert, rows }) => ({ statement: db.prepare(insert), rows }))
  const batches = Math.ceil(events / BATCH)
  for (let batch = 0; batch < batches; batch++) {
    db.exec('BEGIN')
    for (const { statement, rows } of inserts) {
      const end = Math.floor((rows.length * (batch + 1)) / batches)
      for (let n = Math.floor((rows.length * batch) / batches); n < end; n++) statement.run(...(rows[n] ?? []))
    }
    db.exec('COMMIT')
  }
  for (const statement of after) db.exec(statement)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const seconds = (performance.now() - started) / 1000
  db.close()
  rmSync(folder, { recursive: true })
  return seconds
}

/** P3: the ratio on a mixed store of 100,000 events, and the time for a million. */
export const rebuild = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const models = join(folder, 'models')
  await writeMixedStore(folder, EVENTS)
  const rebuilds: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rebuilds.push(await rebuilt(folder, models))
    bare.push(inserted(contentOf(models), EVENTS))
  }
  rmSync(folder, { recursive: true })
  const ratio = median(bare.map((seconds, round) => seconds / (rebuilds[round] ?? Number.NaN)))
  const all = await millionEvents()
  const seconds = await rebuilt(all, join(all, 'projections'))
  return [
    {
      id: 'P3',
      what: `rebuild of all projections, ${EVENTS} mixed events, of bare inserts of the same rows`,
      measured: `${rounded(ratio, 2)} (${rounded(median(rebuilds), 2)} s, ${rounded(median(bare), 2)} s)`,
      target: '≥ 0.4',
      met: ratio >= 0.4,
      detail: { ratio: rounded(ratio, 3), rebuild: rounded(median(rebuilds), 3), bare: rounded(median(bare), 3) },
    },
    {
      id: 'P3',
      what: `rebuild from ${MILLION} events`,
      measured: `${rounded(seconds)} s`,
      target: '≤ 60 s',
      met: seconds <= 60,
      detail: { seconds: rounded(seconds, 2) },
    },
  ]
}
