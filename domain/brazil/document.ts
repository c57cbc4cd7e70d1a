/** A document's characters without its mask; anything but text or a whole number has none. Numbers get back their leading zeros. */
export const bare = (value: unknown, length: number): string => {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? `${value}`.padStart(length, '0') : ''
  return typeof value === 'string' ? value.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase() : ''
}

/** No authority gives out a number of one figure repeated, though its check digits fit. */
const isRepeated = (characters: string): boolean => new Set(characters).size < 2

/** A character's worth in a weighted sum: figures count as themselves, letters from A = 17 on. */
const worth = (character: string): number => character.charCodeAt(0) - 48

const weighted = (characters: string, weights: readonly number[]): number =>
  [...characters].reduce((sum, character, index) => sum + worth(character) * (weights[index] ?? 0), 0)

/** The check digit of the federal documents: 11 less the remainder of the weighted sum, 0 where that has two figures. */
const checkDigit = (characters: string, weights: readonly number[]): string => {
  const rest = weighted(characters, weights) % 11
  return rest < 2 ? '0' : `${11 - rest}`
}

/** Puts a mask over as many characters as there are: `#` takes one, anything else stands where another follows. */
const masked = (characters: string, mask: string): string => {
  let at = 0
  let shown = ''
  for (const place of mask) {
    if (at >= characters.length) break
    shown += place === '#' ? characters[at++] : place
  }
  return shown
}

interface MaskOptions {
  /** Fills up with zeros from the left. */
  readonly pad?: boolean
}

/** Applies a mask to the digits typed so far. */
export const maskedDigits = (value: string | number, mask: string, options: MaskOptions = {}): string => {
  const digits = `${value}`.replaceAll(/\D/gu, '')
  return masked(options.pad === true ? digits.padStart(mask.replaceAll(/[^#]/gu, '').length, '0') : digits, mask)
}

const CEP_MASK = '#####-###'

/**
 * A postal code (CEP): eight figures, masked or not; `01.310-100` is one too. It has no check digit, but the regions of
 * the post begin with 01000-000.
 */
export const isCep = (value: unknown): boolean => /^(?!00)\d{8}$/u.test(bare(value, 8))

export const formatCep = (value: string | number, options?: MaskOptions): string =>
  maskedDigits(value, CEP_MASK, options)

const CNPJ_FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const CNPJ_SECOND = [6, ...CNPJ_FIRST]
const CNPJ_MASK = '##.###.###/####-##'
const CNPJ_EXACT = /^(?:\w{14}|\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2})$/u

/** A company's tax number (CNPJ), the one with letters included, masked or not. `exact` takes no other mask than its own. */
export const isCnpj = (value: unknown, exact = false): boolean => {
  const characters = bare(value, 14)
  if (!/^[0-9A-Z]{12}\d{2}$/u.test(characters) || isRepeated(characters)) return false
  if (exact && !CNPJ_EXACT.test(`${value}`)) return false
  return characters.slice(12) === checkDigit(characters, CNPJ_FIRST) + checkDigit(characters, CNPJ_SECOND)
}

/** `letters`: as numbers are given out since 2026, capital letters among the figures. */
export const formatCnpj = (
  value: string | number,
  options: MaskOptions & { readonly letters?: boolean } = {},
): string =>
  options.letters === true
    ? masked(`${value}`.replaceAll(/[^0-9A-Za-z]/gu, '').toUpperCase(), CNPJ_MASK)
    : maskedDigits(value, CNPJ_MASK, options)

const CPF_FIRST = [10, 9, 8, 7, 6, 5, 4, 3, 2]
const CPF_SECOND = [11, ...CPF_FIRST]
const CPF_MASK = '###.###.###-##'
const CPF_EXACT = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/u
/** The number of every example; it is nobody's. */
const CPF_EXAMPLE = '12345678909'

/** A person's tax number (CPF), masked or not. `exact` takes no other mask than its own. */
export const isCpf = (value: unknown, exact = false): boolean => {
  const digits = bare(value, 11)
  if (!/^\d{11}$/u.test(digits) || isRepeated(digits) || digits === CPF_EXAMPLE) return false
  if (exact && !CPF_EXACT.test(`${value}`)) return false
  return digits.slice(9) === checkDigit(digits, CPF_FIRST) + checkDigit(digits, CPF_SECOND)
}

export const formatCpf = (value: string | number, options?: MaskOptions): string =>
  maskedDigits(value, CPF_MASK, options)

const PIS_WEIGHTS = [3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const PIS_MASK = '###.#####.##-#'

/** A worker's social number (PIS, PASEP, NIT), masked or not. */
export const isPis = (value: unknown): boolean => {
  const digits = bare(value, 11)
  return /^\d{11}$/u.test(digits) && !isRepeated(digits) && digits.slice(10) === checkDigit(digits, PIS_WEIGHTS)
}

export const formatPis = (value: string | number, options?: MaskOptions): string =>
  maskedDigits(value, PIS_MASK, options)
