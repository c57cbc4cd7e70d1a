import type { SimulationView } from './use-simulation.ts'

type Span = SimulationView['spans'][number]

/** The bars of a block in one turn. */
interface TimeRow {
  readonly key: string
  readonly turn: number
  /** Null: before a turn came to its first block. */
  readonly block: string | null
  readonly bars: readonly Span[]
  /** ms of all bars. */
  readonly ms: number
}

/** A row for each block that took time in a turn, in the order in which they ran. */
export const timeRows = (spans: readonly Span[]): readonly TimeRow[] => {
  const rows: TimeRow[] = []
  for (const span of spans) {
    const last = rows.at(-1)
    if (last !== undefined && last.turn === span.turn && last.block === span.block)
      rows[rows.length - 1] = { ...last, bars: [...last.bars, span], ms: last.ms + span.ms }
    else rows.push({ key: `${span.turn} ${span.start}`, turn: span.turn, block: span.block, bars: [span], ms: span.ms })
  }
  return rows
}

const MAX_TICKS = 5
const NICE = [1, 2, 5] as const

/** Round moments of an axis from 0 to `end`, in ms. */
export const ticksOf = (end: number): readonly number[] => {
  if (end <= 0) return [0]
  for (let power = 1; ; power *= 10)
    for (const factor of NICE) {
      const step = factor * power
      if (end / step < MAX_TICKS) return Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => at * step)
    }
}

/** ms of calls to the outside, by block. */
export const serviceTimes = (spans: readonly Span[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { block, kind, ms } of spans)
    if (block !== null && kind === 'service') times.set(block, (times.get(block) ?? 0) + ms)
  return times
}
