import type { FastifyInstance, FastifyRequest } from 'fastify'
import { amountOf, microsOf, type PriceList, pricedBy } from '#domain/campaign/price.ts'
import { csvRecord } from '#domain/csv/cell.ts'
import { percentileOf } from '#domain/desk/figures/histogram.ts'
import { METRICS_VERSION } from '#domain/metrics/contribution.ts'
import { DEFAULT_ZONE, dayIn, touchedDays } from '#domain/metrics/conversation-fact.ts'
import { type ShownFigures, shownFigures } from '#domain/metrics/shown-count.ts'
import type { ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { FigureGroup } from '#runtime/agent/figures/desk-figures.ts'
import { costOf, priceListsOf } from '#runtime/campaign/run/statistics.ts'
import type { MessageCosts, MetricCount, MetricFilter } from '#runtime/metrics/metric-query.ts'
import type { ConversationRecords } from '#runtime/port.ts'
import {
  type BotMetrics,
  CONVERSATION_DIMENSIONS,
  type ConversationDimension,
  type ConversationMetric,
} from '#schemas/api/bot-metrics.ts'
import { type DeskParts, deskViewer } from '../desk/desk-access.ts'
import { deskMetricOf, deskNamesOf } from '../desk/desk-metrics.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { countedDays, mayReadWords } from './conversation.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 7
/** Blocks where people leave that an answer lists. */
const MAX_BLOCKS = 20
/** Age of a day's end, ms, after which nobody of that day can come back in time. */
const SETTLED_MS = 72 * 3_600_000

type Query = RouteRequest<'GET /bot/{id}/metrics'>['query']
type CountFilter = ShownFigures['count']
const EXACT = shownFigures(true)

/** Sums of counters of one group, and of histograms. */
const sumsOf = (counts: readonly MetricCount[], shown: ShownFigures) => {
  const sums = new Map<string, number>()
  const histograms = new Map<string, Map<number, number>>()
  for (const { what, bucket, n } of counts) {
    sums.set(what, (sums.get(what) ?? 0) + n)
    const histogram = histograms.get(what) ?? new Map<number, number>()
    histograms.set(what, histogram.set(bucket, (histogram.get(bucket) ?? 0) + n))
  }
  const of = (what: string): number => sums.get(what) ?? 0
  return {
    count: (what: string) => shown.count(of(what)),
    /** Mean and percentiles of a histogram; null where their number is hidden. */
    spread(what: string, shares: readonly number[]) {
      const n = of(what)
      const mean = shown.mean(of(`${what}.sum`), n)
      const histogram = histograms.get(what) ?? new Map<number, number>()
      const at = shares.map(share => (mean === null ? null : (percentileOf(histogram, share) ?? null)))
      return { count: shown.count(n), mean, at }
    },
  }
}

/** Cost of messages: amounts, and their share of each closed conversation. */
const costsOf = (costs: readonly MessageCosts[], closed: number, { lists, isSimulated, shown }: View) => {
  const counts = costs.map(({ day, key, count, micros }) => ({
    ...{ ...pricedBy(key), day: Date.parse(day) / DAY_MS, type: '', count, micros },
  }))
  const { reported, computed, unpriced, free, open } = costOf(counts, lists, isSimulated)
  const whole = BigInt(shown.count(closed) ?? 0)
  const amounts = (of: readonly { readonly currency: string; readonly amount: string; readonly count: number }[]) =>
    of.map(({ currency, amount, count }) => {
      const micros = shown.micros(microsOf(amount) ?? 0n, count)
      const each = micros === null || whole === 0n ? null : amountOf(micros / whole)
      return { currency, amount: micros === null ? null : amountOf(micros), count: shown.count(count), each }
    })
  return {
    ...{ reported: amounts(reported), computed: amounts(computed) },
    ...{ unpriced: shown.count(unpriced), free: shown.count(free), open: shown.count(open) },
  }
}

/** Conditions under which figures are shown. */
interface View {
  readonly now: number
  readonly shown: ShownFigures
  /** Price lists of the bot's level. */
  readonly lists: readonly PriceList[]
  /** Messages of simulated numbers cost nothing. */
  readonly isSimulated: boolean
}

interface Measured {
  readonly counts: readonly MetricCount[]
  readonly costs: readonly MessageCosts[]
  readonly active: number
  readonly people: number
  readonly settled: readonly MetricCount[]
}

const metricOf = ({ counts, costs, active, people, settled }: Measured, view: View): ConversationMetric => {
  const { shown } = view
  const { count, spread } = sumsOf(counts, shown)
  const closed = sumsOf(counts, EXACT).count('closed') ?? 0
  const durable = sumsOf(settled, EXACT)
  const came = durable.count('reopened') ?? 0
  const answer = spread('answer', [0.5, 0.95])
  const ofClosed = (what: string) => {
    const { mean, at } = spread(what, [0.5])
    return { mean, p50: at[0] ?? null }
  }
  return {
    started: count('started'),
    engaged: count('engaged'),
    open: count('open'),
    closed: count('closed'),
    active: shown.count(active),
    people: shown.count(people),
    outcomes: {
      agent: count('agent'),
      unserved: count('unserved'),
      completed: count('completed'),
      gaveup: count('gaveup'),
      failed: count('failed'),
      left: count('left'),
    },
    contained: count('contained'),
    handoff: {
      count: count('handoff'),
      flow: count('handoff.flow'),
      menu: count('handoff.menu'),
      takeover: count('handoff.takeover'),
    },
    durable: { completed: shown.count(came + (durable.count('durable') ?? 0)), reopened: shown.count(came) },
    understanding: {
      texts: count('turns.text'),
      unrecognized: count('turns.unrecognized'),
      unclear: count('turns.unclear'),
      conversations: count('misunderstood'),
    },
    answer: { count: answer.count, mean: answer.mean, p50: answer.at[0] ?? null, p95: answer.at[1] ?? null },
    turns: ofClosed('turns'),
    received: ofClosed('in'),
    said: ofClosed('out'),
    csat: { asked: count('csat.asked'), rated: count('csat.rated'), good: count('csat.good') },
    nps: {
      asked: count('nps.asked'),
      rated: count('nps.rated'),
      promoters: count('nps.promoters'),
      detractors: count('nps.detractors'),
    },
    rated: count('rated'),
    unrated: count('unrated'),
    cost: costsOf(costs, closed, view),
    priced: count('priced'),
  }
}

/** The last day whose conversations nobody can reopen any more, in this range. */
const settledDay = ({ to }: MetricFilter, now: number): string => {
  const last = dayIn(now - SETTLED_MS - DAY_MS, 'UTC')
  return last < to ? last : to
}

/** Figures of all conversations of a filter, and by a dimension. */
const measure = (
  { metrics }: ConversationRecords,
  filter: MetricFilter,
  by: ConversationDimension | undefined,
  view: View,
) => {
  const settledTo = settledDay(filter, view.now)
  const settledOf = (dimension?: ConversationDimension) =>
    settledTo < filter.from ? [] : metrics.counts({ ...filter, to: settledTo }, dimension, ['durable', 'reopened'])
  const counts = metrics.counts(filter, by)
  const total = metricOf(
    {
      counts,
      costs: metrics.costs(filter),
      active: metrics.active(filter).get('') ?? 0,
      people: metrics.people(filter).get('') ?? 0,
      settled: settledOf(),
    },
    view,
  )
  if (by === undefined) return { total, rows: [] }
  const [active, people] = [metrics.active(filter, by), metrics.people(filter, by)]
  const groups = Map.groupBy(counts, ({ group }) => String(group))
  const costs = Map.groupBy(metrics.costs(filter, by), ({ group }) => String(group))
  const settled = Map.groupBy(settledOf(by), ({ group }) => String(group))
  const keys = [...new Set([...groups.keys(), ...active.keys()])]
  const rows = keys.map(key => ({
    key,
    name: key,
    started: (groups.get(key) ?? []).reduce((sum, { what, n }) => (what === 'started' ? sum + n : sum), 0),
    conversations: metricOf(
      {
        counts: groups.get(key) ?? [],
        costs: costs.get(key) ?? [],
        active: active.get(key) ?? 0,
        people: people.get(key) ?? 0,
        settled: settled.get(key) ?? [],
      },
      view,
    ),
  }))
  return {
    total,
    rows: rows
      .toSorted((one, other) =>
        by === 'day'
          ? one.key.localeCompare(other.key)
          : by === 'release'
            ? Number(other.key) - Number(one.key)
            : other.started - one.started || one.key.localeCompare(other.key),
      )
      .map(({ started: _, ...row }) => row),
  }
}

interface BotDialog {
  readonly id: string
  readonly name: string
}

/** Dialogs of a bot, named after their task where they are not alone in it. */
const dialogsOf = async (read: ReadModels, bot: string): Promise<readonly BotDialog[]> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
  const dialogs = await Promise.all(
    tasks.map(async ({ id, name }) => {
      const found = await allRows(read, SYSTEM_SCOPE, 'dialog', { dialogtask: id })
      return found.map(dialog => ({
        id: dialog.id,
        name: found.length === 1 ? String(name ?? '') : `${name ?? ''} · ${dialog.name ?? ''}`,
      }))
    }),
  )
  return dialogs.flat()
}

