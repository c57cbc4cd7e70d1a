import { z } from 'zod'
import { fieldProblemSchema, json, named } from './common.ts'

/** A block as its flow file has it, and a value for each variable that its expressions read. */
export const tryBody = named(
  'Try',
  z.strictObject({
    properties: z.record(z.string().max(500), json).default({}),
    values: z.record(z.string().max(500), json).default({}),
  }),
)

/** Why there is no answer: a refusal's code, its text in the caller's language, and where in the block. */
const failure = z.object({ code: z.string(), detail: z.string(), errors: z.array(fieldProblemSchema).optional() })

/** ms from the first look at the address to the last byte of the answer. */
const time = z.int()
const headers = z.array(z.object({ name: z.string(), value: z.string() }))

export const tryCallAnswer = named(
  'TryCallAnswer',
  z.object({
    time,
    /** Request after expressions ran. */
    request: z.object({ method: z.string(), url: z.string() }).optional(),
    answer: z
      .object({
        status: z.int(),
        /** URL after redirects. */
        url: z.string(),
        redirects: z.int(),
        headers,
        /** As text; empty when it is none. */
        body: z.string(),
        binary: z.boolean(),
        /** Bytes that were read. */
        size: z.int(),
        /** There was more. */
        truncated: z.boolean(),
      })
      .optional(),
    failure: failure.optional(),
  }),
)

export const tryFeedAnswer = named(
  'TryFeedAnswer',
  z.object({
    time,
    status: z.int().optional(),
    feed: z
      .object({
        title: z.string(),
        /** As many as the block asks for; texts without tags, '' where an item has none. */
        items: z.array(z.object({ title: z.string(), description: z.string(), link: z.string(), image: z.string() })),
      })
      .optional(),
    failure: failure.optional(),
  }),
)

export const tryScriptAnswer = named(
  'TryScriptAnswer',
  z.object({
    /** ms */
    time: z.int(),
    value: json.optional(),
    console: z.array(z.object({ level: z.enum(['log', 'info', 'warn', 'error', 'debug']), text: z.string() })),
    error: z.object({ message: z.string(), line: z.int().optional(), column: z.int().optional() }).optional(),
    /** It was stopped by a limit, or not begun because too many wait. */
    ended: z.enum(['time', 'memory', 'stack', 'busy']).optional(),
    failure: failure.optional(),
  }),
)
