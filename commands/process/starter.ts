import type { Caller } from '../port.ts'

/** Starter of a process, and the source of all its ids. */
export interface Starter {
  readonly caller: Caller
  readonly seed: string
  readonly correlation: string
}