const DIALOG = { entered: 'dialog.entered', completed: 'dialog.completed' } as const

/** Completion of each dialog. */
const taskRows = (
  { metrics }: ConversationRecords,
  filter: MetricFilter,
  dialogs: readonly BotDialog[],
  shown: CountFilter,
) => {
  const names = new Map(dialogs.map(({ id, name }) => [id, name]))
  const groups = Map.groupBy(metrics.keys(filter, Object.values(DIALOG)), ({ key }) => key)
  return [...groups]
    .map(([key, counts]) => {
      const of = (name: string) => counts.find(({ what }) => what === name)?.n ?? 0
      return { key, name: names.get(key) ?? '—', entered: of(DIALOG.entered), completed: of(DIALOG.completed) }
    })
    .toSorted((one, other) => other.entered - one.entered || one.key.localeCompare(other.key))
    .map(({ key, name, entered, completed }) => ({
      key,
      name,
      dialog: { entered: shown(entered), completed: shown(completed) },
    }))
}

/** Blocks where conversations ended, and answers to questions, as the funnel counts them: by days of the console. */
const visitsOf = (
  { visits }: ConversationRecords,
  { bot, from, to, release, channel }: MetricFilter,
  dialogs: readonly BotDialog[],
  shown: CountFilter,
) => {
  const filter = { bot, from, to, release, channel, dialogs: dialogs.map(({ id }) => id) }
  const counts = visits.ofBot(filter, ['entered', 'lost', 'answered', 'retried', 'gaveup'])
  const sum = (...names: readonly string[]) =>
    counts.reduce((all, { what, n }) => (names.includes(what) ? all + n : all), 0)
  const names = new Map(dialogs.map(({ id, name }) => [id, name]))
  const entered = new Map(
    counts.filter(({ what }) => what === 'entered').map(({ dialog, block, n }) => [`${dialog} ${block}`, n]),
  )
  return {
    questions: { answered: shown(sum('answered', 'retried', 'gaveup')), invalid: shown(sum('retried', 'gaveup')) },
    dropoff: counts
      .filter(({ what }) => what === 'lost')
      .toSorted((one, other) => other.n - one.n || one.block.localeCompare(other.block))
      .slice(0, MAX_BLOCKS)
      .map(({ dialog, block, n }) => ({
        ...{ dialog, block, name: names.get(dialog) ?? '—' },
        entered: shown(entered.get(`${dialog} ${block}`) ?? n),
        lost: shown(n),
      })),
  }
}

