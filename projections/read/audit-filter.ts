import type { SQLInputValue } from 'node:sqlite'
import { foldText } from '../fold-text.ts'
import type { Scope } from '../port.ts'
import type { AuditQuery } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { columnName, type Table, tableName } from '../table.ts'
import { HOUR, isChange, isOfFigure } from './activity-count.ts'
import { IN_LIST, type ModelReader, type Span, spanCondition } from './model-reader.ts'

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

const DAY = 24 * HOUR
/** Lines that are about people's doings rather than about a declared thing: for who may read users. */
const DOINGS = new Set(['session', 'signin', 'audit', 'conversation'])

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** An audit question in the file's terms; undefined where nothing can match. */
export interface AuditFilter {
  readonly span: Span
  /** Undefined: every kind. */
  readonly kinds: readonly number[] | undefined
  readonly actor: number | undefined
  readonly subjects: readonly number[] | undefined
  /** Excludes the program's own actions. */
  readonly isByPeople?: boolean
  /** Conditions that the counts per hour do not know: lines are counted one by one. */
  readonly exact?: readonly Condition[]
  /** ms, both inclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
}

export const auditFilter = (reader: ModelReader, scope: Scope, query: AuditQuery): AuditFilter | undefined => {
  const span = reader.span(scope, query.hierarchy === undefined ? {} : { hierarchylevel: query.hierarchy })
  const kinds = kindsOf(reader, scope, query)
  const actor = query.user === undefined ? undefined : actorKey(reader, query.user)
  const subjects = subjectsOf(reader, query)
  if (span.kind === 'none' || kinds?.length === 0 || subjects?.length === 0) return undefined
  if (query.user !== undefined && actor === undefined) return undefined
  const isByPeople = query.figure === 'edits'
  const exact = [...memberConditions(reader, scope, query), ...textConditions(reader, scope, query)]
  return { span, kinds, actor, subjects, isByPeople, exact, from: startOf(query.from), to: endOf(query.to) }
}

/** Lines about things that the caller may open by id; undefined where there can be none. */
export const subjectFilter = (reader: ModelReader, scope: Scope, ids: readonly string[]): AuditFilter | undefined => {
  const kinds = kindsOf(reader, scope, { quiet: true, page: 1, size: 1 })
  const subjects = keysOf(reader, ids)
  if (kinds?.length === 0 || subjects.length === 0) return undefined
  return { span: reader.homeSpan(scope), kinds, actor: undefined, subjects, from: undefined, to: undefined }
}

/** Whether every line must be asked: the counts per hour do not know what it is narrowed by. */
export const isExact = ({ subjects, exact = [] }: AuditFilter): boolean => subjects !== undefined || exact.length > 0

/** Conditions on `audit`; `plus` keeps columns from steering which index is used. */
export const auditConditions = (filter: AuditFilter, plus: '' | '+'): { sql: string; values: SQLInputValue[] } => {
  const level = spanCondition(filter.span, `${plus}level`)
  const parts: { sql: string; values: SQLInputValue[] }[] = [{ sql: level.sql, values: level.values }]
  const add = (sql: string, value: SQLInputValue) => parts.push({ sql: `AND ${sql}`, values: [value] })
  if (filter.kinds !== undefined) add(`${plus}kind ${IN_LIST}`, JSON.stringify(filter.kinds))
  if (filter.actor !== undefined) add(`${plus}actor = ?`, filter.actor)
  if (filter.isByPeople) parts.push({ sql: `AND ${plus}actor <> 0`, values: [] })
  if (filter.subjects !== undefined) add(`subject ${IN_LIST}`, JSON.stringify(filter.subjects))
  for (const { sql, values } of filter.exact ?? []) parts.push({ sql: `AND ${sql}`, values: [...values] })
  if (filter.from !== undefined) add('time >= ?', filter.from)
  if (filter.to !== undefined) add('time <= ?', filter.to)
  return { sql: `1 ${parts.map(({ sql }) => sql).join(' ')}`, values: parts.flatMap(({ values }) => values) }
}

/** Conditions on `audit_count`; without given hours, those that the filter's period touches. */
export const hourConditions = (
  filter: AuditFilter,
  hours: { first?: number | undefined; last?: number | undefined } = touchedHours(filter),
) => {
  const level = spanCondition(filter.span, 'level')
  const parts: { sql: string; values: (number | string)[] }[] = [{ sql: `1 ${level.sql}`, values: level.values }]
  if (hours.first !== undefined) parts.push({ sql: 'hour >= ?', values: [hours.first] })
  if (hours.last !== undefined) parts.push({ sql: 'hour <= ?', values: [hours.last] })
  if (filter.kinds !== undefined) parts.push({ sql: `kind ${IN_LIST}`, values: [JSON.stringify(filter.kinds)] })
  if (filter.actor !== undefined) parts.push({ sql: 'actor = ?', values: [filter.actor] })
  if (filter.isByPeople) parts.push({ sql: 'actor <> 0', values: [] })
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) }
}

