import { randomUUID } from 'node:crypto'
import { draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { appendAtEnd } from '#runtime/log/stream-aggregate.ts'
import { visitStream } from '#schemas/events/notification.ts'

/**
 * Visits of one address within this time are one event. The time doubles while visits continue, up to the longer one. A
 * killed node loses its unwritten visits.
 */
const GATHER_MS = 1_000
const MAX_GATHER_MS = 60_000
/** Addresses whose visits wait at one time; more are written at once. */
const MAX_WAITING = 10_000

interface VisitCounter {
  count(mapping: string): void
  /** Writes down what waits. */
  close(): Promise<void>
}

/**
 * Counts visits of short addresses beside the redirects, so that none waits for the store. Counts are differences: nodes
 * add them up without knowing of each other.
 */
export const openVisitCounter = (
  store: EventStore,
  failed: (error: unknown) => void,
  now: () => number = () => performance.now(),
): VisitCounter => {
  let gatherMs = GATHER_MS
  let flushedAt = Number.NEGATIVE_INFINITY
  let waiting = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (mapping: string, count: number) => {
    const seed = randomUUID()
    const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
    const event = draft(author, 'visited', 'TinyUrlVisited', null, { count })
    await appendAtEnd(store, visitStream(mapping), [event])
  }
  const add = (mapping: string, count: number) => waiting.set(mapping, (waiting.get(mapping) ?? 0) + count)
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const counted = waiting
    waiting = new Map()
    flushedAt = now()
    for (const [mapping, count] of counted)
      await write(mapping, count).catch(error => {
        add(mapping, count)
        failed(error)
      })
  }
  const flushNext = () => {
    writing = writing.then(flush)
    return writing
  }
  const flushLater = () => {
    gatherMs = now() - flushedAt > gatherMs ? GATHER_MS : Math.min(gatherMs * 2, MAX_GATHER_MS)
    return setTimeout(flushNext, gatherMs).unref()
  }
  return {
    count(mapping) {
      add(mapping, 1)
      if (waiting.size >= MAX_WAITING) void flushNext()
      else timer ??= flushLater()
    },
    close: flushNext,
  }
}
