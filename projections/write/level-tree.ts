import { numberOf, type SqlRow, type StatementCache, stringOf } from '../statement-cache.ts'

/**
 * Hierarchy levels as small keys with their closure. Key 0 stands outside the tree and counts as below every level, so
 * that what is global is seen everywhere.
 */
export class LevelTree {
  readonly #statements: StatementCache
  readonly #keys = new Map<string, number>()
  readonly #ids = new Map<number, string>()

  constructor(statements: StatementCache) {
    this.#statements = statements
    for (const row of statements.all('SELECT key, id FROM level')) {
      this.#name(numberOf(row, 'key'), stringOf(row, 'id'))
    }
  }

  /** The key of a level, made at first sight: an event may name a level before the level's own events say where it lies. */
  key(id: string | null): number {
    if (id === null) return 0
    return this.#keys.get(id) ?? this.#add(id, 0)
  }

  /** The id of a level; null outside the tree. */
  id(key: number): string | null {
    return this.#ids.get(key) ?? null
  }

  /** The level without a parent; 0 before it exists. */
  root(): number {
    return numberOf(this.#statements.get('SELECT key FROM level WHERE parent = 0 ORDER BY key LIMIT 1'), 'key')
  }

  place(id: string, parent: string | null): void {
    const above = this.key(parent)
    const known = this.#keys.get(id)
    if (known === undefined) {
      this.#add(id, above)
      return
    }
    const present = this.#statements.get('SELECT parent FROM level WHERE key = ?', known)
    if (numberOf(present, 'parent') === above) return
    this.#statements.run('UPDATE level SET parent = ? WHERE key = ?', above, known)
    this.#closeAll()
  }

  #name(key: number, id: string): void {
    this.#keys.set(id, key)
    this.#ids.set(key, id)
  }

  #add(id: string, parent: number): number {
    const key = this.#keys.size + 1
    this.#name(key, id)
    this.#statements.run('INSERT INTO level (key, id, parent) VALUES (?, ?, ?)', key, id, parent)
    this.#statements.run(
      'INSERT INTO closure SELECT ancestor, ? FROM closure WHERE descendant = ? AND ? <> 0',
      key,
      parent,
      parent,
    )
    this.#statements.run('INSERT INTO closure VALUES (?, ?), (?, 0)', key, key, key)
    return key
  }

  /** A branch moved: rare, and the tree is small. */
  #closeAll(): void {
    const parents = new Map<number, number>()
    for (const row of this.#statements.all('SELECT key, parent FROM level')) parents.set(...pair(row))
    this.#statements.run('DELETE FROM closure')
    for (const key of parents.keys()) {
      this.#statements.run('INSERT INTO closure VALUES (?, 0)', key)
      const seen = new Set<number>()
      for (let above = key; above !== 0 && !seen.has(above); above = parents.get(above) ?? 0) {
        seen.add(above)
        this.#statements.run('INSERT INTO closure VALUES (?, ?)', above, key)
      }
    }
  }
}

const pair = (row: SqlRow): [number, number] => [numberOf(row, 'key'), numberOf(row, 'parent')]
