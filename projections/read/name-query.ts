import type { Scope } from '../port.ts'
import { stringOf } from '../statement-cache.ts'
import { columnName, tableName } from '../table.ts'
import { type ModelReader, spanCondition } from './model-reader.ts'

/** Roles and groups of upper levels can be assigned below, so their names are visible there. */
const ASSIGNED_FROM_ABOVE: ReadonlySet<string> = new Set(['role', 'usergroup'])

type Ids = Readonly<Record<string, readonly string[]>>
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Titles of many live things in one question. */
export class NameQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Removed, unreadable or unreachable entities are absent. */
  names(scope: Scope, ids: Ids): Names {
    const names = Object.entries(ids).map(([entity, wanted]) => [entity, this.#namesOf(scope, entity, wanted)])
    return Object.fromEntries(names) as Names
  }

  #namesOf(scope: Scope, entity: string, ids: readonly string[]): Record<string, string> {
    const table = this.#reader.tables.get(entity)
    const isReadable = scope.readable === 'all' || scope.readable.has(entity)
    if (table === undefined || !isReadable) return {}
    const span = this.#reader.homeSpan(scope)
    const { sql, values } = spanCondition(span, 's.level')
    const isAbove = ASSIGNED_FROM_ABOVE.has(entity) && span.kind === 'below'
    const above = isAbove ? 'OR s.level IN (SELECT ancestor FROM closure WHERE descendant = ?)' : ''
    const rows = this.#reader.statements.all(
      `SELECT s.id, s.${columnName(table.title)} AS title FROM json_each(?) t
       CROSS JOIN ${tableName(entity)} s ON s.id = t.value
       WHERE s.listed = 1 AND (1 ${sql} ${above})`,
      JSON.stringify(ids),
      ...values,
      ...(isAbove ? values : []),
    )
    return Object.fromEntries(
      rows.flatMap(row => (typeof row.title === 'string' ? [[stringOf(row, 'id'), row.title]] : [])),
    )
  }
}
