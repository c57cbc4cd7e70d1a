import { z } from 'zod'
import { named } from './common.ts'
import { instant } from './query.ts'

const id = z.string().max(200)
const state = z.enum(['arrived', 'failing', 'givenup'])

export const deliveryQuery = z.strictObject({
  status: state.optional(),
  from: instant.optional(),
})

/** The newest 100 attempts, one for each event. */
export const deliveriesSchema = named(
  'WebhookDeliveries',
  z.object({
    items: z.array(
      z.object({
        event: z.string(),
        type: z.string(),
        /** Of its subject. */
        entity: z.string(),
        time: z.iso.datetime(),
        state,
        tries: z.int(),
        /** HTTP status; null: there was no answer. */
        status: z.int().nullable(),
        /** Why there was none, as a sentence. */
        reason: z.string().nullable(),
        ms: z.int(),
        next: z.iso.datetime().nullable(),
        /** First 200 characters of the answer; absent without the right to change it. */
        answer: z.string().optional(),
        replay: z.boolean(),
      }),
    ),
  }),
)

export const retryBody = named('WebhookRetry', z.strictObject({ ids: z.array(id).min(1).max(1_000) }))
export const retriedSchema = named('WebhookRetried', z.object({ ids: z.array(z.string()) }))

/** `after`: a cursor of `GET /event`. `only`: `failed` retries what did not arrive since `from`. */
export const replayBody = named(
  'WebhookReplay',
  z.strictObject({
    after: z.string().max(300).optional(),
    from: instant.optional(),
    to: instant.optional(),
    only: z.enum(['failed', 'all']).default('all'),
  }),
)
/** Number of events that are retried; null: not known before the end. */
export const replayedSchema = named('WebhookReplayed', z.object({ count: z.int().nullable() }))

export const webhookTestSchema = named(
  'WebhookTest',
  z.object({ ok: z.boolean(), status: z.int().nullable(), reason: z.string().nullable(), time: z.int() }),
)
