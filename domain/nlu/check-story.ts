import type { Json } from '#schemas/event.ts'
import { isObject } from '../flow/document/json.ts'
import { NONE_INTENT } from './project-data.ts'

export interface StoryStep {
  readonly kind: 'intent' | 'entity' | 'action'
  readonly name: string
  /** Of an action: what the bot says. */
  readonly text: string
}

export interface CheckedStory {
  readonly id: string
  readonly name: string
  readonly steps: readonly StoryStep[]
}

/** What steps can name, with all that the project inherits. */
export interface StoryNames {
  /** Whether the intent has lines, so that it can be understood. */
  readonly intents: ReadonlyMap<string, boolean>
  readonly entities: ReadonlySet<string>
  /** Undefined where nothing is known of what bots of the project can do. */
  readonly actions: ReadonlySet<string> | undefined
}

/**
 * What is wrong with a story. `intent`, `entity`, `action`: a step names what is not there. `unsaid`: its intent has no
 * lines. `unreachable`: nobody gets to that step. `silent`: the bot does nothing in it. `contradiction`: another story
 * has the same beginning, and the bot does something else. `same`: another story has the same steps.
 */
type StoryFaultCode = 'intent' | 'entity' | 'action' | 'unsaid' | 'unreachable' | 'silent' | 'contradiction' | 'same'

interface StoryFault {
  readonly code: StoryFaultCode
  /** Place of the step, from 0; null where it is of the whole story. */
  readonly step: number | null
  /** What the step names. */
  readonly name: string
  /** The other story; what the bot does there, empty where it waits. */
  readonly other?: { readonly id: string; readonly name: string; readonly does: string }
}

/** Intents that Rasa knows by itself. */
const RASA_INTENTS: ReadonlySet<string> = new Set(['restart', 'back', 'session_start'])
/** Actions that Rasa has by itself. */
const RASA_ACTION =
  /^action_(?:listen|restart|session_start|default_fallback|deactivate_loop|two_stage_fallback|default_ask_affirmation|default_ask_rephrase|back|unlikely_intent|extract_slots)$/u
/** After these nothing follows: the conversation is begun anew. */
const ENDS: ReadonlySet<string> = new Set(['action_restart', 'action_session_start'])
/** Other stories that are told of. */
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

/** What the bot does next: an action, or nothing (it waits) before an intent and at the end. */
const doesNext = (step: StoryStep | undefined): string | undefined =>
  step?.kind === 'entity' ? undefined : step?.kind === 'action' ? step.name : ''

/** What the bot says may be given in one of them alone. */
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
 * What is wrong with a story of a project (NLU.md 5.13): names that are not there, steps that nobody gets to, and other
 * stories that contradict it. Two stories contradict one another where they are the same up to a point at which the bot
 * does one thing in the one and another, or nothing, in the other.
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