const HOURS = 24

/** Conversations by hour, and by weekday and hour. */
const hoursOf = (counts: ReturnType<ConversationRecords['metrics']['weekHours']>, shown: CountFilter) => {
  const countsOf = (found: typeof counts) =>
    Array.from({ length: HOURS }, (_, hour) =>
      shown(found.reduce((sum, one) => (one.hour === hour ? sum + one.n : sum), 0)),
    )
  const week = [0, 1, 2, 3, 4, 5, 6].map(day => countsOf(counts.filter(({ weekday }) => weekday === day)))
  return { hours: countsOf(counts), week }
}

const NO_FIGURES = { counts: [], costs: [], active: 0, people: 0, settled: [] }
const isDimension = (by: string): by is ConversationDimension => CONVERSATION_DIMENSIONS.some(one => one === by)

/** Figures of a bot. */
const botMetricsOf = async (
  given: DeskParts,
  request: FastifyRequest,
  bot: RowOf<'bot'>,
  query: Query,
): Promise<BotMetrics> => {
  const { by, release, compare, channel, origin } = query
  const viewer = deskViewer(request)
  const figures = shownFigures(mayReadWords(viewer.scope))
  const shown = figures.count
  const now = Date.now()
  const timezone = bot.timezone || DEFAULT_ZONE
  const { from, to } = countedDays(query, dayIn(now, timezone), USUAL_DAYS)
  const filter: MetricFilter = { bot: bot.id, from, to, release, channel, origin }
  const records = await given.conversations.records()
  const settled = settledDay(filter, now)
  const basis = { bot: bot.id, from, to, timezone, by, settled, definitions: METRICS_VERSION }
  const lists = await priceListsOf(given.parts.read, bot.hierarchylevel, now)
  const view: View = { now, shown: figures, lists, isSimulated: origin === 'simulated' }
  const noDesk = deskMetricOf([], false, undefined)
  if (records === undefined)
    return {
      ...basis,
      ...{ rows: [], total: metricOf(NO_FIGURES, view), desk: noDesk, ...hoursOf([], shown), scores: [] },
      ...{ questions: { answered: 0, invalid: 0 }, dropoff: [], removed: 0, otherdays: [] },
    }
  const { metrics } = records
  const dialogs = await dialogsOf(given.parts.read, bot.id)
  const { total, rows } = measure(records, filter, isDimension(by) ? by : undefined, view)
  const desk = await given.conversations.desk?.()
  const agent = viewer.can('superviseconversation') ? undefined : viewer.user
  // Chats at the desk and visits of blocks are stored by days of the console.
  const days = touchedDays({ from, to }, timezone, DEFAULT_ZONE)
  const deskCounts = (group: FigureGroup, of?: string) =>
    desk?.figures.counts(group, { ...days, bots: [bot.id], agent: of }) ?? []
  const deskRows = async (group: 'queue' | 'agent') => {
    const groups = [...Map.groupBy(deskCounts(group, agent), ({ key }) => key)].filter(([key]) => key !== '')
    const nameOf =
      desk === undefined
        ? undefined
        : await deskNamesOf(
            desk,
            group,
            groups.map(([key]) => key),
          )
    return groups
      .map(([key, counts]) => ({
        key,
        name: nameOf?.(key) ?? '—',
        desk: deskMetricOf(counts, group === 'agent', undefined),
      }))
      .toSorted((one, other) => other.desk.requested - one.desk.requested || one.name.localeCompare(other.name))
  }
  return {
    ...basis,
    rows:
      by === 'task'
        ? taskRows(records, filter, dialogs, shown)
        : by === 'queue' || by === 'agent'
          ? await deskRows(by)
          : rows,
    total,
    desk: deskMetricOf(deskCounts('day', agent), false, undefined),
    ...(compare === undefined
      ? {}
      : { compared: measure(records, { ...filter, release: compare }, undefined, view).total }),
    ...hoursOf(metrics.weekHours(filter), shown),
    scores: metrics
      .keys(filter, ['score'])
      .map(({ key, bucket, n }) => ({ scale: key, score: bucket, count: shown(n) })),
    ...visitsOf(records, { ...filter, ...days }, dialogs, shown),
    removed: shown(metrics.removed(filter)),
    otherdays: [...metrics.otherVersions(filter, METRICS_VERSION)],
  }
}

