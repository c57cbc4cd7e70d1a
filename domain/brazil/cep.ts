import { bare, type MaskOptions, maskedDigits } from './document.ts'

const MASK = '#####-###'

/**
 * A postal code (CEP): eight figures, masked or not; `01.310-100` is one too. It has no check digit, but the regions of
 * the post begin with 01000-000.
 */
export const isCep = (value: unknown): boolean => /^(?!00)\d{8}$/u.test(bare(value, 8))

export const formatCep = (value: string | number, options?: MaskOptions): string => maskedDigits(value, MASK, options)
