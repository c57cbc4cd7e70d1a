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
