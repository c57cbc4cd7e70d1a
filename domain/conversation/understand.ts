import type { Steps, Understood } from './effect.ts'
import { perform, recordProblem, type Turn, type Unrecognized } from './turn.ts'

/** What a model makes of a text, and what it held for the likeliest; absent where no model answered. */
interface Meaning extends Understood {
  readonly likeliest?: Unrecognized
}

const NOTHING: Meaning = { intents: [], entities: [] }

/**
 * What a model makes of a text (RUNTIME 17): nothing where it may not be asked or fails, and nothing that it is less
 * sure of than the bot wants, or than its own threshold where the bot names none. The best intent and all entities stay
 * readable for the flow.
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
