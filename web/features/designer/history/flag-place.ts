/** Widest that a letter of a flag is on the whole, and the padding around its words. Pixels. */
const LETTER = 6.2
const PADDING = 10

/** How wide the words of a flag are, at most on the whole. Pixels. */
export const flagWidth = (words: string): number => words.length * LETTER + PADDING

interface Place {
  readonly x: number
  readonly words: string
}

/**
 * How far left of its line each flag's words begin, in pixels, for flags from left to right that end at `width`: 0 where there is room
 * after the line, and before what stands right of it otherwise.
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
