/** Counts below this, except 0, are hidden from users who may not read conversations. */
export const FEW = 5

/** Figures as a user sees them. */
export interface ShownFigures {
  /** Null: hidden. */
  readonly count: (n: number) => number | null
  /** Mean of that many values. */
  readonly mean: (sum: number, n: number) => number | null
  /** Price of that many messages. */
  readonly micros: (micros: bigint, n: number) => bigint | null
}

const EXACT: ShownFigures = { count: n => n, mean: (sum, n) => (n === 0 ? null : sum / n), micros: micros => micros }

/** 5 to 9 are 5: a total of 10 over two hidden counts would reveal that both are 4. */
const rounded = (n: number): number | null => {
  if (n === 0) return 0
  if (n < FEW) return null
  return n < 2 * FEW ? FEW : Math.round(n / FEW) * FEW
}

/**
 * A hidden count would be the difference of two exact ones, on the same page or with another filter: the others are rounded.
 * A mean or a price with all its digits would reveal the number that it was divided by.
 */
const ROUNDED: ShownFigures = {
  count: rounded,
  mean: (sum, n) => (rounded(n) ? Number((sum / n).toPrecision(2)) : null),
  micros: (micros, n) => {
    const shown = rounded(n)
    return shown === null || n === 0 ? null : (micros * BigInt(shown)) / BigInt(n)
  },
}

/** `showsFew`: the user may read conversations. */
export const shownFigures = (showsFew: boolean): ShownFigures => (showsFew ? EXACT : ROUNDED)

export const shownCount = (showsFew: boolean): ShownFigures['count'] => shownFigures(showsFew).count

/** A count in a text that all readers of a bot get. */
export const countForAll = (n: number): number | string => rounded(n) ?? `1–${FEW - 1}`
