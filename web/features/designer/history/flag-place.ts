/** Widest that a letter of a flag is on the whole, and the padding around its words. Pixels. */
const LETTER = 6.2
const PADDING = 10

/** Estimated upper bound of a flag's text width. Pixels. */
export const flagWidth = (words: string): number => words.length * LETTER + PADDING

interface Place {
  readonly x: number
  readonly words: string
}

/**
 * Left shift of each flag's text from its line, in pixels, for flags from left to right that end at `width`: 0 if it
 * fits after the line, else enough to end before the flag on its right.
 */
export const flagShifts = (flags: readonly Place[], width: number): readonly number[] => {
  let limit = width
  return flags
    .toReversed()
    .map(({ x, words }) => {
      const end = x + flagWidth(words)
      const shift = Math.max(0, end - limit)
      limit = x - shift
      return shift
    })
    .toReversed()
}
