/** A document's characters without its mask; anything but text or a whole number has none. Numbers get back their leading zeros. */
export const bare = (value: unknown, length: number): string => {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? `${value}`.padStart(length, '0') : ''
  return typeof value === 'string' ? value.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase() : ''
}

/** No authority gives out a number of one figure repeated, though its check digits fit. */
export const isRepeated = (characters: string): boolean => new Set(characters).size < 2

/** A character's worth in a weighted sum: figures count as themselves, letters from A = 17 on. */
const worth = (character: string): number => character.charCodeAt(0) - 48

const weighted = (characters: string, weights: readonly number[]): number =>
  [...characters].reduce((sum, character, index) => sum + worth(character) * (weights[index] ?? 0), 0)

/** The check digit of the federal documents: 11 less the remainder of the weighted sum, 0 where that has two figures. */
export const checkDigit = (characters: string, weights: readonly number[]): string => {
  const rest = weighted(characters, weights) % 11
  return rest < 2 ? '0' : `${11 - rest}`
}

/** Puts a mask over as many characters as there are: `#` takes one, anything else stands where another follows. */
export const masked = (characters: string, mask: string): string => {
  let at = 0
  let shown = ''
  for (const place of mask) {
    if (at >= characters.length) break
    shown += place === '#' ? characters[at++] : place
  }
  return shown
}

export interface MaskOptions {
  /** Fills up with zeros from the left. */
  readonly pad?: boolean
}

/** Applies a mask to the digits typed so far. */
export const maskedDigits = (value: string | number, mask: string, options: MaskOptions = {}): string => {
  const digits = `${value}`.replaceAll(/\D/gu, '')
  return masked(options.pad === true ? digits.padStart(mask.replaceAll(/[^#]/gu, '').length, '0') : digits, mask)
}
