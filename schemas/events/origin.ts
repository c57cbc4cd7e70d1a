import { z } from 'zod'
import type { Json } from '../event.ts'

/** Days after which addresses, browsers and names that were tried are removed. */
export const ORIGIN_DAYS = 90

export const ORIGIN_PREFIX = 'origin-'
/** One stream a day, so that retention removes whole streams. */
export const originStream = (time: string): string => ORIGIN_PREFIX + time.slice(0, 10)

const json = z.json() as z.ZodType<Json>

/**
 * `OriginSeen` in `origin-<day>`: the address and browser of a session or of an attempt to sign in. `origin` is the id of the
 * session, or 64 random hex digits of an attempt; events that it caused have it as their `causation`. Values of a user are
 * encrypted with the user's key. `name`: beginning and length of the name that was tried, where no user has it.
 */
export const originSeenSchema = z.object({
  origin: z.string(),
  user: z.string().nullable(),
  fields: z.object({ address: json, agent: json, name: z.string().optional() }),
})

/** Whether a causation is the id of a session or attempt: ids of events are UUIDs. */
export const isOriginId = (causation: string | null): causation is string =>
  causation !== null && /^[0-9a-f]{64}$/.test(causation)
