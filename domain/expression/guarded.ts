import { FaultError, fault, type Outcome } from './fault.ts'
import type { Place } from './place.ts'
import { plainValue } from './plain-value.ts'

/** Converts a thrown error to a fault; if only the values caused it, its place is the whole expression. */
export const faultOf = (error: unknown, whole: Place) => {
  if (error instanceof FaultError) return fault(error.code, error.at ?? whole, error.message)
  if (error instanceof RangeError) return fault('limit', whole)
  return fault('value', whole)
}

/** Evaluates; the result is plain data within its bounds, and nothing is thrown. */
export const guarded = (whole: Place, evaluate: () => unknown): Outcome<unknown> => {
  try {
    return { ok: true, value: plainValue(evaluate()) }
  } catch (error) {
    return faultOf(error, whole)
  }
}
