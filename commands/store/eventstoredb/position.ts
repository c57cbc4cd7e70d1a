import type { Position } from '@kurrent/kurrentdb-client'
import { START } from '../port.ts'

const DIGITS = 20
const PATTERN = /^(\d{20})\/(\d{20})$/

/** `commit/prepare`, zero-padded, so that positions compare as strings in the order of the log. */
export const toPosition = ({ commit, prepare }: Position): string => `${padded(commit)}/${padded(prepare)}`

/**
 * Undefined before the first event.
 * @throws RangeError when the text was never a position of this store
 */
export const fromPosition = (position: string): Position | undefined => {
  if (position === START) return undefined
  const [, commit, prepare] = PATTERN.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw new RangeError(`${position} is not a position of this store`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

const padded = (part: bigint) => String(part).padStart(DIGITS, '0')
