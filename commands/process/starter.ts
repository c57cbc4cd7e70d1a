import type { Caller } from '../port.ts'

/** Who starts a process, and what all of its ids follow from. */
export interface Starter {
  readonly caller: Caller
  readonly seed: string
  readonly correlation: string
}
