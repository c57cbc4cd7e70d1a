import { DEFAULT_ZONE, dayBefore, dayIn } from '#domain/metrics/conversation-fact.ts'
import type { ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows } from '#projections/scope.ts'
import { shownCount } from '#runtime/conversation/index/visit-index.ts'
import type { MetricQuery } from '#runtime/metrics/metric-query.ts'
import type { Conversations } from '#runtime/port.ts'
import type { LiveBot } from '#schemas/api/bot-metrics.ts'
import type { BotOverview } from '#schemas/api/bot-overview.ts'
import { mayReadWords } from './conversation.ts'

/** Bots that the home page shows. */
const MAX_LIVE = 5
const COUNTERS = ['started', 'closed', 'contained', 'turns.text', 'turns.unrecognized']

/** State of bots now, and their day up to now; undefined before the first conversation. */
export const liveBots = async (
  conversations: Pick<Conversations, 'records'> | undefined,
  scope: Scope,
  bots: readonly Pick<RowOf<'bot'>, 'id' | 'name' | 'timezone'>[],
): Promise<readonly LiveBot[] | undefined> => {
  const records = await conversations?.records()
  if (records === undefined) return undefined
  const shown = shownCount(mayReadWords(scope))
  const now = Date.now()
  const open = new Map(records.open(bots.map(({ id }) => id)).map(count => [count.bot, count]))
  return bots.map(({ id, name, timezone }) => {
    const day = dayIn(now, timezone || DEFAULT_ZONE)
    const counts = records.metrics.counts({ bot: id, from: day, to: day }, undefined, COUNTERS)
    const of = (counter: string) => shown(counts.reduce((sum, { what, n }) => (what === counter ? sum + n : sum), 0))
    const { talking = 0, agents = 0, waiting = 0 } = open.get(id) ?? {}
    return {
      ...{ id, name: name ?? '', day, talking: shown(talking), agents: shown(agents), waiting: shown(waiting) },
      ...{ started: of('started'), closed: of('closed'), contained: of('contained') },
      ...{ texts: of('turns.text'), unrecognized: of('turns.unrecognized') },
    }
  })
}

/** Days of the web chat that its bot's overview shows. */
const WEBCHAT_DAYS = 14

/** Conversations of a bot by web chat, day by day. */
export const webChatDays = (
  metrics: MetricQuery,
  scope: Scope,
  { id, timezone }: Pick<RowOf<'bot'>, 'id' | 'timezone'>,
): BotOverview['webchat'] => {
  const shown = shownCount(mayReadWords(scope))
  const to = dayIn(Date.now(), timezone || DEFAULT_ZONE)
  const from = dayBefore(to, WEBCHAT_DAYS - 1)
  const days = Array.from({ length: WEBCHAT_DAYS }, (_, at) => dayBefore(to, WEBCHAT_DAYS - 1 - at))
  const filter = { bot: id, from, to, channel: 'webchat' }
  const started = new Map(metrics.counts(filter, 'day', ['started']).map(({ group, n }) => [group, n]))
  return {
    first: metrics.firstDay(filter) ?? null,
    days: days.map(day => ({ day, started: shown(started.get(day) ?? 0) })),
  }
}

/** Bots with conversations now or today, for the home page. */
export const liveHome = async (
  read: ReadModels,
  conversations: Pick<Conversations, 'records'> | undefined,
  scope: Scope,
): Promise<{ readonly items: readonly LiveBot[]; readonly more: number } | undefined> => {
  if (scope.readable !== 'all' && !scope.readable.has('bot')) return undefined
  const live = await liveBots(conversations, scope, await allRows(read, scope, 'bot'))
  // A hidden count is not 0.
  const isLive = ({ talking, agents, started }: LiveBot) => [talking, agents, started].some(count => count !== 0)
  const found = live?.filter(isLive).toSorted((one, other) => (other.started ?? 0) - (one.started ?? 0))
  return found && { items: found.slice(0, MAX_LIVE), more: Math.max(0, found.length - MAX_LIVE) }
}
