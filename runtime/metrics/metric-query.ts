import { CONVERSATION_DIMENSIONS, type ConversationDimension } from '#schemas/api/bot-metrics.ts'
import { COUNTED_ORIGINS } from '#schemas/events/conversation.ts'
import type { IndexDatabase } from '../log/followed-index.ts'
import { PERSON_DIMENSIONS, peopleCounter } from './person-counters.ts'

/** Conversations of a bot that began between two days, both included. Without an origin: those that count. */
export interface MetricFilter {
  readonly bot: string
  readonly from: string
  readonly to: string
  readonly release?: number | undefined
  /** Type of the channel. */
  readonly channel?: string | undefined
  readonly origin?: string | undefined
}

/** A filter of conversations that one count is the number of; `measure` as `measuresOf` names it, or `active`. */
export interface MeasureFilter extends Pick<MetricFilter, 'from' | 'to' | 'release' | 'origin'> {
  readonly measure: string
}

/** Sum of a counter. `group`: a value of the dimension; empty without one. */
export interface MetricCount {
  readonly group: string
  readonly what: string
  readonly bucket: number
  readonly n: number
}

/** Messages of conversations of a day with the same price data; `key` as `pricedBy` reads it. */
export interface MessageCosts {
  readonly group: string
  readonly day: string
  readonly key: string
  readonly count: number
  readonly micros: number
}

/** Counters of conversations whose sum over days, releases, channels and origins is a figure. */
const SUMMED = [
  ...['started', 'engaged', 'unengaged', 'open', 'closed', 'moved', 'contained', 'misunderstood', 'rated', 'unrated'],
  'priced',
  ...['handoff', 'handoff.flow', 'handoff.menu', 'handoff.takeover', 'durable', 'reopened'],
  ...['agent', 'unserved', 'completed', 'gaveup', 'failed', 'left'],
  ...['turns.text', 'turns.unrecognized', 'turns.unclear', 'answer', 'answer.sum'],
  ...['turns', 'turns.sum', 'in', 'in.sum', 'out', 'out.sum'],
  ...['csat.asked', 'csat.rated', 'csat.good', 'nps.asked', 'nps.rated', 'nps.promoters', 'nps.detractors'],
]

const columnOf = (by: ConversationDimension | undefined): string =>
  by === undefined ? "''" : (CONVERSATION_DIMENSIONS.find(one => one === by) ?? "''")

/** Conditions on dimensions, and their values. */
const conditionOf = ({ release, channel, origin }: Pick<MetricFilter, 'release' | 'channel' | 'origin'>) => {
  const given: readonly [string, string | number | undefined][] = [
    ['release = ?', release],
    ['channel = ?', channel],
  ]
  const known = given.filter(([, value]) => value !== undefined)
  return {
    sql: [...known.map(([sql]) => ` AND ${sql}`), ' AND origin IN (SELECT value FROM json_each(?))'].join(''),
    values: [
      ...known.map(([, value]) => value ?? ''),
      JSON.stringify(origin === undefined ? COUNTED_ORIGINS : [origin]),
    ],
  }
}

/** Weekday of a counter's or a fact's day, 0 for Sunday. */
const WEEKDAY = "CAST(strftime('%w', day) AS INTEGER)"

type Rows<T> = readonly T[]

/** Neither a release, nor a channel, nor an origin is chosen. */
const isWhole = ({ release, channel, origin }: MetricFilter): boolean =>
  [release, channel, origin].every(value => value === undefined)

/** Counters of a filter by a dimension: those of whole days are summed when they change. */
const countersOf = (filter: MetricFilter, by?: ConversationDimension) =>
  isWhole(filter) && (by === undefined || by === 'day')
    ? { table: 'metrictotal', sql: '', values: [] }
    : { table: 'metric', ...conditionOf(filter) }

/** Reads the counters of conversations. */
export class MetricQuery {
  readonly #sql: IndexDatabase
  readonly #settle: () => void

  /** `settle`: writes counters that are collected in memory. */
  constructor(sql: IndexDatabase, settle: () => void) {
    this.#sql = sql
    this.#settle = settle
  }

