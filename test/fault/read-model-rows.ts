import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Rows per table of the read models, and one hash of them, independent of their order. */
export type Rows = Readonly<Record<string, { readonly rows: number; readonly hash: string }>>

/** Of the file that a folder of read models serves from. Not open elsewhere, so that everything is in it. */
export const rowsOf = (folder: string): Rows => {
  const database = new DatabaseSync(join(folder, readFileSync(join(folder, 'current'), 'utf8')), { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const names = tables.map(({ name }) => String(name)).filter(name => !name.startsWith('sqlite_'))
  const found = names.map(name => {
    const lines = database.prepare(`SELECT * FROM "${name}"`).all().map(lineOf).sort()
    return [name, { rows: lines.length, hash: hash('sha256', lines.join('\n')) }] as const
  })
  database.close()
  return Object.fromEntries(found)
}

const lineOf = (row: Record<string, unknown>): string =>
  JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))
