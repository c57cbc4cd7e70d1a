import type { z } from 'zod'
import { type CountedTurn, countEnd, countTurn, type OpenVisit, type Visited } from '#domain/conversation/step.ts'
import { FEW, shownCount } from '#domain/metrics/shown-count.ts'
import type { DropoffBlock, dropoffSchema } from '#schemas/api/conversation.ts'
import { SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { Json } from '#schemas/event.ts'
import { record } from '#schemas/json.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'

export const VISITS = `
  CREATE TABLE IF NOT EXISTS visit (
    conversation TEXT NOT NULL, frame INTEGER NOT NULL, dialog TEXT NOT NULL, block TEXT NOT NULL,
    since INTEGER NOT NULL, tries INTEGER NOT NULL, calls TEXT, PRIMARY KEY (conversation, frame, block)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS visitcount (
    dialog TEXT NOT NULL, bot TEXT NOT NULL, release INTEGER NOT NULL, day TEXT NOT NULL, channel TEXT NOT NULL,
    block TEXT NOT NULL, what TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (dialog, bot, release, day, channel, block, what)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS answertime (
    dialog TEXT NOT NULL, bot TEXT NOT NULL, release INTEGER NOT NULL, day TEXT NOT NULL, channel TEXT NOT NULL,
    block TEXT NOT NULL, ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS answertime_block ON answertime (dialog, block, ms);
`

/** The conversation that a turn belongs to. */
interface TurnOf {
  readonly id: string
  readonly bot: string
  readonly release: number
  /** Type of the channel. */
  readonly channel: string
  /** An agent had the conversation before: no question of the bot waited. */
  readonly withAgent: boolean
  /** ms since 1970 */
  readonly time: number
}

interface VisitFilter {
  readonly bot: string
  readonly dialog: string
  readonly releases: readonly number[]
  /** Days, `YYYY-MM-DD`, both included. */
  readonly from: string
  readonly to: string
  readonly channel?: string | undefined
}

interface BotVisitFilter extends Omit<VisitFilter, 'dialog' | 'releases'> {
  readonly dialogs: readonly string[]
  readonly release?: number | undefined
}

/** Count of one kind of event at a block on a day. */
interface VisitCount {
  readonly dialog: string
  readonly release: number
  readonly day: string
  /** Type of the channel. */
  readonly channel: string
  readonly block: string
  readonly what: string
  readonly n: number
}

/** Sums of visits: all that is kept of a removed conversation. */
export interface VisitSum {
  readonly counts: readonly VisitCount[]
  /** ms until each answer */
  readonly times: readonly (Omit<VisitCount, 'what' | 'n'> & { readonly ms: number })[]
}

interface Counted {
  readonly block: string
  /** A kind of `VisitEvent`; `left <connector>` of an output. */
  readonly what: string
  readonly n: number
}

const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

/** The day of a moment (ms since 1970) in the console's time zone. */
export const dayOf = (time: number): string => DAY.format(time)

const whatOf = ({ event }: Visited): string => (event.kind === 'left' ? `left ${event.out}` : event.kind)

const stepsOf = (data: Readonly<Record<string, Json>>) => (data.steps ?? []) as unknown as CountedTurn['steps']
const waitingOf = (data: Readonly<Record<string, Json>>) => (data.waiting ?? []) as unknown as CountedTurn['waiting']

const ADD = 'INSERT INTO visitcount VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n'
const ADD_TIME = 'INSERT INTO answertime VALUES (?, ?, ?, ?, ?, ?, ?)'
/** Without a channel in the filter, conversations of simulated numbers are excluded. */
const SELECT = `dialog = ? AND bot = ? AND release IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ?
  AND (channel = ?6 OR ?6 IS NULL AND channel <> '${SIMULATED_TYPE}')`

/** Counts events at the blocks of dialogs, by day, release and channel. */
export class VisitIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Counts a stored turn. */
  turned(of: TurnOf, data: Readonly<Record<string, Json>>): void {
    const before = this.#open(of.id)
    const ended = typeof data.ended === 'string' ? data.ended : undefined
    const counted = countTurn(before, {
      steps: stepsOf(data),
      waiting: waitingOf(data),
      ended: of.withAgent ? undefined : ended,
      time: of.time,
    })
    this.#add(of, counted.visited)
    if (before.length === 0 && counted.open.length === 0) return
    this.close(of.id)
    for (const { frame, dialog, block, since, tries, calls } of counted.open)
      this.#sql.run(
        'INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[of.id, frame, dialog, block, since, tries, calls ?? null],
      )
  }

  /** Counts the end of a conversation outside of a turn. */
  ended(of: TurnOf, reason: string): void {
    this.#add(of, countEnd(this.#open(of.id), of.withAgent ? 'agent' : reason))
    this.close(of.id)
  }

  /** Adds the sums of a conversation whose events were removed. */
  addSum(bot: string, { counts, times }: VisitSum): void {
    for (const { dialog, release, day, channel, block, what, n } of counts)
      this.#sql.run(ADD, dialog, bot, release, day, channel, block, what, n)
    for (const { dialog, release, day, channel, block, ms } of times)
      this.#sql.run(ADD_TIME, dialog, bot, release, day, channel, block, ms)
  }

  /** Returns all counts and empties the index. */
  drain(): VisitSum {
    const counts = this.#sql.all('SELECT dialog, release, day, channel, block, what, n FROM visitcount')
    const times = this.#sql.all('SELECT dialog, release, day, channel, block, ms FROM answertime')
    for (const table of ['visit', 'visitcount', 'answertime']) this.#sql.run(`DELETE FROM ${table}`)
    return { counts, times } as unknown as VisitSum
  }

  /** Removes the open visits of a conversation. */
  close(conversation: string): void {
    this.#sql.run('DELETE FROM visit WHERE conversation = ?', conversation)
  }

  counts({ bot, dialog, releases, from, to, channel }: VisitFilter): readonly Counted[] {
    const sql = `SELECT block, what, sum(n) AS n FROM visitcount WHERE ${SELECT} GROUP BY block, what`
    const rows = this.#sql.all(sql, dialog, bot, JSON.stringify(releases), from, to, channel ?? null)
    return rows as unknown as readonly Counted[]
  }

  /** Counts at the blocks of all dialogs of a bot. */
  ofBot({ bot, dialogs, from, to, release, channel }: BotVisitFilter, what: readonly string[]) {
    const sql = `SELECT dialog, block, what, sum(n) AS n FROM visitcount
      WHERE dialog IN (SELECT value FROM json_each(?1)) AND bot = ?2 AND (?3 IS NULL OR release = ?3) AND day BETWEEN ?4 AND ?5
        AND (channel = ?6 OR ?6 IS NULL AND channel <> '${SIMULATED_TYPE}') AND what IN (SELECT value FROM json_each(?7))
      GROUP BY dialog, block, what`
    const values = [JSON.stringify(dialogs), bot, release ?? null, from, to, channel ?? null, JSON.stringify(what)]
    return this.#sql.all(sql, ...values) as unknown as readonly (Counted & { readonly dialog: string })[]
  }

  /** Visits and losses of each block by release. */
  losses({ bot, dialog, releases, from, to, channel }: VisitFilter) {
    const sql = `SELECT release, block, sum(n) FILTER (WHERE what = 'entered') AS entered, sum(n) FILTER (WHERE what = 'lost') AS lost
      FROM visitcount WHERE ${SELECT} AND what IN ('entered', 'lost') GROUP BY release, block`
    const rows = this.#sql.all(sql, dialog, bot, JSON.stringify(releases), from, to, channel ?? null)
    return rows as unknown as readonly { release: number; block: string; entered: number | null; lost: number | null }[]
  }

  /** Visits and losses of each block by day. */
  days({ bot, dialog, releases, from, to, channel }: VisitFilter) {
    const sql = `SELECT block, day, sum(n) FILTER (WHERE what = 'entered') AS entered, sum(n) FILTER (WHERE what = 'lost') AS lost
      FROM visitcount WHERE ${SELECT} AND what IN ('entered', 'lost') GROUP BY block, day ORDER BY day`
    const rows = this.#sql.all(sql, dialog, bot, JSON.stringify(releases), from, to, channel ?? null)
    return rows as unknown as readonly { block: string; day: string; entered: number | null; lost: number | null }[]
  }

  /** Median and 95th percentile of the ms until the answer, at each block. */
  answerTimes({ bot, dialog, releases, from, to, channel }: VisitFilter) {
    const sql = `WITH ranked AS (
        SELECT block, ms, row_number() OVER (PARTITION BY block ORDER BY ms) AS place, count(*) OVER (PARTITION BY block) AS n
        FROM answertime WHERE ${SELECT}
      )
      SELECT block, min(ms) FILTER (WHERE place * 2 >= n) AS p50, min(ms) FILTER (WHERE place * 20 >= n * 19) AS p95
      FROM ranked GROUP BY block`
    const rows = this.#sql.all(sql, dialog, bot, JSON.stringify(releases), from, to, channel ?? null)
    return rows as unknown as readonly { block: string; p50: number; p95: number }[]
  }

  /** Number of conversations that wait at each block now. */
  waiting({ bot, dialog, releases, channel }: VisitFilter) {
    const sql = `SELECT visit.block AS block, count(*) AS n FROM visit JOIN conversation ON conversation.id = visit.conversation
      WHERE visit.dialog = ?1 AND conversation.bot = ?2 AND conversation.release IN (SELECT value FROM json_each(?3))
        AND (conversation.channeltype = ?4 OR ?4 IS NULL AND conversation.channeltype <> '${SIMULATED_TYPE}') GROUP BY visit.block`
    const rows = this.#sql.all(sql, dialog, bot, JSON.stringify(releases), channel ?? null)
    return rows as unknown as readonly { block: string; n: number }[]
  }

  #open(conversation: string): readonly OpenVisit[] {
    const rows = this.#sql.all(
      'SELECT frame, dialog, block, since, tries, calls FROM visit WHERE conversation = ?',
      conversation,
    ) as unknown as (OpenVisit & { calls: string | null })[]
    return rows.map(({ calls, ...visit }) => (calls === null ? visit : { ...visit, calls }))
  }

  #add({ bot, release, channel, time }: TurnOf, visited: readonly Visited[]): void {
    const day = dayOf(time)
    for (const one of visited) {
      this.#sql.run(ADD, one.dialog, bot, release, day, channel, one.block, whatOf(one), 1)
      if (one.event.kind === 'answered')
        this.#sql.run(ADD_TIME, one.dialog, bot, release, day, channel, one.block, Math.max(0, one.event.ms))
    }
  }
}

