import type { JsonObject } from '#schemas/event.ts'
import type { BatchPlan, ProcessPlan } from '#schemas/events/process.ts'
import type { Refusal } from '#schemas/refusal.ts'
import type { Command, Outcome } from '../port.ts'

/** Result of a process step. */
export interface Performed {
  readonly refusal?: Refusal
  /** Report of the step for callers that wait for the process. */
  readonly told?: JsonObject
}

export interface How {
  /** Ids that copied flows refer to, and what they then refer to. */
  readonly ids: NonNullable<ProcessPlan['ids']>
  /** An earlier attempt at the step may have written. */
  readonly resumed: boolean
  readonly batch?: BatchPlan | undefined
  /** Carries a command out under a seed; `resumed`: it may have been carried out before. */
  readonly execute: (command: Command, seed: string, resumed: boolean) => Promise<Outcome>
}
