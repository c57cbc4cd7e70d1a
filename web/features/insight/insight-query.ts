import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'

export type Insight = AnswerOf<'GET /bot/{id}/metrics'>
type InsightFilter = QueryOf<'GET /bot/{id}/metrics'>
export type InsightMetric = Insight['total']
export type InsightRow = Insight['rows'][number]

/** Age of shown figures, ms. */
const REFETCH_INTERVAL_MS = 30_000

export const insightQuery = (bot: string, filter: InsightFilter) =>
  queryOptions({
    queryKey: ['bot', 'metrics', bot, filter],
    queryFn: ({ signal }) => http.get('/bot/{id}/metrics', { params: { id: bot }, query: filter, signal }),
    placeholderData: before => before,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

type BotResultsFilter = Required<QueryOf<'GET /bot/metrics'>>

/** `level` is the caller's level: another one has other bots. */
export const botResultsQuery = (level: string, filter: BotResultsFilter) =>
  queryOptions({
    queryKey: ['bot', 'metrics', 'all', level, filter],
    queryFn: ({ signal }) => http.get('/bot/metrics', { query: filter, signal }),
    placeholderData: before => before,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

/** Titles of the blocks of a dialog as it is drawn now. */
export const drawnTitlesQuery = (dialog: string) =>
  queryOptions({
    queryKey: ['dialog', 'drawntitles', dialog],
    queryFn: async (): Promise<Readonly<Record<string, string>>> => {
      const { operators } = await http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog } })
      return Object.fromEntries(Object.entries(operators).map(([id, { title }]) => [id, String(title ?? '')]))
    },
    staleTime: 60_000,
    retry: false,
  })

export const PERIODS = ['1', '7', '14', '30', '90'] as const
export const BREAKDOWNS = ['day', 'release', 'channel', 'origin', 'task', 'queue', 'agent'] as const
export const CHARTS = ['day', 'hour', 'week'] as const
const DAY_MS = 86_400_000

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text))

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** Of a zone that the browser does not know those of the console are shown. */
const dayFormat = (zone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })
  }
}

/** The last so many days of a time zone at a moment (ms since 1970), today included. */
export const lastDays = (count: number, zone: string, now: number): { readonly from: string; readonly to: string } => {
  const to = dayFormat(zone).format(now)
  return { from: shifted(to, count - 1), to }
}

/** Days, filters and parts of the page, in the address. Days are those of the bot's time zone. */
export const useInsightFilter = (bot: string, zone: string) => {
  const { params, put } = useAddress()
  const { can } = useSession()
  const hasLists = can('readconversation')
  const given = { from: params.get('from') ?? '', to: params.get('to') ?? '' }
  const isGiven = isDay(given.from) && isDay(given.to) && given.from <= given.to
  const days = isGiven ? undefined : (PERIODS.find(one => one === params.get('days')) ?? '7')
  const chart = CHARTS.find(one => one === params.get('chart')) ?? 'day'
  const by = BREAKDOWNS.find(one => one === params.get('by')) ?? 'release'
  const channel = params.get('channel') ?? undefined
  const release = params.get('release') ?? undefined
  const origin = params.get('origin') ?? undefined
  const compare = params.get('compare')?.split('.') ?? []
  const count = isGiven ? (Date.parse(given.to) - Date.parse(given.from)) / DAY_MS + 1 : Number(days)
  const own = {
    ...(channel === undefined ? {} : { channel }),
    ...(release === undefined ? {} : { release }),
    ...(origin === undefined ? {} : { origin }),
  } as Pick<InsightFilter, 'channel' | 'release' | 'origin'>
  const range = isGiven ? given : lastDays(count, zone, Date.now())
  return {
    ...{ days, chart, by, channel, release, origin, compare, put },
    filter: { ...range, ...own } satisfies InsightFilter,
    /** The same number of days before these. */
    before: { from: shifted(range.from, count), to: shifted(range.from, 1), ...own } satisfies InsightFilter,
    /** The list of the conversations that a figure counts, for users who may read them. */
    listOf: (measure: string, more: Readonly<Record<string, string>> = {}): string | undefined =>
      hasLists
        ? `/bot/conversation/${bot}?${new URLSearchParams({
            ...{ measure, firstday: range.from, lastday: range.to },
            ...(own as Readonly<Record<string, string>>),
            ...more,
          })}`
        : undefined,
  }
}

export type InsightState = ReturnType<typeof useInsightFilter>
