import { z } from 'zod'
import { HEALTH_STATES } from '../channel-type.ts'
import { named } from './common.ts'

/** Result of a channel's connection test: no secret. */
export const channelTestAnswer = named(
  'ChannelTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['settings', 'address', 'provider']),
        ok: z.boolean(),
        /** The provider's account details, or the fault in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
        /** Names of fields that are missing. */
        missing: z.array(z.string()),
      }),
    ),
  }),
)

const hour = z.object({ in: z.int(), out: z.int(), failed: z.int() })

/** Health of a channel of a provider (docs/channels.md). */
export const channelHealthAnswer = named(
  'ChannelHealth',
  z.object({
    id: z.string(),
    state: z.enum(HEALTH_STATES),
    /** Cause; empty: none. */
    code: z.string(),
    /** Detail of the cause: the provider's code, the name of a field, a number. */
    detail: z.string(),
    /** Title of the provider's code; empty when it is not known. */
    title: z.string(),
    /** Begin of an error; null for other states. */
    since: z.string().nullable(),
    /** The last 24 hours, the newest last. */
    hours: z.array(hour),
    lastin: z.string().nullable(),
    lastout: z.string().nullable(),
    /** Conversations whose messages wait for the provider. */
    waiting: z.int(),
    /** End of the token; null: it has none, or the provider does not say. */
    tokenends: z.string().nullable(),
  }),
)

/** The last message that people wrote to the number of an account of Meta, by any address; null: none in 8 days. */
export const numberSeenAnswer = named('NumberSeenAnswer', z.object({ last: z.string().nullable() }))

export const channelHealthList = named('ChannelHealthList', z.object({ items: z.array(channelHealthAnswer) }))
