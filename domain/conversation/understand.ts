import type { Steps, Understood } from './effect.ts'
import { perform, recordProblem, type Turn, type Unrecognized } from './turn.ts'

/** Interpretation of a text by a model, and its likeliest intent; absent if no model answered. */
interface Meaning extends Understood {
  readonly likeliest?: Unrecognized
}

const NOTHING: Meaning = { intents: [], entities: [] }

/**
 * Interprets a text with a model (RUNTIME 17): empty if the model may not be asked or fails. Excludes results below the
 * bot's confidence, or below the model's threshold if the bot sets none. The best intent and all entities stay readable
 * for the flow.
 */
export function* understand(turn: Turn, text: string, isPrompting: boolean): Steps<Meaning> {
  const { nlu } = turn.settings
  if (!nlu.enabled || text.trim() === '' || (isPrompting && nlu.offOnPrompts)) return NOTHING
  const { id: session, locale } = turn.state
  const answer = yield* perform(turn, { kind: 'nlu', text, locale, session })
  if (!answer.ok) {
    recordProblem(turn, 'nlu.failed', answer.code)
    return NOTHING
  }
  const intents = answer.intents
    .filter(({ confidence }) => confidence >= (nlu.intentConfidence ?? answer.threshold ?? 0))
    .toSorted((a, b) => b.confidence - a.confidence)
  const entities = answer.entities.filter(({ confidence }) => confidence >= (nlu.entityConfidence ?? 0))
  const [best] = intents
  turn.state = {
    ...turn.state,
    intent: best === undefined ? {} : { name: best.name, confidence: best.confidence },
    entities: Object.fromEntries(entities.map(({ name, value }) => [name, value])),
  }
  const [first] = answer.intents.toSorted((a, b) => b.confidence - a.confidence)
  const likeliest = { intent: first?.name ?? null, confidence: first?.confidence ?? 0 }
  return { intents, entities, likeliest }
}
