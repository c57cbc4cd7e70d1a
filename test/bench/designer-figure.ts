import { MOVES } from './designer-hand.ts'
import { type Figure, median, quantile, rounded } from './figure.ts'
import type { MainThread } from './trace.ts'

export interface Moved {
  readonly drag: MainThread
  readonly pan: MainThread
  readonly zoom: MainThread
}

const VERBS = { drag: 'dragging', pan: 'panning', zoom: 'zooming' } as const

const workOf = (threads: readonly MainThread[]) => median(threads.map(({ work }) => quantile(work, 0.95)))
const longestOf = (threads: readonly MainThread[]) => median(threads.map(({ longest }) => longest))
const frames = (threads: readonly MainThread[]) => threads.map(({ intervals }) => quantile(intervals, 0.95))

const workFigure = (what: string, threads: readonly MainThread[], more: string, isAim: boolean): Figure => {
  const p95 = workOf(threads)
  const longest = longestOf(threads)
  return {
    id: 'P6',
    what: `main thread while ${what}: p95 of a frame`,
    measured: `${rounded(p95)} ms (longest task ${rounded(longest)} ms${more})`,
    target: isAim ? '≤ 8 ms, no task above 50 ms' : '–',
    met: isAim ? p95 <= 8 && longest <= 50 : null,
    detail: { p95: rounded(p95, 2), longest: rounded(longest) },
  }
}

const ratioFigure = (verb: string, drawn: readonly MainThread[], alone: readonly MainThread[]): Figure => {
  const bare = frames(alone)
  const ratio = median(frames(drawn).map((frame, round) => frame / (bare[round] ?? Number.NaN)))
  return {
    id: 'P6',
    what: `frame times while ${verb} (p95), of React Flow's bare page`,
    measured: `${rounded(ratio, 2)} (${rounded(median(frames(drawn)))} ms of ${rounded(median(bare))} ms)`,
    target: '≤ 1.0',
    met: ratio <= 1,
    detail: { ratio: rounded(ratio, 3) },
  }
}

/** Cost of moving blocks and the view among 1,000 blocks, next to bare React Flow, and of a drag among 3,000. */
export const movementFigures = (
  drawn: readonly Moved[],
  alone: readonly Moved[],
  beside: readonly MainThread[],
  huge: readonly MainThread[],
): readonly Figure[] => [
  ...(['drag', 'pan', 'zoom'] as const).flatMap(movement => {
    const own = drawn.map(each => each[movement])
    const bare = alone.map(each => each[movement])
    const more = `; React Flow alone ${rounded(workOf(bare))} and ${rounded(longestOf(bare))} ms`
    return [
      workFigure(`${VERBS[movement]} among 1,000 blocks`, own, more, true),
      ratioFigure(VERBS[movement], own, bare),
    ]
  }),
  workFigure('dragging among 1,000 blocks beside another who drags', beside, '', true),
  workFigure('dragging among 3,000 blocks', huge, '', false),
]

export const rendersFigure = (commits: readonly number[]): Figure => {
  const most = quantile(commits, 0.95)
  return {
    id: 'P6',
    what: 'nodes that render again per move',
    measured: `${most} in ${commits.length} renderings of ${MOVES} moves`,
    target: '≤ 1',
    met: most <= 1,
    detail: { p95: most, renderings: commits.length },
  }
}
