import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { NONE_INTENT } from './project-data.ts'

export interface StoryStep {
  readonly kind: 'intent' | 'entity' | 'action'
  readonly name: string
  /** Of an action: the bot's text. */
  readonly text: string
}

export interface CheckedStory {
  readonly id: string
  readonly name: string
  readonly steps: readonly StoryStep[]
}

/** Names for steps, including inherited ones. */
export interface StoryNames {
  /** Whether the intent has lines, so that it can be understood. */
  readonly intents: ReadonlyMap<string, boolean>
  readonly entities: ReadonlySet<string>
  /** Undefined where nothing is known of what bots of the project can do. */
  readonly actions: ReadonlySet<string> | undefined
}

/**
 * Fault of a story. `intent`, `entity`, `action`: a step names a missing one. `unsaid`: its intent has no lines.
 * `unreachable`: no conversation reaches that step. `silent`: the bot does nothing in it. `contradiction`: another
 * story has the same beginning, but another action of the bot. `same`: another story has the same steps.
 */
type StoryFaultCode = 'intent' | 'entity' | 'action' | 'unsaid' | 'unreachable' | 'silent' | 'contradiction' | 'same'

interface StoryFault {
  readonly code: StoryFaultCode
  /** Place of the step, from 0; null where it is of the whole story. */
  readonly step: number | null
  /** Name in the step. */
  readonly name: string
  /** The other story and its bot action there, empty if it waits. */
  readonly other?: { readonly id: string; readonly name: string; readonly does: string }
}

/** Built-in intents of Rasa. */
const RASA_INTENTS: ReadonlySet<string> = new Set(['restart', 'back', 'session_start'])
/** Built-in actions of Rasa. */
const RASA_ACTION =
  /^action_(?:listen|restart|session_start|default_fallback|deactivate_loop|two_stage_fallback|default_ask_affirmation|default_ask_rephrase|back|unlikely_intent|extract_slots)$/u
/** No step follows these: the conversation restarts. */
const ENDS: ReadonlySet<string> = new Set(['action_restart', 'action_session_start'])
/** Maximum reported stories. */
const MAX_OTHERS = 20

const KINDS = ['intent', 'entity', 'action'] as const

/** The steps of a story as it is stored. */
export const stepsOf = (value: Json | undefined): readonly StoryStep[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map(step => ({
    kind: KINDS.find(kind => kind === step.kind) ?? 'intent',
    name: typeof step.name === 'string' ? step.name.trim() : '',
    text: typeof step.text === 'string' ? step.text.trim() : '',
  }))

const isThere = ({ kind, name, text }: StoryStep, { intents, entities, actions }: StoryNames): boolean => {
  if (kind === 'intent') return intents.has(name) || RASA_INTENTS.has(name)
  if (kind === 'entity') return entities.has(name)
  return text !== '' || actions === undefined || actions.has(name) || RASA_ACTION.test(name)
}

const faultsOfSteps = (steps: readonly StoryStep[], names: StoryNames): readonly StoryFault[] =>
  steps.flatMap((step, at): readonly StoryFault[] => {
    const { kind, name } = step
    if (name === '') return []
    if (!isThere(step, names)) return [{ code: kind, step: at, name }]
    const canBeSaid = names.intents.get(name) !== false && name !== NONE_INTENT
    return kind === 'intent' && !canBeSaid ? [{ code: 'unsaid', step: at, name }] : []
  })

/** The first step that nobody gets to. */
const faultsOfOrder = (steps: readonly StoryStep[]): readonly StoryFault[] => {
  if (steps.length === 0) return []
  const end = steps.findIndex(({ kind, name }) => kind === 'action' && ENDS.has(name))
  // A session begins with the bot: `action_session_start` may stand first.
  const after = end > 0 ? steps[end + 1] : undefined
  const begins = steps.some(({ kind }) => kind === 'intent')
  const acts = steps.some(({ kind }) => kind === 'action')
  return [
    ...(after === undefined ? [] : [{ code: 'unreachable' as const, step: end + 1, name: after.name }]),
    ...(begins ? [] : [{ code: 'unreachable' as const, step: null, name: '' }]),
    ...(acts ? [] : [{ code: 'silent' as const, step: null, name: '' }]),
  ]
}

/** Entities that were said together have no order. */
const ordered = (steps: readonly StoryStep[]): readonly StoryStep[] => {
  const sorted: StoryStep[] = []
  let entities: StoryStep[] = []
  const end = () => {
    sorted.push(...entities.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
    entities = []
  }
  for (const step of steps) {
    if (step.kind === 'entity') entities.push(step)
    else {
      end()
      sorted.push(step)
    }
  }
  end()
  return sorted
}

/** Next action of the bot; '' (it waits) before an intent and at the end. */
const doesNext = (step: StoryStep | undefined): string | undefined =>
  step?.kind === 'entity' ? undefined : step?.kind === 'action' ? step.name : ''

/** One of them may lack the bot's text. */
const isSame = (one: StoryStep | undefined, other: StoryStep | undefined): boolean => {
  if (one === undefined || one.kind !== other?.kind || one.name !== other.name) return false
  return one.kind !== 'action' || one.text === '' || other.text === '' || one.text === other.text
}

const faultAgainst = (steps: readonly StoryStep[], other: CheckedStory): StoryFault | undefined => {
  const theirs = ordered(other.steps)
  if (steps.length === 0 || theirs.length === 0) return undefined
  let at = 0
  while (isSame(steps[at], theirs[at])) at += 1
  const { id, name } = other
  if (at === steps.length && at === theirs.length)
    return { code: 'same', step: null, name: '', other: { id, name, does: '' } }
  const [does, doThey] = [doesNext(steps[at]), doesNext(theirs[at])]
  if (at === 0 || does === undefined || doThey === undefined || (does === '' && doThey === '')) return undefined
  return { code: 'contradiction', step: at < steps.length ? at : null, name: does, other: { id, name, does: doThey } }
}

/**
 * Faults of a story of a project: missing names, unreachable steps, and contradicting stories. Two
 * stories contradict one another if they are the same up to a point at which the bot does one thing in the one and
 * another, or nothing, in the other.
 */
export const checkStory = (
  story: CheckedStory,
  others: readonly CheckedStory[],
  names: StoryNames,
): readonly StoryFault[] => {
  const steps = ordered(story.steps)
  const against = others.flatMap(other => (other.id === story.id ? [] : (faultAgainst(steps, other) ?? [])))
  return [...faultsOfSteps(story.steps, names), ...faultsOfOrder(story.steps), ...against.slice(0, MAX_OTHERS)]
}
