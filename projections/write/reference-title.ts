import type { Json } from '#schemas/event.ts'
import { foldText } from '../fold-text.ts'
import { type StatementCache, textOf } from '../statement-cache.ts'
import { columnName, sortName, type Table, tableName } from '../table.ts'
import { SORT_KEY_LENGTH } from './row-plan.ts'

interface Holder {
  readonly entity: string
  readonly field: string
  /** The parent column has its own index and is not in the reference index. */
  readonly isParent: boolean
}

/** Sort keys of reference columns: the folded title of the target, copied into the rows that refer to it. */
export class ReferenceTitles {
  readonly #statements: StatementCache
  readonly #tables: ReadonlyMap<string, Table>
  readonly #holders: ReadonlyMap<string, readonly Holder[]>

  constructor(statements: StatementCache, tables: ReadonlyMap<string, Table>) {
    this.#statements = statements
    this.#tables = tables
    this.#holders = Map.groupBy(
      [...tables.values()].flatMap(({ name, parent, columns }) =>
        columns.flatMap(column =>
          column.sortedByTitleOf === null
            ? []
            : [{ entity: name, field: column.name, isParent: column.name === parent, to: column.sortedByTitleOf }],
        ),
      ),
      ({ to }) => to,
    )
  }

  keyOf(entity: string, id: Json): string | null {
    const table = this.#tables.get(entity)
    if (table === undefined || typeof id !== 'string') return null
    const sql = `SELECT ${columnName(table.title)} AS title FROM ${tableName(entity)} WHERE id = ?`
    return sortKey(textOf(this.#statements.get(sql, id), 'title'))
  }

  /** Copies the new title of a thing to all that refer to it. Takes one row update for each. */
  rename({ name }: Table, id: string, title: Json): void {
    for (const { entity, field, isParent } of this.#holders.get(name) ?? []) {
      const holders = isParent
        ? `${columnName(field)} = ?`
        : `id IN (SELECT id FROM reference WHERE target = ? AND entity = '${entity}' AND block = '' AND field = '${field}')`
      this.#statements.run(
        `UPDATE ${tableName(entity)} SET ${sortName(field)} = ? WHERE ${holders}`,
        sortKey(title),
        id,
      )
    }
  }
}

const sortKey = (title: Json): string | null =>
  typeof title === 'string' ? foldText(title).slice(0, SORT_KEY_LENGTH) : null