const cell = (value: number | null): string => (value === null ? '' : String(value))

/** Columns of a conversation's figures, times in ms. */
const conversationCells = (of: ConversationMetric): readonly (readonly [name: string, value: number | null])[] => [
  ['started', of.started],
  ['engaged', of.engaged],
  ['open', of.open],
  ['closed', of.closed],
  ['active', of.active],
  ['people', of.people],
  ...Object.entries(of.outcomes),
  ['contained', of.contained],
  ['handoff', of.handoff.count],
  ['handoff_flow', of.handoff.flow],
  ['handoff_menu', of.handoff.menu],
  ['handoff_takeover', of.handoff.takeover],
  ['durable_completed', of.durable.completed],
  ['durable_reopened', of.durable.reopened],
  ['texts', of.understanding.texts],
  ['unrecognized', of.understanding.unrecognized],
  ['unclear', of.understanding.unclear],
  ['misunderstood_conversations', of.understanding.conversations],
  ['answer_count', of.answer.count],
  ['answer_mean', of.answer.mean],
  ['answer_p50', of.answer.p50],
  ['answer_p95', of.answer.p95],
  ['turns_mean', of.turns.mean],
  ['received_mean', of.received.mean],
  ['said_mean', of.said.mean],
  ...Object.entries(of.csat).map(([name, n]) => [`csat_${name}`, n] as const),
  ...Object.entries(of.nps).map(([name, n]) => [`nps_${name}`, n] as const),
  ['priced', of.priced],
]

