import { bare, checkDigit, isRepeated, type MaskOptions, maskedDigits } from './document.ts'

const WEIGHTS = [3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const MASK = '###.#####.##-#'

/** A worker's social number (PIS, PASEP, NIT), masked or not. */
export const isPis = (value: unknown): boolean => {
  const digits = bare(value, 11)
  return /^\d{11}$/u.test(digits) && !isRepeated(digits) && digits.slice(10) === checkDigit(digits, WEIGHTS)
}

export const formatPis = (value: string | number, options?: MaskOptions): string => maskedDigits(value, MASK, options)
