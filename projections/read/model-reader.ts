import type { DatabaseSync } from 'node:sqlite'
import { partsOf } from '#domain/comment-text.ts'
import type { Json } from '#schemas/event.ts'
import type { Change, ListQuery, Person, Row, Scope } from '../port.ts'
import { numberOf, type SqlRow, StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { answer, fromSql, type Table, tableName } from '../table.ts'

/** The part of the tree that a question is about. */
export type Span = { readonly kind: 'all' | 'none' } | { readonly kind: 'below'; readonly level: number }

const NAMES = ['username', 'firstname', 'lastname']

/** One value, a JSON array, holds any number of ids or keys. */
export const IN_LIST = 'IN (SELECT value FROM json_each(?))'
const BELOW = 'IN (SELECT descendant FROM closure WHERE ancestor = ?)'

/** Shared reads of the file: tables, levels, answered rows, and people by id. */
export class ModelReader {
  readonly statements: StatementCache
  readonly tables: ReadonlyMap<string, Table>
  readonly #levels = new Map<number, string>()
  #complete = false

  constructor(database: DatabaseSync) {
    this.statements = new StatementCache(database)
    const stored = this.statements.get("SELECT value FROM meta WHERE key = 'tables'")
    const tables = JSON.parse(stringOf(stored, 'value')) as Table[]
    this.tables = new Map(tables.map(table => [table.name, table]))
  }

  /** Names the index to use, as soon as indexes are there. */
  hint(index: string): string {
    this.#complete ||= this.statements.get("SELECT 1 FROM meta WHERE key = 'complete'") !== undefined
    return this.#complete ? `INDEXED BY "${index}"` : ''
  }

  levelKey(id: string): number | undefined {
    const row = this.statements.get('SELECT key FROM level WHERE id = ?', id)
    return row === undefined ? undefined : numberOf(row, 'key')
  }

  levelId(key: number): string | null {
    if (key === 0) return null
    const known = this.#levels.get(key)
    if (known !== undefined) return known
    const id = textOf(this.statements.get('SELECT id FROM level WHERE key = ?', key), 'id')
    if (id !== null) this.#levels.set(key, id)
    return id
  }

  /**
   * Levels for lists, search, counts and audit: those of the session's level, or with `home` of the whole own subtree;
   * `narrower`: a level to limit them to.
   */
  span(scope: Scope, { hierarchylevel: narrower, home }: Pick<ListQuery, 'hierarchylevel' | 'home'> = {}): Span {
    const top = this.#spanOf(home === true ? scope.home : scope.level)
    if (narrower === undefined) return top
    const level = this.levelKey(narrower)
    if (level === undefined || !this.isIn(level, top)) return { kind: 'none' }
    return this.#spanOf(narrower)
  }

  /** Levels for opening by id. */
  homeSpan(scope: Scope): Span {
    return this.#spanOf(scope.home)
  }

  isIn(level: number, span: Span): boolean {
    if (span.kind !== 'below') return span.kind === 'all'
    const sql = 'SELECT 1 FROM closure WHERE ancestor = ? AND descendant = ?'
    return this.statements.get(sql, span.level, level) !== undefined
  }

  /** The row of something that may be opened: in the caller's home subtree. */
  open(scope: Scope, entity: string, id: string): SqlRow | undefined {
    const table = this.tables.get(entity)
    const row = table && this.statements.get(`SELECT * FROM ${tableName(entity)} WHERE id = ?`, id)
    return row !== undefined && this.isIn(numberOf(row, 'level'), this.#spanOf(scope.home)) ? row : undefined
  }

  row(table: Table, row: SqlRow): Row {
    const fields: Record<string, Json> = {}
    for (const column of answered(table)) {
      fields[column.name] = answer(column.kind, fromSql(column, row[`f_${column.name}`]))
    }
    return {
      ...fields,
      id: stringOf(row, 'id'),
      revision: numberOf(row, 'revision'),
      hierarchylevel: this.levelId(numberOf(row, 'level')),
      created_at: stringOf(row, 'created_at'),
      modified_at: stringOf(row, 'modified_at'),
      created_by: textOf(row, 'created_by'),
      modified_by: textOf(row, 'modified_by'),
      ...(row.removed === 1 || (row.hidden === 1 && row.f_forgotten !== 1) ? { removed: true } : {}),
    }
  }

  /** The name of a thing as it is now; null for what is unknown or has none. */
  title(entity: string, id: string): string | null {
    const table = this.tables.get(entity)
    if (table === undefined) return null
    return textOf(
      this.statements.get(`SELECT f_${table.title} AS title FROM ${tableName(entity)} WHERE id = ?`, id),
      'title',
    )
  }

  /** Unknown ids are answered too, without a name. */
  person(id: string): Person {
    const names = (this.tables.get('user')?.columns ?? []).map(({ name }) => name).filter(name => NAMES.includes(name))
    if (names.length === 0) return { id, username: null }
    const columns = names.map(name => `f_${name}`).join(', ')
    const row = this.statements.get(`SELECT ${columns} FROM ${tableName('user')} WHERE id = ?`, id)
    if (row === undefined) return this.#serviceAccount(id) ?? { id, username: null }
    const username = textOf(row, 'f_username')
    if (username === null) return { id, username, forgotten: true }
    const firstname = textOf(row, 'f_firstname')
    const lastname = textOf(row, 'f_lastname')
    return {
      id,
      username,
      ...(firstname === null ? {} : { firstname }),
      ...(lastname === null ? {} : { lastname }),
    }
  }

  #serviceAccount(id: string): Person | undefined {
    if (!this.tables.has('serviceaccount')) return undefined
    const row = this.statements.get(`SELECT f_name FROM ${tableName('serviceaccount')} WHERE id = ?`, id)
    return row === undefined ? undefined : { id, username: textOf(row, 'f_name'), kind: 'service' }
  }

  /**
   * People by id as this caller may know them: named when their home is in the caller's levels, or above these, from
   * where they act on what is in them. The same person is looked up once.
   */
  acquaintances(scope: Scope): (id: string) => Person {
    const below = this.#spanOf(scope.home)
    const known = new Map<string, Person>()
    return id => {
      const person = known.get(id) ?? (this.#isKnown(id, below) ? this.person(id) : { id, username: null })
      known.set(id, person)
      return person
    }
  }

  #isKnown(user: string, below: Span): boolean {
    if (below.kind === 'all') return true
    const row = ['user', 'serviceaccount']
      .filter(name => this.tables.has(name))
      .map(name => this.statements.get(`SELECT level FROM ${tableName(name)} WHERE id = ?`, user))
      .find(found => found !== undefined)
    const level = row === undefined ? 0 : numberOf(row, 'level')
    return this.isIn(level, below) || (below.kind === 'below' && this.isIn(below.level, { kind: 'below', level }))
  }

  #spanOf(level: string | null): Span {
    if (level === null) return { kind: 'all' }
    const row = this.statements.get('SELECT key, parent FROM level WHERE id = ?', level)
    if (row === undefined) return { kind: 'none' }
    if (row.parent === 0 && this.#isOnlyRoot()) return { kind: 'all' }
    return { kind: 'below', level: numberOf(row, 'key') }
  }

  /** Beside another root, being one does not mean to see all. */
  #isOnlyRoot(): boolean {
    return numberOf(this.statements.get('SELECT count(*) AS n FROM level WHERE parent = 0'), 'n') === 1
  }
}

