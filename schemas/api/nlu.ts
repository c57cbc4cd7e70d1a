import { z } from 'zod'
import { named } from './name.ts'

/** A text to understand, by the model in production or the one in test. */
export const parseBody = named(
  'ParseText',
  z.strictObject({ text: z.string().max(4000), model: z.enum(['production', 'test']).default('production') }),
)

const reasons = z.array(z.object({ text: z.string(), weight: z.number() }))

/** What a model made of a text (NLU.md 5.10). Confidences are from 0 to 1, places count UTF-16 units. */
export const understandingSchema = named(
  'Understanding',
  z.object({
    /** Null where the model is not sure enough. */
    intent: z.string().nullable(),
    confidence: z.number(),
    ranking: z.array(z.object({ name: z.string(), confidence: z.number() })),
    entities: z.array(
      z.object({
        entity: z.string(),
        value: z.union([z.string(), z.number()]),
        raw: z.string(),
        start: z.int(),
        end: z.int(),
        confidence: z.number(),
        by: z.enum(['regex', 'lookup', 'learned', 'system']),
      }),
    ),
    /** What weighed most for and against the best intent. */
    reasons: z.object({ for: reasons, against: reasons }),
    threshold: z.number(),
    /** Answers to the intent, as its model has them. */
    responses: z.array(z.string()),
    system: z.string(),
    /** Hash of the model. */
    model: z.string(),
    ms: z.number(),
  }),
)

/** How a training goes; `progress` from 0 to 1, null where this node does not train it. */
export const trainingSchema = named(
  'Training',
  z.object({
    status: z.string(),
    started: z.string().nullable(),
    finished: z.string().nullable(),
    error: z.string().nullable(),
    progress: z.number().nullable(),
  }),
)
