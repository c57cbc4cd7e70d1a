import { csvRecord } from '#domain/csv/cell.ts'
import { DESK_TIMES, type DeskTime, FIGURES_VERSION } from '#domain/desk/figures/contribution.ts'
import { percentileOf } from '#domain/desk/figures/histogram.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { FigureGroup } from '#runtime/agent/figures/desk-figures.ts'
import { dayOf } from '#runtime/conversation/index/visit-index.ts'
import type { DeskMetric, DeskMetrics } from '#schemas/api/desk-metrics.ts'
import { visibleBotIds } from '../routes/conversation.ts'
import { type DeskParts, type DeskViewer, queuesOf } from './desk-access.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 14
const MAX_DAYS = 366

interface Count {
  readonly key: string
  readonly what: string
  readonly bucket: number
  readonly n: number
}

interface Duty {
  readonly available: number
  readonly busy: number
}

const sumOf = (counts: readonly Count[], what: string): number =>
  counts.reduce((sum, count) => (count.what === what ? sum + count.n : sum), 0)

const timeOf = (counts: readonly Count[], name: string) => {
  const histogram = new Map<number, number>()
  for (const { what, bucket, n } of counts) if (what === name) histogram.set(bucket, (histogram.get(bucket) ?? 0) + n)
  const count = [...histogram.values()].reduce((sum, n) => sum + n, 0)
  return {
    count,
    mean: count === 0 ? null : Math.round(sumOf(counts, `${name}.ms`) / count),
    p50: percentileOf(histogram, 0.5) ?? null,
    p90: percentileOf(histogram, 0.9) ?? null,
  }
}

export const deskMetricOf = (
  counts: readonly Count[],
  isOfAgents: boolean,
  duties: readonly Duty[] | undefined,
): DeskMetric => {
  const time = (name: DeskTime) => {
    const { count: _, ...inside } = timeOf(counts, `${name}.in`)
    return { ...timeOf(counts, name), inside }
  }
  const n = (what: string) => sumOf(counts, what)
  return {
    requested: n('requested'),
    served: n('served'),
    givenup: n('givenup'),
    waiting: time('waiting'),
    first: time('first'),
    answer: time('answer'),
    handle: time(isOfAgents ? 'held' : 'handle'),
    goal: { count: n('goal'), met: n('goal.met'), inside: n('goal.met.in') },
    csat: { asked: n('csat.asked'), rated: n('csat.rated'), good: n('csat.good') },
    nps: {
      asked: n('nps.asked'),
      rated: n('nps.rated'),
      promoters: n('nps.promoters'),
      detractors: n('nps.detractors'),
    },
    occupancy:
      duties === undefined
        ? null
        : {
            available: duties.reduce((sum, { available }) => sum + available, 0),
            busy: duties.reduce((sum, { busy }) => sum + busy, 0),
          },
  }
}

const rangeOf = (
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
) => {
  const last = to ?? dayOf(now)
  const back = (days: number) => new Date(Date.parse(last) - days * DAY_MS).toISOString().slice(0, 10)
  const first = from ?? back(USUAL_DAYS - 1)
  const earliest = back(MAX_DAYS - 1)
  return { from: first < earliest ? earliest : first, to: last }
}

interface MetricsQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by: FigureGroup
  readonly queue?: string | undefined
}

