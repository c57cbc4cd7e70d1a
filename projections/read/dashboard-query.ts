import type { Dashboard } from '#schemas/api/home.ts'
import type { Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import { addAt, dayNames, dayNumber, HOURS_A_DAY, hoursOf, isEdit, isOfFigure, ZONE_HOURS } from './activity-count.ts'
import { auditFilter, hourConditions } from './audit-filter.ts'
import type { ListQueries } from './list-query.ts'
import { type ModelReader, spanCondition } from './model-reader.ts'

/** People with a series of their own; all others are added up in one. */
const MAX_NAMED_EDITORS = 7

const MAX_LOCKED = 10

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
      for (const row of rows) if (matches(row)) addAt(counts, numberOf(row, 'day') - first, numberOf(row, 'n'))
      return counts
    }
    const edits = rows.filter(isEdit)
    const mayReadUsers = may(scope, 'user')
    return {
      days: dayNames(first, days),
      edits: this.#byPerson(scope, edits, first, days),
      editors: editorsPerDay(edits, first, days),
      publishes: daily(row => isOfFigure('publishes', row)),
      ...(mayReadUsers
        ? {
            signins: {
              succeeded: daily(row => isOfFigure('signins', row)),
              failed: daily(row => isOfFigure('failedsignins', row)),
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
    const { sql, values } = hourConditions(filter, hoursOf(first, last))
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
      addAt(own, numberOf(row, 'day') - first, numberOf(row, 'n'))
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

const editorsPerDay = (edits: readonly SqlRow[], first: number, days: number): number[] => {
  const people = Array.from({ length: days }, () => new Set<string>())
  for (const row of edits) people[numberOf(row, 'day') - first]?.add(stringOf(row, 'person'))
  return people.map(({ size }) => size)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

const may = (scope: Scope, entity: string): boolean => scope.readable === 'all' || scope.readable.has(entity)
