/** One line of the benchmark's table. */
export interface Figure {
  readonly id: string
  readonly what: string
  readonly measured: string
  readonly target: string
  /** Null where nothing is demanded. */
  readonly met: boolean | null
  /** The numbers behind it, for the JSON. */
  readonly detail: Readonly<Record<string, number | string>>
}

/** A figure of `--quick`: a ratio to what ran beside it in the same process, where there is such a thing. */
export interface QuickFigure {
  readonly what: string
  readonly value: number
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}
export const median = (values: readonly number[]): number => quantile(values, 0.5)
export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits))

/** Run by `npm run bench -- --month`. */
export const isShort = process.env.PARLEY_BENCH_SHORT === '1'
/** Rounds of an interleaved measurement; the table shows the median. */
export const ROUNDS = isShort ? 3 : 7
