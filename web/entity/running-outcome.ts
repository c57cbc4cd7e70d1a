import type { RunningBots } from '#schemas/api/running-bots.ts'

/** Selects the sentence about running bots (D-8.04); undefined if no bot runs. */
export const runningOutcome = ({ running, updated, heard }: RunningBots): 'all' | 'some' | 'none' | undefined => {
  if (running === 0) return undefined
  if (updated === 0) return 'none'
  return updated === running && heard ? 'all' : 'some'
}
