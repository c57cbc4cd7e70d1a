import { type MaskOptions, maskedDigits } from './document.ts'

const MASK = '#####-###'

/** A postal code (CEP): eight figures, with or without the hyphen before the last three. It has no check digit. */
export const isCep = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && /^\d{5}-?\d{3}$/u.test(`${value}`)

export const formatCep = (value: string | number, options?: MaskOptions): string => maskedDigits(value, MASK, options)
