import type { BotOverview } from '#schemas/api/bot-overview.ts'
import type { Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import {
  addAt,
  dayNames,
  dayNumber,
  HOUR,
  HOURS_A_DAY,
  hoursOf,
  isEdit,
  isOfFigure,
  ZONE_HOURS,
} from './activity-count.ts'
import { auditConditions, idsInside, subjectFilter } from './audit-filter.ts'
import type { AuditQueries } from './audit-query.ts'
import type { ModelReader } from './model-reader.ts'

/** Days that the activity of a bot is counted over; the last one is today. */
const OVERVIEW_DAYS = 14

const KINDS = ['dialog', 'handler'] as const
const MAX_PENDING = 50
const MAX_PEOPLE = 8
const MAX_CHANGES = 12

type Pending = BotOverview['pending']['items'][number]
type FlowKind = (typeof KINDS)[number]

/** Overview of a bot: contents, live parts and recent editors. */
export class BotOverviewQueries {
  readonly #reader: ModelReader
  readonly #audit: AuditQueries

  constructor(reader: ModelReader, audit: AuditQueries) {
    this.#reader = reader
    this.#audit = audit
  }

  /** `now` in ms. Undefined: no such bot, or outside the caller's home subtree. */
  botOverview(scope: Scope, bot: string, now: number): Omit<BotOverview, 'editing' | 'talked' | 'webchat'> | undefined {
    const row = this.#reader.open(scope, 'bot', bot)
    if (row?.listed !== 1) return undefined
    const may = (entity: string) =>
      this.#reader.tables.has(entity) && (scope.readable === 'all' || scope.readable.has(entity))
    const kinds = KINDS.filter(kind => may(kind) && may('dialogtask'))
    const flows = new Map(kinds.map(kind => [kind, this.#flows(kind, bot)]))
    const dialogs = flows.get('dialog')
    const handlers = flows.get('handler')
    const inside = idsInside(this.#reader, 'bot', bot)
    return {
      ...(may('dialogtask') ? { tasks: this.#tasks(bot, dialogs) } : {}),
      ...(dialogs === undefined ? {} : { dialogs: flowCount(dialogs) }),
      ...(handlers === undefined ? {} : { handlers: flowCount(handlers) }),
      pending: this.#pending(scope, flows),
      ...(may('version') ? { versions: this.#versions(bot) } : {}),
      ...this.#activity(scope, inside, now),
      changes: [...this.#audit.about(scope, inside, MAX_CHANGES)] as BotOverview['changes'],
    }
  }

  #flows(kind: FlowKind, bot: string): readonly SqlRow[] {
    return this.#reader.statements.all(
      `SELECT f.id, f.f_name AS name, f.f_published AS published, f.f_modified AS modified, t.id AS task,
         t.f_name AS taskname, t.f_principaldialog = f.id AS main, flow.time, flow.editors
       FROM ${tableName('dialogtask')} t JOIN ${tableName(kind)} f ON f.f_dialogtask = t.id AND f.listed = 1
       LEFT JOIN flow ON flow.id = f.id WHERE t.f_bot = ? AND t.listed = 1`,
      bot,
    )
  }

  #tasks(bot: string, dialogs: readonly SqlRow[] | undefined): NonNullable<BotOverview['tasks']> {
    const tasks = this.#reader.statements.all(
      `SELECT id, f_name AS name, f_principaldialog AS main FROM ${tableName('dialogtask')}
       WHERE f_bot = ? AND listed = 1 ORDER BY rid`,
      bot,
    )
    const drawn = new Set(dialogs?.map(row => stringOf(row, 'task')))
    const nomain = tasks.filter(row => textOf(row, 'main') === null && drawn.has(stringOf(row, 'id')))
    return { total: tasks.length, nomain: nomain.map(thingOf) }
  }

  #pending(scope: Scope, flows: ReadonlyMap<FlowKind, readonly SqlRow[]>): BotOverview['pending'] {
    const personOf = this.#reader.acquaintances(scope)
    const all = [...flows].flatMap(([kind, rows]) => rows.flatMap(row => (isLive(row) ? [] : [{ kind, row }])))
    const rank = ({ row }: { row: SqlRow }) => (row.main === 1 ? 1 : 0)
    const time = ({ row }: { row: SqlRow }) => textOf(row, 'time') ?? ''
    const items = all
      .toSorted((one, other) => rank(other) - rank(one) || time(other).localeCompare(time(one)))
      .slice(0, MAX_PENDING)
      .map(({ kind, row }): Pending => {
        const [newest] = JSON.parse(textOf(row, 'editors') ?? '[]') as { user: string; time: string }[]
        return {
          ...thingOf(row),
          kind,
          dialogtask: { id: stringOf(row, 'task'), name: stringOf(row, 'taskname') },
          main: row.main === 1,
          state: row.published === 1 ? 'modified' : 'unpublished',
          editor: newest === undefined ? null : personOf(newest.user),
          edited_at: newest?.time ?? null,
        }
      })
    return { total: all.length, items }
  }

  #versions(bot: string): NonNullable<BotOverview['versions']> {
    const from = `FROM ${tableName('version')} WHERE f_bot = ? AND listed = 1`
    const { statements } = this.#reader
    const latest = statements.get(`SELECT id, f_name AS name, created_at ${from} ORDER BY f_latest DESC, rid DESC`, bot)
    return {
      total: numberOf(statements.get(`SELECT count(*) AS n ${from}`, bot), 'n'),
      latest: latest === undefined ? null : { ...thingOf(latest), created_at: stringOf(latest, 'created_at') },
    }
  }

  #activity(scope: Scope, inside: readonly string[], now: number) {
    const last = dayNumber(now)
    const first = last - OVERVIEW_DAYS + 1
    const edits = new Array<number>(OVERVIEW_DAYS).fill(0)
    const publishes = new Array<number>(OVERVIEW_DAYS).fill(0)
    const people = new Map<string, { edits: number; time: number }>()
    for (const row of this.#counted(scope, inside, hoursOf(first, last).first * HOUR)) {
      const at = numberOf(row, 'day') - first
      const n = numberOf(row, 'n')
      if (isOfFigure('publishes', row)) addAt(publishes, at, n)
      if (!isEdit(row)) continue
      addAt(edits, at, n)
      const id = stringOf(row, 'person')
      const known = people.get(id) ?? { edits: 0, time: 0 }
      people.set(id, { edits: known.edits + n, time: Math.max(known.time, numberOf(row, 'time')) })
    }
    const personOf = this.#reader.acquaintances(scope)
    const busiest = [...people].toSorted(([, one], [, other]) => other.edits - one.edits).slice(0, MAX_PEOPLE)
    return {
      days: dayNames(first, OVERVIEW_DAYS),
      edits,
      publishes,
      people: busiest.map(([id, { edits: count, time }]) => ({
        person: personOf(id),
        edits: count,
        time: new Date(time).toISOString(),
      })),
    }
  }

  /** Audit lines since a time in ms, counted per day, kind and person. */
  #counted(scope: Scope, inside: readonly string[], from: number): readonly SqlRow[] {
    const filter = subjectFilter(this.#reader, scope, inside)
    if (filter === undefined) return []
    const { sql, values } = auditConditions({ ...filter, from }, '')
    return this.#reader.statements.all(
      `SELECT c.day, c.n, c.time, actor.id AS person, kind.entity, kind.action, kind.type FROM (
         SELECT (time / ${HOUR} + ${ZONE_HOURS}) / ${HOURS_A_DAY} AS day, kind, actor, count(*) AS n, max(time) AS time
         FROM audit WHERE ${sql} GROUP BY 1, 2, 3) c
       JOIN kind ON kind.key = c.kind LEFT JOIN actor ON actor.key = c.actor`,
      ...values,
    )
  }
}

const thingOf = (row: SqlRow) => ({ id: stringOf(row, 'id'), name: stringOf(row, 'name') })

const isLive = (row: SqlRow): boolean => row.published === 1 && row.modified !== 1

const flowCount = (rows: readonly SqlRow[]) => {
  const published = rows.filter(row => row.published === 1)
  return {
    total: rows.length,
    published: published.length,
    modified: published.filter(row => row.modified === 1).length,
  }
}
