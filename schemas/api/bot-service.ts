import { z } from 'zod'
import { SERVICE_STATES, SERVICE_STATUSES } from '../entities/botservice.ts'
import { named } from './name.ts'

const status = z.enum(SERVICE_STATUSES)

/** A part of a bot, and what each node says of it at this moment (RUNTIME 94). */
const botServiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  systemid: z.string(),
  state: z.enum(SERVICE_STATES),
  status,
  buildversion: z.string().nullable(),
  /** Since when it is in this state. */
  since: z.iso.datetime(),
  nodes: z.array(z.object({ node: z.string(), version: z.string(), status, since: z.iso.datetime() })),
})

export const botServicesSchema = named(
  'BotServices',
  z.object({
    runningstatus: z.string(),
    /** Services that are up, and those that the bot needs. */
    up: z.int(),
    needed: z.int(),
    items: z.array(botServiceSchema),
  }),
)

/** Result of `fix` for a service, on the asked node (RUNTIME 95). */
const fixedServiceSchema = z.object({
  systemid: z.string(),
  name: z.string(),
  before: status,
  after: status,
  did: z.enum(['nothing', 'reopened', 'unmended']),
})

export type FixedService = z.output<typeof fixedServiceSchema>
