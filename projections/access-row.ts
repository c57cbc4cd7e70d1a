import { fromSql } from './column-value.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf, textOf } from './statement-cache.ts'
import { type Table, tableName } from './table.ts'

/** What access is made of, as it crosses from the projection worker to the main thread. */
export type AccessRow =
  | {
      readonly kind: 'user'
      readonly id: string
      readonly username: string | null
      readonly level: string | null
      readonly active: boolean
      readonly groups: readonly string[]
    }
  | { readonly kind: 'usergroup'; readonly id: string; readonly active: boolean; readonly parent: string | null; readonly roles: readonly string[] }
  | { readonly kind: 'role'; readonly id: string; readonly active: boolean; readonly actions: readonly string[]; readonly services: readonly string[] }
  | { readonly kind: 'hierarchy'; readonly id: string; readonly active: boolean; readonly name: string; readonly parent: string | null }
  | { readonly kind: 'session'; readonly id: string; readonly user: string; readonly level: string; readonly expires: string }
  | { readonly kind: 'ended'; readonly id: string }

const ENTITIES = ['hierarchy', 'role', 'usergroup', 'user'] as const
const isAccessEntity = (entity: string): entity is (typeof ENTITIES)[number] => ENTITIES.some(name => name === entity)

/** Reads what access is made of from the file: all of it, or the things that a batch touched. */
export class AccessRows {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #statements: StatementCache

  constructor(tables: ReadonlyMap<string, Table>, statements: StatementCache) {
    this.#tables = tables
    this.#statements = statements
  }

  all(): AccessRow[] {
    const entities = ENTITIES.flatMap(entity => {
      const table = this.#tables.get(entity)
      if (table === undefined) return []
      return this.#statements.all(`SELECT * FROM ${tableName(entity)}`).map(row => this.#row(entity, table, row))
    })
    return [...entities, ...this.#statements.all('SELECT * FROM session').map(sessionRow)]
  }

  of(entity: string, id: string): AccessRow | undefined {
    if (entity === 'session') {
      const row = this.#statements.get('SELECT * FROM session WHERE id = ?', id)
      return row === undefined ? { kind: 'ended', id } : sessionRow(row)
    }
    const table = this.#tables.get(entity)
    if (table === undefined || !isAccessEntity(entity)) return undefined
    const row = this.#statements.get(`SELECT * FROM ${tableName(entity)} WHERE id = ?`, id)
    return row === undefined ? undefined : this.#row(entity, table, row)
  }

  #row(entity: (typeof ENTITIES)[number], table: Table, row: SqlRow): AccessRow {
    const id = stringOf(row, 'id')
    const active = row.removed === 0
    const strings = (field: string): readonly string[] => stringsOf(table, row, field)
    switch (entity) {
      case 'user': {
        const free = active && row.f_locked !== 1
        const level = this.#level(numberOf(row, 'level'))
        return { kind: entity, id, username: textOf(row, 'f_username'), level, active: free, groups: strings('usergroup') }
      }
      case 'usergroup':
        return { kind: entity, id, active, parent: textOf(row, 'f_parent'), roles: strings('roles') }
      case 'role':
        return { kind: entity, id, active, actions: strings('actions'), services: strings('services') }
      case 'hierarchy':
        return { kind: entity, id, active, name: stringOf(row, 'f_name'), parent: textOf(row, 'f_parent') }
    }
  }

  #level(key: number): string | null {
    return textOf(this.#statements.get('SELECT id FROM level WHERE key = ?', key), 'id')
  }
}

export const stringsOf = (table: Table, row: SqlRow, field: string): readonly string[] => {
  const column = table.columns.find(({ name }) => name === field)
  const value = column === undefined ? null : fromSql(column, row[`f_${field}`])
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

const sessionRow = (row: SqlRow): AccessRow => ({
  kind: 'session',
  id: stringOf(row, 'id'),
  user: stringOf(row, 'user'),
  level: stringOf(row, 'level'),
  expires: stringOf(row, 'expires'),
})
