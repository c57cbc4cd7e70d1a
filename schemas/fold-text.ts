/** Dotless i has no separate capital: it differs from i. */
const CASED = /[^\u0131]/gu

/**
 * Through the capital, so that ß equals ss and a final sigma any other; per letter, so that the next one has no effect.
 */
const foldCase = (letter: string): string => letter.toLowerCase().toUpperCase().toLowerCase()

/** NFKC, trimmed, white space joined, case folded; accents count. */
export const foldName = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/gu, ' ').replace(CASED, foldCase).normalize('NFKC')

/** A text for comparison with typed input: without capitals and accents. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
