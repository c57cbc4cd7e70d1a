import type { Json } from '#schemas/event.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { Column, Table } from '../table.ts'

const KINDS: ReadonlySet<string> = new Set(['reference', 'references'])

/** Who points at what, by the declared references of entities; what a thing lies in is no such reference. */
export class ReferenceIndex {
  readonly #statements: StatementCache

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  replace(table: Table, column: Column, id: string, before: Json, after: Json): void {
    if (!KINDS.has(column.kind) || (column.name === table.parent && table.holdsParent !== true)) return
    const [old, wanted] = [idsIn(before), idsIn(after)]
    for (const target of old.difference(wanted)) {
      const sql = 'DELETE FROM reference WHERE target = ? AND entity = ? AND id = ? AND field = ?'
      this.#statements.run(sql, target, table.name, id, column.name)
    }
    for (const target of wanted.difference(old))
      this.#statements.run('INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?)', target, table.name, id, column.name)
  }
}

const idsIn = (value: Json): ReadonlySet<string> => {
  if (typeof value === 'string') return new Set([value])
  return new Set(Array.isArray(value) ? value.filter(id => typeof id === 'string') : [])
}