/** Amounts of a group, such as `BRL 12.50`; the names of the columns. */
const COST_COLUMNS = ['cost_reported', 'cost_computed'] as const
const costCells = ({ cost }: ConversationMetric): readonly string[] =>
  [cost.reported, cost.computed].map(of =>
    of.flatMap(({ currency, amount }) => (amount === null ? [] : [`${currency} ${amount}`])).join('; '),
  )

/** The rows of an answer as CSV; hidden counts are empty. */
const metricsCsv = ({ by, rows, total }: BotMetrics): string => {
  if (by === 'task')
    return [
      csvRecord([by, 'name', 'entered', 'completed']),
      ...rows.map(({ key, name, dialog }) =>
        csvRecord([key, name, cell(dialog?.entered ?? null), cell(dialog?.completed ?? null)]),
      ),
    ].join('')
  if (by === 'queue' || by === 'agent')
    return [
      csvRecord([
        by,
        'name',
        'requested',
        'served',
        'givenup',
        'waiting_p50',
        'first_p50',
        'handle_p50',
        'csat_rated',
        'csat_good',
      ]),
      ...rows.flatMap(({ key, name, desk }) =>
        desk === undefined
          ? []
          : [
              csvRecord([
                key,
                name,
                ...[desk.requested, desk.served, desk.givenup].map(cell),
                ...[desk.waiting.p50, desk.first.p50, desk.handle.p50, desk.csat.rated, desk.csat.good].map(cell),
              ]),
            ],
      ),
    ].join('')
  const head = conversationCells(total).map(([name]) => name)
  return [
    csvRecord([by, ...head, ...COST_COLUMNS]),
    ...rows.flatMap(({ key, conversations }) =>
      conversations === undefined
        ? []
        : [
            csvRecord([
              key,
              ...conversationCells(conversations).map(([, value]) => cell(value)),
              ...costCells(conversations),
            ]),
          ],
    ),
  ].join('')
}

const CONFIG = { permission: 'readbot' } as const

/** GET /bot/{id}/metrics and its CSV. */
export const addBotMetrics = (app: FastifyInstance, given: DeskParts): void => {
  const { read } = given.parts
  const botOf = (scope: Scope, id: string) => read.detail(scope, 'bot', id)

  handle(app, 'GET /bot/{id}/metrics', CONFIG, async (request, reply) => {
    const bot = await botOf(sessionOf(request).scope, request.params.id)
    return bot === undefined
      ? refuse(reply, { code: 'entity.notfound' })
      : botMetricsOf(given, request, bot, request.query)
  })

  handle(app, 'GET /bot/{id}/metrics/export', CONFIG, async (request, reply) => {
    const bot = await botOf(sessionOf(request).scope, request.params.id)
    if (bot === undefined) return refuse(reply, { code: 'entity.notfound' })
    const metrics = await botMetricsOf(given, request, bot, request.query)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="metrics-${metrics.from}-${metrics.to}.csv"`)
      .send(metricsCsv(metrics))
  })
}
