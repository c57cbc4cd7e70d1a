import { z } from 'zod'
import { named } from './name.ts'

/** Sources for understanding and for handover to agents: running bots apply changes at once. */
export const RUNNING_SOURCES = ['nlusettings', 'nluproject', 'brain', 'agentchannel'] as const

export type RunningSource = (typeof RUNNING_SOURCES)[number]

/** Whether running bots follow what was stored (D-8.02, D-8.04). */
export const runningBotsSchema = named(
  'RunningBots',
  z.object({
    /** Instances of bots that use it, a bot on a node each. */
    running: z.int(),
    /** Of those, the ones that follow. */
    updated: z.int(),
    /** False: there may be nodes that are not heard of at the moment. */
    heard: z.boolean(),
  }),
)

export type RunningBots = z.output<typeof runningBotsSchema>
