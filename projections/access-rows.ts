import type { HypotheticalChange } from '#domain/people/directory.ts'
import type { Json } from '#schemas/event.ts'
import type { SignInWay } from '#schemas/events/session.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf, textOf } from './statement-cache.ts'
import { fromSql, type Table, tableName } from './table.ts'

type DirectoryEntity = HypotheticalChange['entity']
type AccessEntity = DirectoryEntity | 'serviceaccount' | 'apitoken'

/** Rows for access checks, sent from the projection worker to the main thread. */
export type AccessRow =
  | {
      readonly kind: 'entity'
      readonly entity: AccessEntity
      readonly id: string
      readonly name: string | null
      /** Null for what was removed or forgotten. */
      readonly entry: { readonly fields: Readonly<Record<string, Json>>; readonly level: string | null } | null
    }
  | {
      readonly kind: 'session'
      readonly id: string
      readonly user: string
      readonly level: string
      readonly started: string
      readonly expires: string
      /** Person whose view is shown. */
      readonly seenas: string | null
      readonly way: SignInWay
      /** HMACs of the account at the identity provider. */
      readonly provider: string | null
      readonly sub: string | null
      readonly sid: string | null
    }
  | { readonly kind: 'ended'; readonly id: string }

/** The fields of each that rights follow from, and that the tree of levels tells. */
const FIELDS: Readonly<Record<AccessEntity, readonly string[]>> = {
  hierarchy: ['parent', 'usergroup'],
  role: ['actions', 'services'],
  usergroup: ['parent', 'roles'],
  user: ['usergroup', 'locked'],
  serviceaccount: ['owner', 'usergroup', 'addresses', 'enabled'],
  apitoken: ['serviceaccount', 'user', 'scopes', 'level', 'expires', 'rate', 'revoked'],
}
const ENTITIES = Object.keys(FIELDS).filter(isAccessEntity)

function isAccessEntity(entity: string): entity is AccessEntity {
  return Object.hasOwn(FIELDS, entity)
}

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
      return this.#statements.all(select(table, entity)).map(row => this.#row(entity, table, row))
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
    const row = this.#statements.get(`${select(table, entity)} WHERE id = ?`, id)
    return row === undefined ? undefined : this.#row(entity, table, row)
  }

  #row(entity: AccessEntity, table: Table, row: SqlRow): AccessRow {
    const fields: Record<string, Json> = {}
    for (const column of table.columns) {
      if (FIELDS[entity].includes(column.name)) fields[column.name] = fromSql(column, row[`f_${column.name}`])
    }
    const entry = row.listed !== 1 ? null : { fields, level: this.#level(numberOf(row, 'level')) }
    return { kind: 'entity', entity, id: stringOf(row, 'id'), name: textOf(row, `f_${table.title}`), entry }
  }

  #level(key: number): string | null {
    return textOf(this.#statements.get('SELECT id FROM level WHERE key = ?', key), 'id')
  }
}

const select = (table: Table, entity: AccessEntity): string => {
  const fields = table.columns.map(({ name }) => name).filter(name => [...FIELDS[entity], table.title].includes(name))
  return `SELECT id, level, listed, ${fields.map(name => `f_${name}`).join(', ')} FROM ${tableName(entity)}`
}

const sessionRow = (row: SqlRow): AccessRow => ({
  kind: 'session',
  id: stringOf(row, 'id'),
  user: stringOf(row, 'user'),
  level: stringOf(row, 'level'),
  started: stringOf(row, 'started'),
  expires: stringOf(row, 'expires'),
  seenas: textOf(row, 'seenas'),
  way: stringOf(row, 'way') as SignInWay,
  provider: textOf(row, 'provider'),
  sub: textOf(row, 'sub'),
  sid: textOf(row, 'sid'),
})
