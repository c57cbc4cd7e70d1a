import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as breathe } from 'node:timers/promises'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import { contribution, measuresOf, metricKeyOf } from '#domain/metrics/contribution.ts'
import { type ConversationFact, foldConversationFact, foldDelivery } from '#domain/metrics/conversation-fact.ts'
import type { Json } from '#schemas/event.ts'
import {
  CONVERSATION_DAY_PREFIX,
  CONVERSATION_PREFIX,
  conversationStream,
  DELIVERY_PREFIX,
  deliveryStream,
} from '#schemas/events/conversation.ts'
import { type MetricsRecounted, metricsRecountedSchema, RECOUNT_STREAM } from '#schemas/events/metrics.ts'
import { jsonEqual } from '#schemas/json.ts'
import { deskRevision } from '../agent/desk/desk-index.ts'
import { exclusiveDrafts } from '../log/stream-aggregate.ts'
import { ALL_COUNTERS, type KeptFact, MetricIndex, OF_TOTAL } from './metric-index.ts'
import { isCounted } from './person-counters.ts'

/** One in so many conversations, and days of a bot, is recounted. */
const ONE_IN = 100
/** Differences that a result names. */
const MAX_LINES = 20
/** Hours of the nightly recount in São Paulo (UTC-3, without daylight saving time). */
const NIGHT = { from: 3, until: 5 }
const OFFSET_HOURS = 3
const HOUR_MS = 3_600_000
/** Shortest time between two nightly recounts of a node. */
const BETWEEN_MS = 12 * HOUR_MS
/** Newest results, of all nodes, that are read. */
const MAX_RESULTS = 20

/** Folds the events of a conversation that the kept fact includes. */
const foldAnew = async (
  log: Pick<EventStore, 'read'>,
  id: string,
  { revision: last, fact: { delivered } }: KeptFact,
): Promise<ConversationFact | undefined> => {
  let fact: ConversationFact | undefined
  for (let part = 1; deskRevision(part, 0) < last; part += 1)
    for await (const event of log.read(conversationStream(id, part)))
      if (deskRevision(part, event.revision) <= last) fact = foldConversationFact(fact, event)
  if (fact === undefined || delivered === 0) return fact
  for await (const event of log.read(deliveryStream(id)))
    if (event.revision <= delivered && event.type === 'DeliveryReceipt' && event.data.price !== undefined)
      fact = foldDelivery(fact, event)
  return fact
}

/** The fact without what other streams decide. */
const ownPart = ({ person: _, reopened: __, ...own }: ConversationFact): Json => JSON.parse(JSON.stringify(own)) as Json

const isSameFact = (kept: KeptFact, anew: ConversationFact): boolean =>
  jsonEqual(ownPart(kept.fact), ownPart(anew)) &&
  kept.measures === measuresOf({ ...anew, reopened: kept.fact.reopened }).join(' ')

/** Number of the counters of an index and of a recount, and a line for each that differs. */
const differingCounts = (shown: ReadonlyMap<string, number>, counted: ReadonlyMap<string, number>) => {
  const names = [...new Set([...shown.keys(), ...counted.keys()])]
  const lines = names
    .map(name => [name, shown.get(name) ?? 0, counted.get(name) ?? 0] as const)
    .filter(([, is, ought]) => is !== ought)
    .map(([name, is, ought]) => `${name}: ${is} shown, ${ought} counted`)
  return { counters: names.length, lines }
}

type Result = Pick<MetricsRecounted, 'conversations' | 'days' | 'counters' | 'differences' | 'lines'>

interface RecountOptions {
  readonly index: MetricIndex
  /** Log of conversations. */
  readonly log: Pick<EventStore, 'read'>
  readonly oneIn?: number
}

/** Compares a sample of an index with the log: facts with their events, and counters of days with their facts. */
export const recountSample = async ({ index, log, oneIn = ONE_IN }: RecountOptions): Promise<Result> => {
  const lines: string[] = []
  const ids = index.sample(oneIn)
  for (const id of ids) {
    const kept = index.kept(id)
    const anew = kept && (await foldAnew(log, id, kept))
    // Retention may have removed it meanwhile.
    if (kept === undefined || anew === undefined || index.kept(id) === undefined) continue
    if (!isSameFact(kept, anew)) lines.push(`conversation ${id} of ${kept.fact.bot} on ${kept.fact.day}`)
  }
  const days = index.sampleDays(oneIn)
  let counters = 0
  for (const { bot, day } of days) {
    const found = (await differencesOf(index, bot, day)) ?? (await differencesOf(index, bot, day))
    counters += found?.counters ?? 0
    lines.push(...(found?.lines ?? []))
  }
  const differences = lines.length
  return { conversations: ids.length, days: days.length, counters, differences, lines: lines.slice(0, MAX_LINES) }
}

/** Counters of a day that differ from the sum of its facts; undefined when one of them changed meanwhile. */
const differencesOf = async (index: MetricIndex, bot: string, day: string) => {
  const before = index.changes
  const sums = new Map<string, number>()
  for (let after = ''; ; ) {
    const facts = index.factsOf(bot, day, after)
    for (const { id, fact } of facts) {
      after = id
      for (const [key, n] of contribution(fact)) {
        const { what, key: of, bucket } = metricKeyOf(key)
        // Active conversations count on other days too.
        if (what === 'active') continue
        const add = (...dimensions: readonly (string | number)[]) => {
          const name = [what, of, bucket, ...dimensions].join(' ')
          sums.set(name, (sums.get(name) ?? 0) + n)
        }
        add(fact.release, fact.channel, fact.origin)
        if (isCounted(fact.origin)) add(...OF_TOTAL)
      }
    }
    if (facts.length === 0) break
    await breathe()
  }
  const kept = index.countersOf(bot, day)
  if (index.changes !== before) return undefined
  const { counters, lines } = differingCounts(kept, sums)
  return { counters, lines: lines.map(line => `${bot} ${day} ${line}`) }
}

