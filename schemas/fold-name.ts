/** Dotless i has no capital of its own: it stays apart from i. */
const CASED = /[^\u0131]/gu

/** Through the capital, so that ß is ss and the sigma at a word's end is any other; by itself, so that what follows counts not. */
const foldCase = (letter: string): string => letter.toLowerCase().toUpperCase().toLowerCase()

/** NFKC, trimmed, white space joined, case folded; accents count (API.md, names). */
export const foldName = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/gu, ' ').replace(CASED, foldCase).normalize('NFKC')
