import { numberOf, type StatementCache } from '../statement-cache.ts'

/**
 * Things that a rebuild derives once at its end, by kind and id, instead of again after each event. They are kept in the
 * file with the rows that they follow from: an interrupted rebuild continues.
 */
export class LateWork {
  readonly #statements: StatementCache
  readonly #deferred = new Map<string, Set<string>>()
  #isBuilding: boolean

  constructor(statements: StatementCache, isBuilding: boolean) {
    this.#statements = statements
    this.#isBuilding = isBuilding
    if (isBuilding) {
      statements.database.exec(
        'CREATE TABLE IF NOT EXISTS late (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID, STRICT',
      )
    }
  }

  get isBuilding(): boolean {
    return this.#isBuilding
  }

  /** False outside of a rebuild: the caller derives it at once. */
  defer(kind: string, id: string): boolean {
    if (!this.#isBuilding) return false
    const ids = this.#deferred.get(kind)
    if (ids === undefined) this.#deferred.set(kind, new Set([id]))
    else ids.add(id)
    return true
  }

  /** Must end every batch. */
  flush(): void {
    for (const [kind, ids] of this.#deferred)
      for (const id of ids) this.#statements.run('INSERT OR IGNORE INTO late VALUES (?, ?)', kind, id)
    this.#deferred.clear()
  }

  count(kind: string): number {
    if (!this.#isBuilding) return 0
    return numberOf(this.#statements.get('SELECT count(*) AS n FROM late WHERE kind = ?', kind), 'n')
  }

  end(): void {
    this.#statements.database.exec('DROP TABLE late')
    this.#isBuilding = false
  }
}
