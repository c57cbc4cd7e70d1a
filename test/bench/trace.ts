import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { quantile } from './figure.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** µs. */
  readonly ts: number
  readonly dur?: number
  /** Processor time of the thread, µs; excludes other processes. */
  readonly tdur?: number
  readonly args?: { readonly name?: string; readonly data?: { readonly isMainFrame?: boolean } }
}

/** Main thread of one page, ms of processor time; intervals are wall-clock time. */
export interface MainThread {
  /** Work between each frame's beginning and the next one's. */
  readonly work: readonly number[]
  /** Between the beginnings of frames. */
  readonly intervals: readonly number[]
  /** A task, of what follows as well. */
  readonly longest: number
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata']
/** Mark between the measured part and the part after it. */
const END = 'acted'
const TASK = 'RunTask'
const FRAME = 'FireAnimationFrame'

/** The renderer's main thread that ran the most animation frames: the page's own, not an idle one's. */
const threadOf = (events: readonly TraceEvent[]): string | undefined => {
  const frames = Map.groupBy(
    events.filter(({ name }) => name === FRAME),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  return [...frames].sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

const workOf = (task: TraceEvent | undefined): number => task?.tdur ?? task?.dur ?? 0

/** Start of each frame. All callbacks of a frame run in one task: several requests add no frames. */
const framesOf = (own: readonly TraceEvent[], tasks: readonly TraceEvent[]): readonly number[] => {
  const begun = new Set<number>()
  let at = 0
  for (const { name, ts } of own) {
    if (name !== FRAME) continue
    while ((tasks[at + 1]?.ts ?? Number.POSITIVE_INFINITY) <= ts) at++
    begun.add(tasks[at]?.ts ?? ts)
  }
  return [...begun]
}

const summed = (events: readonly TraceEvent[]): MainThread => {
  const thread = threadOf(events)
  const own = events.filter(({ pid, tid }) => `${pid} ${tid}` === thread).sort((a, b) => a.ts - b.ts)
  const tasks = own.filter(({ name, ph }) => name === TASK && ph === 'X')
  const ended = own.find(({ name }) => name === END)?.ts ?? Number.POSITIVE_INFINITY
  const frames = framesOf(own, tasks).filter(begin => begin <= ended)
  const work: number[] = []
  const intervals: number[] = []
  let next = 0
  for (const [index, begin] of frames.entries()) {
    const end = frames[index + 1]
    if (end === undefined) break
    intervals.push((end - begin) / 1000)
    let sum = 0
    for (; (tasks[next]?.ts ?? end) < end; next++) if ((tasks[next]?.ts ?? 0) >= begin) sum += workOf(tasks[next])
    work.push(sum / 1000)
  }
  return {
    work,
    intervals,
    longest: quantile(
      tasks.map(task => workOf(task) / 1000),
      1,
    ),
  }
}

/** Acts on a page; returns its main-thread cost, with the longest task up to `follows` ms later. */
export const traced = async (
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
  follows: number,
): Promise<MainThread> => {
  await browser.startTracing(page, { categories: CATEGORIES })
  await act()
  await page.evaluate(end => {
    performance.mark(end)
  }, END)
  await pause(follows)
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(String(await browser.stopTracing()))
  return summed(traceEvents)
}
