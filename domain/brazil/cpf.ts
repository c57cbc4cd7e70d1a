import { bare, checkDigit, isRepeated, type MaskOptions, maskedDigits } from './document.ts'

const FIRST = [10, 9, 8, 7, 6, 5, 4, 3, 2]
const SECOND = [11, ...FIRST]
const MASK = '###.###.###-##'
const EXACT = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/u
/** The number of every example; it is nobody's. */
const EXAMPLE = '12345678909'

/** A person's tax number (CPF), masked or not. `exact` takes no other mask than its own. */
export const isCpf = (value: unknown, exact = false): boolean => {
  const digits = bare(value, 11)
  if (!/^\d{11}$/u.test(digits) || isRepeated(digits) || digits === EXAMPLE) return false
  if (exact && !EXACT.test(`${value}`)) return false
  return digits.slice(9) === checkDigit(digits, FIRST) + checkDigit(digits, SECOND)
}

export const formatCpf = (value: string | number, options?: MaskOptions): string => maskedDigits(value, MASK, options)
