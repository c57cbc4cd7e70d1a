import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Prepared statements of one connection, each prepared once. */
export class Statements {
  private readonly db: DatabaseSync
  private readonly known = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.db = db
  }

  get(sql: string): StatementSync {
    const known = this.known.get(sql)
    if (known) return known
    const statement = this.db.prepare(sql)
    this.known.set(sql, statement)
    return statement
  }
}
