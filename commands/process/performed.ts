import type { JsonObject } from '#schemas/event.ts'
import type { Refusal } from '#schemas/refusal.ts'

/** What became of a step of a process. */
export interface Performed {
  readonly refusal?: Refusal
  /** What whoever waits for the process is told of the step. */
  readonly told?: JsonObject
}
