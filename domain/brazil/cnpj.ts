import { bare, checkDigit, isRepeated, type MaskOptions, masked, maskedDigits } from './document.ts'

const FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const SECOND = [6, ...FIRST]
const MASK = '##.###.###/####-##'
const EXACT = /^(?:\w{14}|\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2})$/u

/** A company's tax number (CNPJ), the one with letters included, masked or not. `exact` takes no other mask than its own. */
export const isCnpj = (value: unknown, exact = false): boolean => {
  const characters = bare(value, 14)
  if (!/^[0-9A-Z]{12}\d{2}$/u.test(characters) || isRepeated(characters)) return false
  if (exact && !EXACT.test(`${value}`)) return false
  return characters.slice(12) === checkDigit(characters, FIRST) + checkDigit(characters, SECOND)
}

/** `letters`: as numbers are given out since 2026, capital letters among the figures. */
export const formatCnpj = (
  value: string | number,
  options: MaskOptions & { readonly letters?: boolean } = {},
): string =>
  options.letters === true
    ? masked(`${value}`.replaceAll(/[^0-9A-Za-z]/gu, '').toUpperCase(), MASK)
    : maskedDigits(value, MASK, options)
