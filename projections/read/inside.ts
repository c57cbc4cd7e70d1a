import { stringOf } from '../statement-cache.ts'
import { columnName, type Table, tableName } from '../table.ts'
import { IN_LIST, type ModelReader } from './model-reader.ts'

/** Ids of a thing and of all that lies or lay in it. */
export const idsInside = (reader: ModelReader, entity: string, id: string): readonly string[] => {
  const all = [id]
  const add = (parent: string, ids: readonly string[]): void => {
    for (const table of childrenOf(reader, parent)) {
      const sql = `SELECT id FROM ${tableName(table.name)} WHERE ${columnName(parent)} ${IN_LIST}`
      const found = reader.statements.all(sql, JSON.stringify(ids)).map(row => stringOf(row, 'id'))
      if (found.length === 0) continue
      all.push(...found)
      add(table.name, found)
    }
  }
  add(entity, [id])
  return all
}

const childrenOf = (reader: ModelReader, parent: string): readonly Table[] =>
  [...reader.tables.values()].filter(table => table.parent === parent)
