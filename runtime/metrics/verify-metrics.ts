import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '#commands/store/port.ts'
import { START } from '#commands/store/port.ts'
import { CONVERSATION_DAY_PREFIX, CONVERSATION_PREFIX, DELIVERY_PREFIX } from '#schemas/events/conversation.ts'
import { ALL_COUNTERS, MetricIndex } from './metric-index.ts'
import { differingCounts } from './recount.ts'

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