const touchedHours = ({ from, to }: AuditFilter) => ({
  first: from === undefined ? undefined : Math.floor(from / HOUR),
  last: to === undefined ? undefined : Math.floor(to / HOUR),
})

const kindsOf = (reader: ModelReader, scope: Scope, query: AuditQuery): number[] | undefined => {
  const { readable } = scope
  const all = reader.statements.all('SELECT key, entity, action, type FROM kind')
  const wanted = all.filter(row => {
    const entity = stringOf(row, 'entity')
    if (query.entity !== undefined && entity !== query.entity) return false
    if (query.service !== undefined && entity !== query.service) return false
    if (query.action !== undefined && !isOfAction(row, query.action)) return false
    if (query.quiet === true && isNoise(row)) return false
    if (query.changes === true && !isChange(row)) return false
    if (query.figure !== undefined && !isOfFigure(query.figure, row)) return false
    return readable === 'all' || readable.has(DOINGS.has(entity) ? 'user' : entity)
  })
  return wanted.length === all.length ? undefined : wanted.map(row => numberOf(row, 'key'))
}

/** Ids of a group or role by its id or its name of today. */
const idsOf = (reader: ModelReader, entity: 'usergroup' | 'role', given: string): string[] => {
  const table = reader.tables.get(entity)
  if (table === undefined) return [given]
  const sql = `SELECT id FROM ${tableName(entity)} WHERE f_${table.title} = ? COLLATE NOCASE`
  return [given, ...reader.statements.all(sql, given).map(row => stringOf(row, 'id'))]
}

/** Groups and roles are shown and searched only for people the caller knows. */
const memberConditions = (reader: ModelReader, scope: Scope, { groups, roles }: AuditQuery): Condition[] => {
  if (groups === undefined && roles === undefined) return []
  const wanted = [
    ...(groups === undefined ? [] : [['groups', idsOf(reader, 'usergroup', groups)] as const]),
    ...(roles === undefined ? [] : [['roles', idsOf(reader, 'role', roles)] as const]),
  ]
  const members = wanted.map(([column, ids]) => ({
    sql: `membership IN (SELECT membership.key FROM membership JOIN json_each(membership.${column}) held WHERE held.value ${IN_LIST})`,
    values: [JSON.stringify(ids)],
  }))
  const personOf = reader.acquaintances(scope)
  const known = reader.statements
    .all('SELECT key, id FROM actor')
    .filter(row => personOf(stringOf(row, 'id')).username !== null)
    .map(row => numberOf(row, 'key'))
  return [...members, { sql: `actor ${IN_LIST}`, values: [JSON.stringify(known)] }]
}

