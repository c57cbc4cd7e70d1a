import { z } from 'zod'
import { isEntityName } from '../entities/registry.ts'
import { isPublicType, publicEventSchema } from '../public-event.ts'
import { named } from './common.ts'
import { flag, instant } from './query.ts'

const MAX_EVENTS = 1_000
const MAX_WAIT_S = 30
const MAX_TYPES = 50

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))

/** `after`: cursor of an earlier answer. Neither `after` nor `from`: events from now on. */
export const eventQuery = z.strictObject({
  after: z.string().max(300).optional(),
  from: instant.optional(),
  /** Kinds, with commas between them. */
  type: z
    .string()
    .max(1_000)
    .transform(text => text.split(','))
    .pipe(z.array(z.string().refine(isPublicType)).max(MAX_TYPES))
    .optional(),
  entity: z
    .string()
    .max(100)
    .refine(name => name === 'conversation' || isEntityName(name))
    .optional(),
  limit: whole(1, MAX_EVENTS).default(100),
  /** Longest wait for the first event, s. */
  wait: whole(0, MAX_WAIT_S).default(0),
  values: flag.optional(),
  /** With `values`, and a reason: personal values of users too. Needs `sendpersonal`. */
  personal: flag.optional(),
  reason: z.string().trim().min(1).max(500).optional(),
})

export const eventPageSchema = named(
  'EventPage',
  z.object({
    items: z.array(publicEventSchema),
    /** `after` of the next call. */
    next: z.string(),
    /** All events up to now were looked at; false: call again at once, also after a page without items. */
    caughtup: z.boolean(),
  }),
)

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
    /** Events that wait to be sent, or sent again, about; null without the right to change it, or when the store is down. */
    behind: z.int().nullable(),
    /** Time of the last arrival; null: none in 7 days. */
    last: z.iso.datetime().nullable(),
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