  /** Counters and histograms, by a dimension. */
  counts(filter: MetricFilter, by?: ConversationDimension, what: readonly string[] = SUMMED): Rows<MetricCount> {
    const { table, sql, values } = countersOf(filter, by)
    return this.#all(
      `SELECT ${columnOf(by)} AS "group", what, bucket, sum(n) AS n FROM ${table}
       WHERE bot = ? AND what IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ${sql} GROUP BY 1, 2, 3`,
      ...[filter.bot, JSON.stringify(what), filter.from, filter.to, ...values],
    )
  }

  /** Sums of counters by bot. */
  ofBots(
    { bots, from, to }: Pick<MetricFilter, 'from' | 'to'> & { readonly bots: readonly string[] },
    what: readonly string[],
  ): Rows<Pick<MetricCount, 'what' | 'n'> & { readonly bot: string }> {
    return this.#all(
      `SELECT bot, what, sum(n) AS n FROM metrictotal WHERE bot IN (SELECT value FROM json_each(?))
         AND what IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? GROUP BY 1, 2`,
      ...[JSON.stringify(bots), JSON.stringify(what), from, to],
    )
  }

  /** Counts of one kind by their key: dialogs or scales of ratings. */
  keys(filter: MetricFilter, what: readonly string[]): Rows<Omit<MetricCount, 'group'> & { readonly key: string }> {
    const { table, sql, values } = countersOf(filter)
    return this.#all(
      `SELECT key, what, bucket, sum(n) AS n FROM ${table}
       WHERE bot = ? AND what IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ${sql} GROUP BY 1, 2, 3`,
      ...[filter.bot, JSON.stringify(what), filter.from, filter.to, ...values],
    )
  }

  /** Conversations by the weekday of their day, from 0 for Sunday, and by hour. */
  weekHours(filter: MetricFilter): Rows<{ readonly weekday: number; readonly hour: number; readonly n: number }> {
    const { table, sql, values } = countersOf(filter)
    return this.#all(
      `SELECT ${WEEKDAY} AS weekday, CAST(key AS INTEGER) AS hour, sum(n) AS n FROM ${table}
       WHERE bot = ? AND what = 'hour' AND day BETWEEN ? AND ? ${sql} GROUP BY 1, 2`,
      ...[filter.bot, filter.from, filter.to, ...values],
    )
  }

  /** Priced messages of conversations, and the sums of their prices in receipts, by day and price data. */
  costs(filter: MetricFilter, by?: ConversationDimension): Rows<MessageCosts> {
    const { table, sql, values } = countersOf(filter, by)
    return this.#all(
      `SELECT ${columnOf(by)} AS "group", day, key, sum(iif(what = 'cost', n, 0)) AS count,
         sum(iif(what = 'cost', 0, n)) AS micros FROM ${table}
       WHERE bot = ? AND what IN ('cost', 'cost.sum') AND day BETWEEN ? AND ? ${sql} GROUP BY 1, 2, 3`,
      ...[filter.bot, filter.from, filter.to, ...values],
    )
  }

  /** Conversations in which the person wrote, each once. */
  active(filter: MetricFilter, by?: ConversationDimension): ReadonlyMap<string, number> {
    const { table, sql, values } = countersOf(filter, by)
    const first = by === 'day' ? 'day' : filter.from
    const rows = this.#all<{ group: string; n: number }>(
      `SELECT ${columnOf(by)} AS "group", sum(n) AS n FROM ${table}
       WHERE bot = ? AND what = 'active' AND day BETWEEN ? AND ? AND key < ${first === 'day' ? 'day' : '?'} ${sql} GROUP BY 1`,
      ...[filter.bot, filter.from, filter.to, ...(first === 'day' ? [] : [first]), ...values],
    )
    return mapOf(rows)
  }

  /** Persons who wrote, each once. */
  people(filter: MetricFilter, by?: ConversationDimension): ReadonlyMap<string, number> {
    const { bot, from, to, origin } = filter
    const counter = peopleCounter(name => by === name || filter[name] !== undefined)
    const given = PERSON_DIMENSIONS.flatMap(name => (filter[name] === undefined ? [] : [[name, filter[name]] as const]))
    const counted = by === 'origin' && origin === undefined ? ' AND origin IN (SELECT value FROM json_each(?))' : ''
    const once = by === 'day' ? 'key < day' : 'key < ?'
    const rows = this.#all<{ group: string; n: number }>(
      `SELECT ${columnOf(by)} AS "group", sum(n) AS n FROM metric
       WHERE bot = ? AND what = ? AND day BETWEEN ? AND ? AND ${once}${given.map(([name]) => ` AND ${name} = ?`).join('')}${counted}
       GROUP BY 1`,
      ...[bot, counter, from, to, ...(by === 'day' ? [] : [from]), ...given.map(([, value]) => value)],
      ...(counted === '' ? [] : [JSON.stringify(COUNTED_ORIGINS)]),
    )
    return mapOf(rows)
  }

  /** Whether a person wrote in a conversation of a bot that counts. */
  hasTalked(bot: string): boolean {
    return this.#all("SELECT 1 FROM metrictotal WHERE bot = ? AND what = 'engaged' LIMIT 1", bot).length > 0
  }

  /** Day of the first conversation that counts by a type of channel. */
  firstDay({ bot, channel }: Pick<MetricFilter, 'bot' | 'channel'>): string | undefined {
    const { sql, values } = conditionOf({ channel })
    const first = `SELECT day FROM metric WHERE bot = ? AND what = 'started' AND n > 0 ${sql} ORDER BY day LIMIT 1`
    return this.#all<{ day: string }>(first, bot, ...values)[0]?.day
  }

  /** Days with conversations that are counted by another version of the definitions. */
  otherVersions({ bot, from, to }: MetricFilter, version: number) {
    return this.#all<{ day: string; version: number }>(
      'SELECT day, version FROM definition WHERE bot = ? AND day BETWEEN ? AND ? AND version <> ? ORDER BY day',
      ...[bot, from, to, version],
    )
  }

  /** Conversations of these days that retention removed: their numbers stay, and no list has them. */
  removed({ bot, from, to }: MetricFilter): number {
    const sql = "SELECT sum(n) AS n FROM metric WHERE bot = ? AND what = 'removed' AND day BETWEEN ? AND ?"
    const [row] = this.#all<{ n: number | null }>(sql, bot, from, to)
    return row?.n ?? 0
  }

  #all<T>(sql: string, ...values: readonly (string | number)[]): Rows<T> {
    this.#settle()
    return this.#sql.all(sql, ...values) as unknown as Rows<T>
  }
}