/** Things whose id, or whose search fields as they are now, contain a text. */
const subjectsWith = (reader: ModelReader, { readable }: Scope, text: string): number[] => {
  const byId = reader.statements.all('SELECT key FROM subject WHERE instr(id, ?) > 0', text.trim())
  const tables = [...reader.tables.keys()].filter(name => readable === 'all' || readable.has(name))
  const folded = foldText(text)
  const byName = tables.flatMap(name =>
    reader.statements.all(
      `SELECT key FROM subject JOIN ${tableName(name)} named ON named.id = subject.id AND subject.entity = ?
       WHERE instr(named.folded, ?) > 0`,
      name,
      folded,
    ),
  )
  return [...byId, ...byName].map(row => numberOf(row, 'key'))
}

/** Exports of the audit hold the text that was searched: a search does not find itself. */
const OF_EXPORTS = "SELECT key FROM kind WHERE entity = 'audit'"

const textConditions = (reader: ModelReader, scope: Scope, { search }: AuditQuery): Condition[] => {
  const text = search?.trim() ?? ''
  if (text === '') return []
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const seen = reader.statements
    .all(
      `SELECT key FROM origin WHERE address LIKE ? ESCAPE '\\' OR (user IS NULL AND name LIKE ? ESCAPE '\\')`,
      pattern,
      pattern,
    )
    .map(row => numberOf(row, 'key'))
  const subjects = JSON.stringify(subjectsWith(reader, scope, text))
  return [
    {
      sql: `(subject ${IN_LIST} OR origin ${IN_LIST} OR (changes LIKE ? ESCAPE '\\' AND kind NOT IN (${OF_EXPORTS})))`,
      values: [subjects, JSON.stringify(seen), pattern],
    },
  ]
}

/** A failed sign-in is one action for who searches it, whether a user has the name or not. */
const isOfAction = (row: SqlRow, action: string): boolean =>
  stringOf(row, 'action') === action || (action === 'signinfailed' && stringOf(row, 'type') === 'SignInFailed')

/** Lines that follow from browsing, and states that services report by themselves. */
const isNoise = (row: SqlRow): boolean =>
  stringOf(row, 'entity') === 'botservice' || stringOf(row, 'type') === 'SessionLevelChanged'

/** By id, or by current username. */
const actorKey = (reader: ModelReader, user: string): number | undefined => {
  const byName = reader.tables.has('user')
    ? reader.statements.get(
        `SELECT actor.key FROM ${tableName('user')} u JOIN actor ON actor.id = u.id WHERE u.f_username = ? COLLATE NOCASE`,
        user,
      )
    : undefined
  const row = reader.statements.get('SELECT key FROM actor WHERE id = ?', user) ?? byName
  return row === undefined ? undefined : numberOf(row, 'key')
}

/** Of things, by their ids; undefined: all. */
const subjectsOf = (reader: ModelReader, { entityid, entityids, within }: AuditQuery): number[] | undefined => {
  if (entityids !== undefined) return keysOf(reader, entityids)
  const inside = within === undefined ? undefined : allInside(reader, within)
  if (entityid === undefined) return inside && keysOf(reader, inside)
  return keysOf(reader, inside === undefined || inside.includes(entityid) ? [entityid] : [])
}

/** An entity of any kind, with its present and former contents. */
const allInside = (reader: ModelReader, id: string): readonly string[] => {
  const kinds = reader.statements.all('SELECT entity FROM subject WHERE id = ?', id)
  return [...new Set(kinds.flatMap(row => idsInside(reader, stringOf(row, 'entity'), id)))]
}

const keysOf = (reader: ModelReader, ids: readonly string[]): number[] =>
  reader.statements
    .all(`SELECT key FROM subject WHERE id ${IN_LIST}`, JSON.stringify(ids))
    .map(row => numberOf(row, 'key'))

const startOf = (text: string | undefined): number | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** A day without a time is meant whole. */
const endOf = (text: string | undefined): number | undefined => {
  const time = startOf(text)
  return time !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? time + DAY - 1 : time
}
