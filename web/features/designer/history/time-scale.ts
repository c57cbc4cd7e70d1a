import { type RefObject, useLayoutEffect, useState } from 'react'

/** A stretch of the track: work is as wide as it lasted, quiet hours are folded to a few pixels. */
interface Stretch {
  readonly kind: 'work' | 'quiet'
  readonly start: number
  readonly end: number
  readonly x0: number
  readonly x1: number
}

export interface TimeScale {
  readonly stretches: readonly Stretch[]
  x(time: number): number
  time(x: number): number
}

/** Longer pauses are folded, and a single event is given the room of so much time. Milliseconds. */
interface Pace {
  readonly quiet: number
  readonly least: number
}

const EDITS: Pace = { quiet: 60 * 60_000, least: 4 * 60_000 }
const FOLD = 26
/** The share of the width that folds may take together. */
const FOLD_SHARE = 0.3

interface Run {
  readonly start: number
  readonly end: number
}

const runsOf = (times: readonly number[], quiet: number): readonly Run[] => {
  const runs: { start: number; end: number }[] = []
  for (const time of times) {
    const last = runs.at(-1)
    if (last !== undefined && time - last.end <= quiet) last.end = time
    else runs.push({ start: time, end: time })
  }
  return runs
}

const within = (value: number, from: readonly [number, number], to: readonly [number, number]): number => {
  const span = from[1] - from[0]
  const share = span === 0 ? 0.5 : (value - from[0]) / span
  return to[0] + Math.min(1, Math.max(0, share)) * (to[1] - to[0])
}

/** Lays sorted times (milliseconds) on `width` pixels. Without times everything is at 0. */
export const timeScale = (times: readonly number[], width: number, { quiet, least } = EDITS): TimeScale => {
  const runs = runsOf(times, quiet)
  const folds = Math.max(0, runs.length - 1)
  const fold = folds === 0 ? 0 : Math.min(FOLD, (width * FOLD_SHARE) / folds)
  const weights = runs.map(({ start, end }) => Math.max(least, end - start))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const room = Math.max(0, width - folds * fold)
  const stretches: Stretch[] = []
  let x = 0
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    if (before !== undefined) {
      stretches.push({ kind: 'quiet', start: before.end, end: run.start, x0: x, x1: x + fold })
      x += fold
    }
    const wide = (room * (weights[index] ?? 0)) / (total || 1)
    stretches.push({ kind: 'work', ...run, x0: x, x1: x + wide })
    x += wide
  }
  const works = stretches.filter(({ kind }) => kind === 'work')
  const find = (holds: (stretch: Stretch) => boolean) => works.find(holds) ?? stretches.find(holds)
  return {
    stretches,
    x: time => {
      const found = find(({ start, end }) => time >= start && time <= end)
      if (found !== undefined) return within(time, [found.start, found.end], [found.x0, found.x1])
      return time < (stretches[0]?.start ?? 0) ? 0 : (stretches.at(-1)?.x1 ?? 0)
    },
    time: x => {
      const found = find(({ x0, x1 }) => x >= x0 && x <= x1)
      if (found !== undefined) return within(x, [found.x0, found.x1], [found.start, found.end])
      return x < 0 ? (stretches[0]?.start ?? 0) : (stretches.at(-1)?.end ?? 0)
    },
  }
}

/** The width of an element in pixels, as it changes; 0 until it is known. */
export const useWidth = (ref: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [ref])
  return width
}