const mapOf = (rows: Rows<{ readonly group: string; readonly n: number | null }>) =>
  new Map(rows.flatMap(({ group, n }) => (n === null ? [] : [[String(group), n] as const])))

/** Name under which the index of conversations attaches that of the figures. */
export const METRICS = 'metrics'

/** Condition on the facts of conversations, in the attached index, for the list of a count's conversations. */
export const measureCondition = (
  bots: readonly string[],
  { measure, from, to, release, origin }: MeasureFilter,
): { readonly sql: string; readonly values: readonly (string | number)[] } => {
  const { sql, values } = conditionOf({ release, origin })
  const of = measuredBy(measure)
  return {
    sql: `id IN (SELECT conversation FROM ${METRICS}.metricfact
      WHERE bot IN (SELECT value FROM json_each(?)) AND ${of.sql} ${sql})`,
    values: [JSON.stringify(bots), from, to, ...of.values, ...values],
  }
}

/** `score:<scale>-<from>-<to>`: conversations with such a rating. */
const SCORE = /^score:(\w+)-(\d+)-(\d+)$/u

/** `hour:<weekday>-<hour>`: conversations that began in that hour of that weekday. */
const WEEK_HOUR = /^hour:([0-6])-(\d\d)$/u

const measuredBy = (measure: string): { readonly sql: string; readonly values: readonly (string | number)[] } => {
  if (measure === 'active')
    return {
      sql: "EXISTS (SELECT 1 FROM json_each(fact, '$.days') AS active WHERE active.value BETWEEN ? AND ?)",
      values: [],
    }
  const [, scale, least, most] = SCORE.exec(measure) ?? []
  if (scale !== undefined)
    return {
      sql: `day BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM json_each(fact, '$.ratings') AS rating
        WHERE rating.value ->> 'scale' = ? AND rating.value ->> 'score' BETWEEN ? AND ?)`,
      values: [scale, Number(least), Number(most)],
    }
  const [, weekday, hour] = WEEK_HOUR.exec(measure) ?? []
  if (weekday !== undefined)
    return {
      sql: `day BETWEEN ? AND ? AND ${WEEKDAY} = ? AND instr(measures, ?) > 0`,
      values: [Number(weekday), ` hour:${hour} `],
    }
  return { sql: 'day BETWEEN ? AND ? AND instr(measures, ?) > 0', values: [` ${measure} `] }
}