/** `column` within a span, as a condition and its values. */
export const spanCondition = (span: Span, column: string): { sql: string; values: number[] } => {
  switch (span.kind) {
    case 'all':
      return { sql: '', values: [] }
    case 'none':
      return { sql: 'AND 0', values: [] }
    case 'below':
      return { sql: `AND ${column} ${BELOW}`, values: [span.level] }
  }
}

/** Hides even whether a password is set. */
export const answered = ({ columns }: Table) => columns.filter(({ kind }) => kind !== 'password')

const COMMENTS: ReadonlySet<string> = new Set(['dialogcomment', 'handlercomment'])

const nameOf = ({ username, firstname, lastname }: Person): string =>
  [firstname, lastname].filter(part => part !== undefined && part !== '').join(' ') || (username ?? '–')

/** A name or value for display: mentions in a comment become names, `–` for people without one. */
export const resolveMentions = (entity: string, text: string, personOf: (id: string) => Person): string =>
  COMMENTS.has(entity)
    ? partsOf(text)
        .map(part => ('text' in part ? part.text : `@${nameOf(personOf(part.user))}`))
        .join('')
    : text

/** The changes of a line of the audit, its texts as they are read. */
export const resolveMentionsInChanges = (
  entity: string,
  changes: readonly Change[],
  personOf: (id: string) => Person,
): readonly Change[] => {
  if (!COMMENTS.has(entity)) return changes
  const told = (value: Json) => (typeof value === 'string' ? resolveMentions(entity, value, personOf) : value)
  return changes.map(change => ({ ...change, before: told(change.before), after: told(change.after) }))
}