/** Figures of the desk: of all chats that a supervisor sees, else those of the caller alone. */
export const deskMetricsOf = async (
  given: DeskParts,
  desk: OwnDesk,
  viewer: DeskViewer,
  { by, queue, ...range }: MetricsQuery,
): Promise<DeskMetrics> => {
  const now = Date.now()
  const { from, to } = rangeOf(range, now)
  const own = !viewer.can('superviseconversation')
  const [bots, queues] = await Promise.all([
    visibleBotIds(given.parts.read, viewer.scope, undefined),
    queuesOf(desk, viewer),
  ])
  const filter = {
    from,
    to,
    bots,
    ...(queue === undefined ? {} : { queues: [queue] }),
    ...(own ? { agent: viewer.user } : {}),
  }
  const counts = desk.figures.counts(by, filter)
  const groups = Map.groupBy(counts, ({ key }) => key)
  const isOfAgents = own || by === 'agent'
  // Available time belongs to no queue and to no reason.
  const agents = own
    ? [viewer.user]
    : [
        ...new Set([
          ...queues.flatMap(({ members }) => members.map(({ user }) => user ?? '')),
          ...(by === 'agent' ? groups.keys() : []),
        ]),
      ]
  const duties = queue === undefined ? desk.figures.duties(agents, { from, to }, now) : undefined
  if (by === 'agent') for (const { user } of duties ?? []) if (!groups.has(user)) groups.set(user, [])
  const dutiesOf = (key: string) =>
    by === 'agent'
      ? duties?.filter(({ user }) => user === key)
      : by === 'day'
        ? duties?.filter(({ day }) => day === key)
        : undefined
  // Chats that nobody held are counted by queue, day and reason.
  if (by === 'agent') groups.delete('')
  const names = await deskNamesOf(desk, by, [...groups.keys()])
  const rows = [...groups].map(([key, found]) => ({
    key,
    name: names(key),
    ...deskMetricOf(found, isOfAgents, dutiesOf(key)),
  }))
  return {
    from,
    to,
    by,
    own,
    rows: rows.toSorted((one, other) =>
      by === 'day'
        ? one.key.localeCompare(other.key)
        : other.requested - one.requested || one.name.localeCompare(other.name),
    ),
    total: deskMetricOf(counts, own, duties),
    version: FIGURES_VERSION,
  }
}

/** Names of the keys; a removed queue or user has none. */
export const deskNamesOf = async (desk: OwnDesk, by: FigureGroup, keys: readonly string[]) => {
  if (by === 'agent') {
    const profiles = await Promise.all(keys.map(async key => [key, (await desk.directory.profile(key)).name] as const))
    const known = new Map(profiles)
    return (key: string): string => known.get(key) ?? '—'
  }
  if (by === 'day') return (key: string): string => key
  const queues = await desk.directory.queues()
  if (by === 'queue') return (key: string): string => queues.find(({ id }) => id === key)?.name ?? '—'
  const reasons = new Map(
    queues.flatMap(({ close_reasons: all }) => all.map(reason => [reason.key, reason.name] as const)),
  )
  return (key: string): string => reasons.get(key) ?? ''
}

const shareOf = (part: number, whole: number): string => (whole === 0 ? '' : (part / whole).toFixed(4))
const timeColumns = DESK_TIMES.filter(name => name !== 'held').flatMap(name =>
  ['count', 'mean', 'p50', 'p90', 'mean_inside', 'p50_inside', 'p90_inside'].map(part => `${name}_${part}`),
)

/** Figures as CSV: times in seconds, shares from 0 to 1. */
export const deskMetricsCsv = ({ rows, by }: DeskMetrics): string => {
  const head = [
    ...[by, 'name', 'requested', 'served', 'givenup', ...timeColumns, 'goal_count', 'goal_met', 'service_level'],
    ...[
      'service_level_inside',
      'csat_asked',
      'csat_rated',
      'csat',
      'nps_asked',
      'nps_rated',
      'nps_promoters',
      'nps_detractors',
      'occupancy',
    ],
  ]
  const seconds = (ms: number | null): string => (ms === null ? '' : String(ms / 1000))
  const lines = rows.map(row => {
    const times = [row.waiting, row.first, row.answer, row.handle].flatMap(({ count, mean, p50, p90, inside }) => [
      String(count),
      ...[mean, p50, p90, inside.mean, inside.p50, inside.p90].map(seconds),
    ])
    const { goal, csat, nps, occupancy } = row
    return csvRecord([
      ...[row.key, row.name, row.requested, row.served, row.givenup].map(String),
      ...times,
      ...[String(goal.count), String(goal.met), shareOf(goal.met, goal.count), shareOf(goal.inside, goal.count)],
      ...[String(csat.asked), String(csat.rated), shareOf(csat.good, csat.rated)],
      ...[nps.asked, nps.rated, nps.promoters, nps.detractors].map(String),
      occupancy === null ? '' : shareOf(occupancy.busy, occupancy.available),
    ])
  })
  return csvRecord(head) + lines.join('')
}
