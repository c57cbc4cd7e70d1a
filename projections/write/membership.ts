import { fromSql } from '../column-value.ts'
import { type SqlRow, type StatementCache, textOf } from '../statement-cache.ts'
import { type Table, tableName } from '../table.ts'

/** Ids of the groups a person belongs to, parents included, and of the roles these hold, as JSON arrays. */
export const membershipOf = (
  tables: ReadonlyMap<string, Table>,
  statements: StatementCache,
  user: string,
): { groups: string; roles: string } => {
  const users = tables.get('user')
  const groups = tables.get('usergroup')
  const row = users && statements.get(`SELECT * FROM ${tableName('user')} WHERE id = ?`, user)
  if (users === undefined || groups === undefined || row === undefined) return { groups: '[]', roles: '[]' }
  const found = new Set<string>()
  const roles = new Set<string>()
  const waiting = [...stringsOf(users, row, 'usergroup')]
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const group = found.has(id)
      ? undefined
      : statements.get(`SELECT * FROM ${tableName('usergroup')} WHERE id = ? AND removed = 0`, id)
    if (group === undefined) continue
    found.add(id)
    for (const role of stringsOf(groups, group, 'roles')) roles.add(role)
    const parent = textOf(group, 'f_parent')
    if (parent !== null) waiting.push(parent)
  }
  return { groups: JSON.stringify([...found]), roles: JSON.stringify([...roles]) }
}

const stringsOf = (table: Table, row: SqlRow, field: string): readonly string[] => {
  const column = table.columns.find(({ name }) => name === field)
  const value = column === undefined ? null : fromSql(column, row[`f_${field}`])
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}
