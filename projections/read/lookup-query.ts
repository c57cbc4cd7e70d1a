import { numberOf, stringOf } from '../statement-cache.ts'
import { columnName, tableName } from '../table.ts'
import type { ModelReader } from './model-reader.ts'

/** Lookups without a scope: commands check the caller's rights. */
export class LookupQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  children(entity: string, id: string, child: string): readonly string[] {
    const table = this.#reader.tables.get(child)
    if (table === undefined) return []
    if (entity === 'hierarchy') return this.#inLevel(id, child)
    if (!table.columns.some(column => column.name === entity)) return []
    const sql = `SELECT id FROM ${tableName(child)} WHERE ${columnName(entity)} = ? AND removed = 0 ORDER BY rid`
    return this.#reader.statements.all(sql, id).map(row => stringOf(row, 'id'))
  }

  occupants(level: string): number {
    const key = this.#reader.levelKey(level)
    if (key === undefined) return 0
    const things = this.#reader.statements.get(
      "SELECT sum(n) AS n FROM tally WHERE level = ? AND entity <> 'hierarchy'",
      key,
    )
    return numberOf(things, 'n') + this.#inLevel(level, 'hierarchy').length
  }

  #inLevel(level: string, child: string): string[] {
    const key = this.#reader.levelKey(level)
    if (key === undefined) return []
    const rows =
      child === 'hierarchy'
        ? this.#reader.statements.all(
            `SELECT id FROM ${tableName(child)} WHERE ${columnName('parent')} = ? AND removed = 0 ORDER BY rid`,
            level,
          )
        : this.#reader.statements.all(
            `SELECT id FROM ${tableName(child)} WHERE level = ? AND removed = 0 ORDER BY rid`,
            key,
          )
    return rows.map(row => stringOf(row, 'id'))
  }
}
