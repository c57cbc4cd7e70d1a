import type { RunningBots } from '#schemas/api/running-bots.ts'

/** Which of the sentences about running bots is said (D-8.04); undefined: no bot runs, so there is none to say. */
export const runningOutcome = ({ running, updated, heard }: RunningBots): 'all' | 'some' | 'none' | undefined => {
  if (running === 0) return undefined
  if (updated === 0) return 'none'
  return updated === running && heard ? 'all' : 'some'
}
