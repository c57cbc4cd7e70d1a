import type { Reference } from './references.ts'

/** Task and bot of an entity; a member is left out if it is missing or unknown. */
export interface Surroundings {
  readonly dialogtask?: string | undefined
  readonly bot?: string | undefined
}

/**
 * Whether a flow may reference an existing entity: content of another bot and handlers of another task are not allowed.
 * Unknown tasks and bots of a target are allowed.
 */
export const isWithinReach = (to: Reference['to'], target: Surroundings, flow: Surroundings): boolean => {
  if (to === 'bot') return true
  if (to === 'handler') return target.dialogtask === flow.dialogtask
  return target.bot === undefined || flow.bot === undefined || target.bot === flow.bot
}
