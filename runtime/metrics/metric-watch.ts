import { appendIfFirst, endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { DEFAULT_ZONE, dayIn } from '#domain/metrics/conversation-fact.ts'
import {
  countersOf,
  type DayRange,
  figureOf,
  isCrossed,
  isShare,
  type MetricRule,
  reportedWeek,
  windowOf,
} from '#domain/metrics/metric-watch.ts'
import { countForAll } from '#domain/metrics/shown-count.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { noticeDrafts } from '../alert/give-notice.ts'
import type { MetricQuery } from './metric-query.ts'

const TICK_MS = 60_000
/** Shortest time between two notices of one alert: figures of two nodes may differ for a moment. */
const SETTLE_MS = 10 * 60_000
/** Newest notices of a bot among which that of its last week is looked up. */
const LOOKED_UP = 50
/** Closed conversations from which on a report has a rate. */
const FEW_CLOSED = 30

interface WatchParts {
  /** Console log, which contains notices. */
  readonly store: EventStore
  readonly read: Pick<ReadModels, 'list' | 'detail'>
  readonly metrics: () => Promise<MetricQuery | undefined>
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

interface GivenNotice {
  readonly entity: 'metricalert' | 'bot'
  readonly id: string
  readonly message: string
  readonly kind: 'warn' | 'info'
  readonly params: JsonObject
}

const pageOf = (bot: string, { from, to }: DayRange): string => `/bot/insight/${bot}?from=${from}&to=${to}`

/** Counters of a bot, summed by their names. */
const sumsOf = (metrics: MetricQuery, bot: string, days: DayRange, what: readonly string[]) => {
  const sums = new Map<string, number>()
  for (const count of metrics.counts({ bot, ...days }, undefined, what))
    sums.set(count.what, (sums.get(count.what) ?? 0) + count.n)
  return (name: string): number => sums.get(name) ?? 0
}

/**
 * Value of a figure in a text that all readers of a bot get. Names the side of the limit alone where a count is hidden, or
 * where rounded counts are on the other side.
 */
const shownValue = (rule: MetricRule, counts: readonly number[], value: number) => {
  if (!isShare(rule)) return { value: countForAll(value), unit: '' }
  const [part = 0, whole = 0] = counts.map(countForAll)
  const isNow = isCrossed(rule, value)
  const share = typeof part === 'string' || typeof whole === 'string' ? undefined : Math.round((100 * part) / whole)
  if (share !== undefined && isCrossed(rule, share) === isNow) return { value: share, unit: '%' }
  const sign = rule.direction === 'below' ? (isNow ? '<' : '≥') : isNow ? '>' : '≤'
  return { value: `${sign} ${rule.threshold}`, unit: '%' }
}

/** Notifies readers of a bot when a limit of its figures is crossed, and every Monday of its last week. */
export class MetricWatch {
  readonly #parts: WatchParts
  readonly #ticking: NodeJS.Timeout
  #looking: Promise<void> | undefined

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#ticking = setInterval(() => {
      this.#looking ??= this.look()
        .catch(parts.failed)
        .finally(() => {
          this.#looking = undefined
        })
    }, TICK_MS).unref()
  }

  /** Compares the figures with all limits now. */
  async look(): Promise<void> {
    const { read } = this.#parts
    const rules = await allRows(read, SYSTEM_SCOPE, 'metricalert', { enable: true })
    const bots = await allRows(read, SYSTEM_SCOPE, 'bot', { weeklyreport: true })
    if (rules.length + bots.length === 0) return
    const metrics = await this.#parts.metrics()
    if (metrics === undefined) return
    for (const rule of rules) await this.#compare(rule, metrics)
    for (const bot of bots) await this.#report(bot, metrics)
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking)
    await this.#looking
  }

  async #compare(row: RowOf<'metricalert'>, metrics: MetricQuery): Promise<void> {
    const bot = await this.#parts.read.detail(SYSTEM_SCOPE, 'bot', row.bot)
    if (bot === undefined) return
    const rule: MetricRule = { ...row, least: row.least ?? 1 }
    const now = this.#now()
    const days = windowOf(rule, dayIn(now, bot.timezone || DEFAULT_ZONE))
    const countOf = sumsOf(metrics, bot.id, days, countersOf(rule))
    const value = figureOf(rule, countOf)
    if (value === undefined) return
    const { metric, direction, threshold } = rule
    const mark = [metric, direction, threshold, rule.days].join(' ')
    await this.#give({ entity: 'metricalert', id: row.id }, last => {
      const isOfRule = last !== undefined && last.params.mark === mark
      const wasCrossed = isOfRule && last.message === 'metricalert.crossed'
      const isNow = isCrossed(rule, value)
      if (isNow === wasCrossed || (isOfRule && now - last.time < SETTLE_MS)) return undefined
      const shown = shownValue(rule, countersOf(rule).map(countOf), value)
      const params = { metric, ...shown, threshold, mark, page: pageOf(bot.id, days) }
      return isNow
        ? { message: 'metricalert.crossed', kind: 'warn', params }
        : { message: 'metricalert.ended', kind: 'info', params }
    })
  }

  async #report(bot: RowOf<'bot'>, metrics: MetricQuery): Promise<void> {
    const week = reportedWeek(this.#now(), bot.timezone || DEFAULT_ZONE)
    const countOf = sumsOf(metrics, bot.id, week, ['started', 'closed', 'contained'])
    const [started = 0, closed = 0, contained = 0] = ['started', 'closed', 'contained'].map(countOf)
    if (started === 0) return
    const [part, whole] = [countForAll(contained), countForAll(closed)]
    const share =
      typeof part === 'string' || typeof whole === 'string' || whole < FEW_CLOSED
        ? { contained: part, unit: `/${whole}` }
        : { contained: Math.round((100 * part) / whole), unit: '%' }
    const params = { ...week, mark: week.from, started: countForAll(started), ...share, page: pageOf(bot.id, week) }
    await this.#give({ entity: 'bot', id: bot.id, message: 'bot.week' }, last =>
      last?.params.mark === week.from ? undefined : { message: 'bot.week', kind: 'info', params },
    )
  }

  /** Gives the notice that follows the last one about the thing; nothing if another node gave one meanwhile. */
  async #give(
    { entity, id, message }: Pick<GivenNotice, 'entity' | 'id'> & { readonly message?: string },
    next: (
      last: { readonly message: string; readonly params: JsonObject; readonly time: number } | undefined,
    ) => Pick<GivenNotice, 'message' | 'kind' | 'params'> | undefined,
  ): Promise<void> {
    const { store } = this.#parts
    const stream = noticeStream(entity, id)
    const end = await endOf(store, stream)
    let last: Parameters<typeof next>[0]
    for await (const { data, time } of store.read(stream, { direction: 'backwards', limit: LOOKED_UP })) {
      if (message !== undefined && data.message !== message) continue
      last = { message: String(data.message), params: data.params as JsonObject, time: Date.parse(time) }
      break
    }
    const notice = next(last)
    if (notice === undefined) return
    const data = { entity, id, ...notice }
    await appendIfFirst(store, stream, end, noticeDrafts(data))
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }
}
