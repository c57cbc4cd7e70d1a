import { bare, type MaskOptions, maskedDigits } from './document.ts'

const MASK = '#####-###'

/** A postal code (CEP): eight figures, masked or not; `01.310-100` is one too. It has no check digit. */
export const isCep = (value: unknown): boolean =>
  /^\d{8}$/u.test(typeof value === 'string' ? bare(value, 8) : typeof value === 'number' ? `${value}` : '')

export const formatCep = (value: string | number, options?: MaskOptions): string => maskedDigits(value, MASK, options)