type Dropoff = Pick<z.output<typeof dropoffSchema>, 'blocks' | 'days'>

const LEFT = 'left '

/** Counts at the blocks of a dialog, most visited first. */
export const dropoffOf = (visits: VisitIndex | undefined, filter: VisitFilter, showsFew: boolean): Dropoff => {
  if (visits === undefined) return { blocks: [], days: [] }
  const shown = shownCount(showsFew)
  const counts = Map.groupBy(visits.counts(filter), ({ block }) => block)
  const times = new Map(visits.answerTimes(filter).map(time => [time.block, time]))
  const waiting = new Map(visits.waiting(filter).map(({ block, n }) => [block, n]))
  const enteredOf = (block: string) => counts.get(block)?.find(({ what }) => what === 'entered')?.n ?? 0
  const blocks = [...counts].map(([block, found]): DropoffBlock => {
    const of = (what: string) => shown(found.find(one => one.what === what)?.n ?? 0)
    const few = enteredOf(block) < FEW && !showsFew
    return {
      block,
      entered: of('entered'),
      out: record(
        found
          .filter(({ what }) => what.startsWith(LEFT))
          .map(({ what, n }) => [what.slice(LEFT.length), shown(n)] as const),
      ),
      answered: of('answered'),
      retried: of('retried'),
      gaveup: of('gaveup'),
      skipped: of('skipped'),
      interrupted: of('interrupted'),
      abandoned: of('abandoned'),
      lost: of('lost'),
      agent: of('agent'),
      problems: of('problem'),
      waiting: shown(waiting.get(block) ?? 0),
      p50: few ? null : (times.get(block)?.p50 ?? null),
      p95: few ? null : (times.get(block)?.p95 ?? null),
    }
  })
  return {
    blocks: blocks.toSorted((one, other) => enteredOf(other.block) - enteredOf(one.block)),
    days: visits.days(filter).map(({ block, day, entered, lost }) => ({
      block,
      day,
      entered: shown(entered ?? 0),
      lost: shown(lost ?? 0),
    })),
  }
}
