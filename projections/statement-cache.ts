import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Prepared once per text, for statements whose texts are few. */
export class StatementCache {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes)
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.prepare(sql).get(...values) as SqlRow | undefined
  }

  all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return this.prepare(sql).all(...values) as SqlRow[]
  }
}

export type SqlRow = Record<string, null | number | string | Uint8Array>

export const numberOf = (row: SqlRow | undefined, column: string): number => {
  const value = row?.[column]
  return typeof value === 'number' ? value : 0
}

export const stringOf = (row: SqlRow | undefined, column: string): string => {
  const value = row?.[column]
  return typeof value === 'string' ? value : ''
}

export const textOf = (row: SqlRow | undefined, column: string): string | null => {
  const value = row?.[column]
  return typeof value === 'string' ? value : null
}
