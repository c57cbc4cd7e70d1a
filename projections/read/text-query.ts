import type { FieldKind } from '#schemas/field/kind.ts'
import type { Scope } from '../port.ts'
import type { FieldText } from '../query-results.ts'
import { stringOf, textOf } from '../statement-cache.ts'
import { type Column, columnName, type Table, tableName } from '../table.ts'
import { type ModelReader, spanCondition } from './model-reader.ts'

/** Kinds whose stored values can hold an address, as text or within JSON. */
const TEXTUAL: ReadonlySet<FieldKind> = new Set([
  'string',
  'text',
  'markdown',
  'code',
  'json',
  'strings',
  'url',
  'palette',
  'expression',
  'image',
  'list',
])

const isSearched = ({ kind, secret, personal }: Column): boolean => TEXTUAL.has(kind) && !secret && !personal

/** Fields of live things that hold a text, in what the caller may read. */
export class TextQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** At most `limit`, by entity and then newest first. */
  fieldsWithText(scope: Scope, text: string, limit: number): readonly FieldText[] {
    const found: FieldText[] = []
    for (const table of this.#reader.tables.values()) {
      if (found.length >= limit) break
      const isReadable = scope.readable === 'all' || scope.readable.has(table.name)
      if (isReadable) found.push(...this.#inTable(scope, table, text, limit - found.length))
    }
    return found
  }

  #inTable(scope: Scope, table: Table, text: string, limit: number): readonly FieldText[] {
    const columns = table.columns.filter(isSearched)
    if (columns.length === 0) return []
    const { sql, values } = spanCondition(this.#reader.homeSpan(scope), 'level')
    const holds = columns.map(({ name }) => `instr(${columnName(name)}, ?1) > 0`).join(' OR ')
    const names = columns.map(({ name }) => columnName(name)).join(', ')
    const rows = this.#reader.statements.all(
      `SELECT id, ${columnName(table.title)} AS title, ${names} FROM ${tableName(table.name)}
       WHERE listed = 1 AND (${holds}) ${sql.replace('?', '?3')} ORDER BY rid DESC LIMIT ?2`,
      text,
      limit,
      ...values,
    )
    return rows.flatMap(row =>
      columns.flatMap(({ name }) => {
        const value = textOf(row, columnName(name))
        if (value?.includes(text) !== true) return []
        return [{ entity: table.name, id: stringOf(row, 'id'), title: textOf(row, 'title') ?? '', field: name, value }]
      }),
    )
  }
}
