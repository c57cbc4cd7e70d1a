import { type Dashboard, MAX_NAMED_EDITORS } from '#schemas/api/dashboard.ts'
import type { Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import { auditFilter, HOUR, hourConditions } from './audit-filter.ts'
import type { ListQueries } from './list-query.ts'
import { type ModelReader, spanCondition } from './model-reader.ts'

const HOURS_A_DAY = 24
const DAY_MS = HOURS_A_DAY * HOUR
/** São Paulo is three hours behind UTC all year since 2019. */
const ZONE_HOURS = -3
const MAX_LOCKED = 10
/** Entities of audit lines that change nothing. */
const NO_EDIT = new Set(['session', 'signin', 'audit'])
const FAILED_SIGN_INS = new Set(['UserSignInFailed', 'SignInFailed'])
/** Changes that follow from signing in and out, and versions that the program closes. */
const NO_EDIT_ACTIONS = new Set(['signedin', 'signedout', 'codeused', 'superseded'])
/** Locked after failed attempts, or by somebody: neither is an edit. */
const NO_EDIT_TYPES = new Set(['UserSignInFailed', 'UserLocked'])

/** Counts per day from the counts per hour of the audit: no audit line is read. */
export class DashboardQueries {
  readonly #reader: ModelReader
  readonly #lists: ListQueries

  constructor(reader: ModelReader, lists: ListQueries) {
    this.#reader = reader
    this.#lists = lists
  }

  /** `now` in ms. */
  dashboard(scope: Scope, days: number, now: number): Dashboard {
    const last = dayNumber(now)
    const first = last - days + 1
    const rows = this.#rows(scope, first, last)
    const daily = (matches: (row: SqlRow) => boolean): number[] => {
      const counts = new Array<number>(days).fill(0)
      for (const row of rows) if (matches(row)) add(counts, numberOf(row, 'day') - first, numberOf(row, 'n'))
      return counts
    }
    const edits = rows.filter(isEdit)
    const mayReadUsers = may(scope, 'user')
    return {
      days: Array.from({ length: days }, (_, at) => new Date((first + at) * DAY_MS).toISOString().slice(0, 10)),
      edits: this.#byPerson(scope, edits, first, days),
      editors: editorsPerDay(edits, first, days),
      publishes: daily(row => stringOf(row, 'action') === 'published'),
      ...(mayReadUsers
        ? {
            signins: {
              succeeded: daily(row => row.action === 'signedin'),
              failed: daily(row => FAILED_SIGN_INS.has(stringOf(row, 'type'))),
            },
            locked: this.#locked(scope),
          }
        : {}),
      ...(may(scope, 'bot') ? { bots: this.#bots(scope) } : {}),
    }
  }

  #rows(scope: Scope, first: number, last: number): readonly SqlRow[] {
    const filter = auditFilter(this.#reader, scope, { page: 1, size: 1 })
    if (filter === undefined) return []
    const hours = { first: first * HOURS_A_DAY - ZONE_HOURS, last: (last + 1) * HOURS_A_DAY - ZONE_HOURS - 1 }
    const { sql, values } = hourConditions(filter, hours)
    return this.#reader.statements.all(
      `SELECT c.day, c.actor, c.n, actor.id AS person, kind.entity, kind.action, kind.type FROM (
         SELECT (hour + ${ZONE_HOURS}) / ${HOURS_A_DAY} AS day, kind, actor, sum(n) AS n FROM audit_count
         WHERE ${sql} GROUP BY 1, 2, 3) c
       JOIN kind ON kind.key = c.kind LEFT JOIN actor ON actor.key = c.actor`,
      ...values,
    )
  }

  #byPerson(scope: Scope, edits: readonly SqlRow[], first: number, days: number): Dashboard['edits'] {
    const counts = new Map<string, number[]>()
    for (const row of edits) {
      const id = stringOf(row, 'person')
      const own = counts.get(id) ?? new Array<number>(days).fill(0)
      counts.set(id, own)
      add(own, numberOf(row, 'day') - first, numberOf(row, 'n'))
    }
    const ranked = [...counts].toSorted(([, one], [, other]) => sum(other) - sum(one))
    const personOf = this.#reader.acquaintances(scope)
    const named = ranked.slice(0, MAX_NAMED_EDITORS).map(([id, own]) => ({ person: personOf(id), counts: own }))
    const others = ranked.slice(MAX_NAMED_EDITORS).map(([, own]) => own)
    if (others.length === 0) return named
    const together = Array.from({ length: days }, (_, at) => sum(others.map(own => own[at] ?? 0)))
    return [...named, { person: null, counts: together }]
  }

  #bots(scope: Scope): Record<string, number> {
    const level = spanCondition(this.#reader.span(scope), 'level')
    const rows = this.#reader.statements.all(
      `SELECT f_runningstatus AS status, count(*) AS n FROM ${tableName('bot')} WHERE listed = 1 ${level.sql} GROUP BY 1`,
      ...level.values,
    )
    return Object.fromEntries(rows.map(row => [stringOf(row, 'status'), numberOf(row, 'n')]))
  }

  #locked(scope: Scope): Dashboard['locked'] {
    const query = { page: 1, size: MAX_LOCKED, filter: { locked: true }, sort: 'username' }
    const { items, total } = this.#lists.list(scope, 'user', query)
    return { total, people: items.map(({ id }) => this.#reader.person(id)) }
  }
}

const dayNumber = (time: number): number => Math.floor((time / HOUR + ZONE_HOURS) / HOURS_A_DAY)

/** A change that a person made; the system's own are nobody's. */
const isEdit = (row: SqlRow): boolean =>
  row.person !== null &&
  !NO_EDIT.has(stringOf(row, 'entity')) &&
  !NO_EDIT_ACTIONS.has(stringOf(row, 'action')) &&
  !NO_EDIT_TYPES.has(stringOf(row, 'type'))

const editorsPerDay = (edits: readonly SqlRow[], first: number, days: number): number[] => {
  const people = Array.from({ length: days }, () => new Set<string>())
  for (const row of edits) people[numberOf(row, 'day') - first]?.add(stringOf(row, 'person'))
  return people.map(({ size }) => size)
}

const add = (counts: number[], at: number, n: number): void => {
  counts[at] = (counts[at] ?? 0) + n
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

const may = (scope: Scope, entity: string): boolean => scope.readable === 'all' || scope.readable.has(entity)
