import type { Json, JsonObject } from '#schemas/event.ts'
import { singleId } from '#schemas/single.ts'
import type { Table } from '../table.ts'

interface Single {
  readonly table: Table
  readonly id: string
  readonly fields: JsonObject
}

/** Entities that exist exactly once per parent; the root also gets those that exist once per installation. */
export const singlesIn = (
  tables: Iterable<Table>,
  { name }: Table,
  id: string,
  { parent }: JsonObject,
): readonly Single[] => {
  const isRoot = name === 'hierarchy' && typeof parent !== 'string'
  return [...tables].flatMap((table): Single[] => {
    if (table.single !== true) return []
    const fields = defaultsOf(table)
    if (table.parent === name) return [{ table, id: singleId(table.name, id), fields: { ...fields, [name]: id } }]
    return table.parent === null && isRoot ? [{ table, id: singleId(table.name, null), fields }] : []
  })
}

const defaultsOf = ({ columns }: Table): JsonObject =>
  Object.fromEntries(columns.map(({ name, initial }) => [name, JSON.parse(initial) as Json]))