/** The last result of each node, newest first. */
export const recountResults = async (
  store: Pick<EventStore, 'read'>,
): Promise<readonly (MetricsRecounted & { readonly time: string })[]> => {
  const results = new Map<string, MetricsRecounted & { readonly time: string }>()
  for await (const { data, time } of store.read(RECOUNT_STREAM, { direction: 'backwards', limit: MAX_RESULTS })) {
    const result = metricsRecountedSchema.parse(data)
    if (!results.has(result.node)) results.set(result.node, { ...result, time })
  }
  return [...results.values()]
}

interface NightlyOptions extends RecountOptions {
  /** Console log, which keeps results. */
  readonly store: EventStore
  readonly node: string
  readonly now?: () => number
}

/** Recounts a sample once a night on each node, since each node keeps figures. Returns the result, if due. */
export const recountNightly = async (options: NightlyOptions): Promise<Result | undefined> => {
  const { store, node, now = Date.now } = options
  const started = now()
  const hour = new Date(started - OFFSET_HOURS * HOUR_MS).getUTCHours()
  if (hour < NIGHT.from || hour >= NIGHT.until) return undefined
  const last = (await recountResults(store)).find(result => result.node === node)
  if (last !== undefined && started - Date.parse(last.time) < BETWEEN_MS) return undefined
  const result = await recountSample(options)
  const data = { ...result, lines: [...result.lines], node, milliseconds: now() - started }
  await appendAtEnd(store, RECOUNT_STREAM, exclusiveDrafts(RECOUNT_STREAM, [{ type: 'MetricsRecounted', data }]))
  return result
}

/** Differences that a comparison lists. */
const MAX_DIFFERENCES = 20

interface MetricRow {
  readonly bot: string
  readonly what: string
  readonly day: string
  readonly key: string
  readonly bucket: number
  readonly release: number
  readonly channel: string
  readonly origin: string
  readonly n: number
}

interface MetricComparison {
  readonly counters: number
  readonly differences: number
  /** The first of them, one line each. */
  readonly lines: readonly string[]
}

interface ComparedPart {
  readonly bot?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const nameOf = ({ n: _, ...row }: MetricRow): string => Object.values(row).join(' ')

/** Compares counters of days and of a bot; of both indexes at one position. */
const compareMetrics = (
  kept: readonly MetricRow[],
  counted: readonly MetricRow[],
  { bot, from = '', to = '9999-12-31' }: ComparedPart = {},
): MetricComparison => {
  const isIn = (row: MetricRow) => (bot === undefined || row.bot === bot) && row.day >= from && row.day <= to
  const countsOf = (rows: readonly MetricRow[]) => new Map(rows.filter(isIn).map(row => [nameOf(row), row.n]))
  const { counters, lines } = differingCounts(countsOf(kept), countsOf(counted))
  return { counters, differences: lines.length, lines: lines.slice(0, MAX_DIFFERENCES) }
}

/** Counters of an index file and the position up to which it read a log; undefined: it has read nothing. */
const readIndex = (file: string, log: string) => {
  if (!existsSync(file)) return undefined
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // One transaction: the gateway writes meanwhile.
    database.exec('BEGIN')
    const position = database.prepare('SELECT value FROM meta WHERE key = ?').get(`position ${log}`)?.value
    const rows = database.prepare(ALL_COUNTERS).all() as unknown as readonly MetricRow[]
    return position === undefined ? undefined : { position: String(position), rows }
  } finally {
    database.close()
  }
}

type Log = Pick<EventStore, 'id' | 'readAll'>

/** Recounts all events up to a position. `progress` gets the number of events. */
const recount = async (log: Log, position: string, progress: (events: number) => void) => {
  const index = new MetricIndex(':memory:')
  try {
    let events = 0
    const applyAll = async (streamPrefixes: readonly string[]) => {
      for await (const event of log.readAll({ after: START, filter: { streamPrefixes } })) {
        if (event.position > position) return
        void index.apply(log.id, event)
        events += 1
        progress(events)
      }
    }
    // As an index that is rebuilt: sums of removed conversations before what a server still delivers of their events.
    await applyAll([CONVERSATION_DAY_PREFIX])
    await applyAll([CONVERSATION_PREFIX, DELIVERY_PREFIX])
    return index.dump() as readonly MetricRow[]
  } finally {
    await index.close()
  }
}

/** Recounts the figures from the log and compares each counter with that of an index file. */
export const verifyMetrics = async (
  { file, log }: { readonly file: string; readonly log: Log },
  part: ComparedPart = {},
  progress: (events: number) => void = () => undefined,
): Promise<MetricComparison> => {
  const kept = readIndex(file, log.id)
  if (kept === undefined) return { counters: 0, differences: 0, lines: [] }
  return compareMetrics(kept.rows, await recount(log, kept.position, progress), part)
}
