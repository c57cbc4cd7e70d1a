import { z } from 'zod'
import { findingSchema, logVerifiedSchema } from '../events/seal.ts'
import { named } from './common.ts'
import { personSchema } from './write.ts'

/** State of the log: its last seal, and the result of the last verification. */
export const chainSchema = named(
  'Chain',
  z.object({
    /** Public key of the seals, Ed25519, base64url. */
    key: z.string(),
    /** `events`: all that are sealed. */
    seal: z.object({ number: z.int(), time: z.string(), events: z.int() }).nullable(),
    unsealed: z.int(),
    /** A verification under way on this node. */
    running: z.object({ since: z.string(), user: personSchema.nullable() }).nullable(),
    /** `user`: null for the system. `findings`: only for who sees all levels. */
    verification: logVerifiedSchema
      .extend({ time: z.string(), user: personSchema.nullable(), findings: z.array(findingSchema) })
      .nullable(),
  }),
)
