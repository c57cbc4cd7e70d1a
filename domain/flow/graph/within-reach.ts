import type { Reference } from './references.ts'

/** The task and the bot that something lies in; a member is left out where there is none or it is not known. */
export interface Surroundings {
  readonly dialogtask?: string | undefined
  readonly bot?: string | undefined
}

/**
 * Whether a flow may point to something that exists: what lies in another bot cannot be gone to or used, and a handler
 * of another task cannot be called. What is not known is not held against it.
 */
export const isWithinReach = (to: Reference['to'], target: Surroundings, flow: Surroundings): boolean => {
  if (to === 'bot') return true
  if (to === 'handler') return target.dialogtask === flow.dialogtask
  return target.bot === undefined || flow.bot === undefined || target.bot === flow.bot
}
