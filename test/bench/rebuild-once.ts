import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import { median, type QuickFigure } from './figure.ts'
import { type Cost, costOf } from './processor-time.ts'

/** Events per transaction of a rebuild. */
const BATCH = 2000

/** Until read models built from nothing serve. */
export const rebuilt = async (folder: string, models: string): Promise<Cost> => {
  rmSync(models, { recursive: true, force: true })
  const store = await openEmbeddedStore({ folder })
  const opened = Promise.withResolvers<Awaited<ReturnType<typeof openReadModels>>>()
  const cost = await costOf(async () => {
    const read = await openReadModels({ store, folder: models, upcast })
    opened.resolve(read)
    await new Promise<void>(resolve => {
      const clock = setInterval(() => {
        if (!read.status().ready) return
        clearInterval(clock)
        resolve()
      }, 5)
    })
  })
  await (await opened.promise).close()
  await store.close()
  return cost
}

interface Rows {
  readonly insert: string
  readonly rows: readonly SQLInputValue[][]
}

/** Every row of a file of read models, and the statements that make its tables and indexes. */
export const contentOf = (models: string) => {
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

/** One thread inserts the same rows into the same tables, as many to a transaction, and indexes them. */
export const inserted = async ({ before, after, content }: ReturnType<typeof contentOf>, events: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const db = new DatabaseSync(join(folder, 'bare.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON')
  db.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16384; PRAGMA cache_size = -131072')
  const cost = await costOf(() => {
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
  })
  db.close()
  rmSync(folder, { recursive: true })
  return cost
}

const QUICK_ROUNDS = 2

/** P3 on a log that was written before: `events` of them. */
export const quickRebuild = async (folder: string, events: number): Promise<readonly QuickFigure[]> => {
  const models = join(folder, 'models')
  const rounds: { rebuild: Cost; bare: Cost }[] = []
  for (let round = 0; round < QUICK_ROUNDS; round++) {
    const rebuild = await rebuilt(folder, models)
    rounds.push({ rebuild, bare: await inserted(contentOf(models), events) })
  }
  return [
    {
      what: `rebuild of ${events} events, of bare inserts of the same rows`,
      value: median(rounds.map(({ rebuild, bare }) => bare.seconds / rebuild.seconds)),
    },
    {
      what: 'the same in processor time',
      value: median(rounds.map(({ rebuild, bare }) => bare.cpu / rebuild.cpu)),
    },
    { what: 'processor time of an event, ms', value: median(rounds.map(({ rebuild }) => rebuild.cpu)) / events },
  ]
}
