import { z } from 'zod'
import type { Understood } from '#domain/conversation/effect.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { confidenceOf, readAnswer } from '../ml-port.ts'

/** Rasa's intent for texts that it did not understand. */
const FALLBACK = 'nlu_fallback'

const share = z.number().nullish()

/** POST /model/parse of the Rasa HTTP API 3.x; older versions call the confidence of an entity `confidence`. */
const parseAnswer = z.object({
  intent: z.object({ name: z.string().nullable(), confidence: share }).nullable(),
  entities: z
    .array(z.object({ entity: z.string(), value: z.json(), confidence_entity: share, confidence: share }))
    .default([]),
  intent_ranking: z.array(z.object({ name: z.string(), confidence: z.number() })).default([]),
})

/** Intents and entities of a response in Rasa's format. */
export const readRasaParse = (answer: Result<Json>): Result<Understood> => {
  const read = readAnswer(parseAnswer, answer)
  if (!read.ok) return read
  const { intent, entities, intent_ranking: ranking } = read.value
  const named =
    typeof intent?.name === 'string' ? [{ name: intent.name, confidence: confidenceOf(intent.confidence) }] : []
  const all = ranking.length > 0 ? ranking : named
  const isFallback = intent?.name === FALLBACK || named.length === 0
  return accepted({
    intents: isFallback
      ? []
      : all
          .filter(({ name }) => name !== FALLBACK)
          .map(({ name, confidence }) => ({ name, confidence: confidenceOf(confidence) })),
    entities: entities.map(({ entity: name, value, confidence_entity: certain, confidence }) => ({
      name,
      value: value as Json,
      confidence: confidenceOf(certain ?? confidence ?? 1),
    })),
  })
}
