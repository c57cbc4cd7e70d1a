import { START } from '../port.ts'

const DIGITS = 16

/** Zero-padded, so that positions compare as strings in the order of the log. */
export function toPosition(sequence: number): string {
  return sequence === 0 ? START : String(sequence).padStart(DIGITS, '0')
}

/** @throws RangeError when the text was never a position of this store */
export function fromPosition(position: string): number {
  if (position === START) return 0
  if (!/^\d{16}$/.test(position)) throw new RangeError(`${position} is not a position of this store`)
  return Number(position)
}
