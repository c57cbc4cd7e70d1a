import { NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import {
  personaAt,
  SIMULATED_TIERS,
  type SimulatedClock,
  type SimulatedTier,
} from '#domain/campaign/simulated-number.ts'
import type { JsonObject } from '#schemas/event.ts'

/** Messages that a phone keeps; older ones are dropped from the state. */
const MAX_MESSAGES = 100

export interface PhoneButton {
  readonly title: string
  /** Payload of a template's reply, or id of a button or a row; absent for a link, which answers nothing. */
  readonly id?: string
  readonly url?: string
}

/** A message on a persona's phone. */
export interface PhoneMessage {
  readonly id: string
  readonly from: 'business' | 'persona'
  /** ms since 1970. */
  readonly time: number
  readonly kind: 'text' | 'template' | 'buttons' | 'list' | 'picture' | 'file' | 'place' | 'button'
  readonly text: string
  readonly header?: string
  readonly footer?: string
  /** Address of a picture or a file. */
  readonly link?: string
  readonly buttons?: readonly PhoneButton[]
  /** Id of the template at the double. */
  readonly template?: string
  /** Highest receipt of a message of the business. */
  readonly status?: 'sent' | 'delivered' | 'read' | 'failed'
  /** Text that is returned with receipts. */
  readonly callback?: string
  /** Id of the message that it answers. */
  readonly replyTo?: string
}

/** Work that waits for its moment on the simulated clock; `node`: the process that took the message. */
export type PendingStep = { readonly id: string; readonly at: number; readonly node: string } & (
  | {
      readonly kind: 'status'
      readonly persona: number
      readonly message: string
      readonly status: 'sent' | 'delivered' | 'read' | 'failed'
      readonly code?: number
    }
  /** Automatic answer of a persona; the phone shows it after the webhook call. */
  | { readonly kind: 'reply'; readonly persona: number; readonly message: PhoneMessage }
  /** Message that a user wrote on a persona's phone; the phone shows it already. */
  | { readonly kind: 'said'; readonly persona: number; readonly message: PhoneMessage }
  | { readonly kind: 'template'; readonly template: string; readonly status: string; readonly reason: string }
  | { readonly kind: 'number'; readonly event: 'FLAGGED' | 'UNFLAGGED' | 'UPGRADE' }
)

export interface SimulatedTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly components: readonly JsonObject[]
  readonly status: string
  readonly reason: string
  /** Personas who blocked the number after it. */
  readonly blocks: number
}

interface PersonaState {
  readonly messages: readonly PhoneMessage[]
  /** Sends to it, refused ones included. */
  readonly attempts: number
  readonly isBlocked: boolean
  /** Simulated time of its last word to the business; 0: never. */
  readonly wroteAt: number
  /** Time by which its clock is ahead, ms. */
  readonly waited: number
}

/** One change of a simulated number. */
export type SimulatedFact =
  | {
      readonly do: 'sent'
      readonly persona: number
      readonly message: PhoneMessage
      readonly steps: readonly PendingStep[]
    }
  /** A send that was not taken. */
  | { readonly do: 'refused'; readonly persona: number }
  | {
      readonly do: 'said'
      readonly persona: number
      readonly message: PhoneMessage
      /** Simulated time. */
      readonly at: number
      readonly steps: readonly PendingStep[]
    }
  | { readonly do: 'planned'; readonly steps: readonly PendingStep[] }
  /** Steps that reached the webhook. `at`: simulated time; `time`: real time. */
  | { readonly do: 'fired'; readonly steps: readonly string[]; readonly at: number; readonly time: number }
  | { readonly do: 'persona'; readonly persona: number; readonly isBlocked?: boolean; readonly waited?: number }
  | { readonly do: 'clock'; readonly clock: SimulatedClock }
  | { readonly do: 'tier'; readonly tier: SimulatedTier }
  | { readonly do: 'template'; readonly template: SimulatedTemplate }
  | { readonly do: 'untemplate'; readonly template: string }

export interface SimulatedState {
  readonly end: StreamEnd
  readonly clock: SimulatedClock | undefined
  readonly tier: SimulatedTier
  readonly personas: ReadonlyMap<number, PersonaState>
  readonly templates: ReadonlyMap<string, SimulatedTemplate>
  /** Templates so far, deleted ones included: their ids are not given twice. */
  readonly templateCount: number
  readonly pending: ReadonlyMap<string, PendingStep>
}

export const INITIAL_STATE: SimulatedState = {
  end: NO_EVENTS,
  clock: undefined,
  tier: SIMULATED_TIERS[0],
  personas: new Map(),
  templates: new Map(),
  templateCount: 0,
  pending: new Map(),
}

const NEW_PERSONA: PersonaState = { messages: [], attempts: 0, isBlocked: false, wroteAt: 0, waited: 0 }

export const personaIn = (state: SimulatedState, persona: number): PersonaState =>
  state.personas.get(persona) ?? NEW_PERSONA

/** Customer service window of Meta, and the time by which a phone is put forward at once. */
export const WINDOW_MS = 86_400_000

/** Whether the business may send free messages; `now`: simulated time. */
export const isWindowOpen = ({ wroteAt, waited }: PersonaState, now: number): boolean =>
  wroteAt > 0 && now + waited - wroteAt < WINDOW_MS

const RANK = { failed: 0, sent: 1, delivered: 2, read: 3 } as const

/** A later receipt does not lower an earlier one. */
const withStatus = (message: PhoneMessage, status: 'sent' | 'delivered' | 'read' | 'failed'): PhoneMessage =>
  message.status !== undefined && RANK[message.status] > RANK[status] ? message : { ...message, status }

const withPersona = (
  state: SimulatedState,
  persona: number,
  change: (before: PersonaState) => Partial<PersonaState>,
): SimulatedState => {
  const before = personaIn(state, persona)
  return { ...state, personas: new Map(state.personas).set(persona, { ...before, ...change(before) }) }
}

const added = (messages: readonly PhoneMessage[], message: PhoneMessage): readonly PhoneMessage[] =>
  messages.some(({ id }) => id === message.id) ? messages : [...messages, message].slice(-MAX_MESSAGES)

const withSteps = (state: SimulatedState, steps: readonly PendingStep[]): SimulatedState =>
  steps.length === 0
    ? state
    : { ...state, pending: new Map([...state.pending, ...steps.map(step => [step.id, step] as const)]) }

const firedStep = (state: SimulatedState, id: string, at: number, time: number): SimulatedState => {
  const step = state.pending.get(id)
  if (step === undefined) return state
  const pending = new Map(state.pending)
  pending.delete(id)
  const rest = { ...state, pending }
  switch (step.kind) {
    case 'status':
      return withPersona(rest, step.persona, ({ messages }) => ({
        messages: messages.map(each => (each.id === step.message ? withStatus(each, step.status) : each)),
      }))
    case 'reply':
      return withPersona(rest, step.persona, ({ messages, waited }) => ({
        messages: added(messages, { ...step.message, time }),
        wroteAt: at + waited,
      }))
    case 'template': {
      const template = state.templates.get(step.template)
      if (template === undefined) return rest
      const next = { ...template, status: step.status, reason: step.reason }
      return { ...rest, templates: new Map(state.templates).set(step.template, next) }
    }
    default:
      return rest
  }
}

/** Applies one change. */
export const foldSimulated = (state: SimulatedState, fact: SimulatedFact): SimulatedState => {
  switch (fact.do) {
    case 'sent':
      return withSteps(
        withPersona(state, fact.persona, ({ messages, attempts }) => ({
          messages: added(messages, fact.message),
          attempts: attempts + 1,
        })),
        fact.steps,
      )
    case 'refused':
      return withPersona(state, fact.persona, ({ attempts }) => ({ attempts: attempts + 1 }))
    case 'said':
      return withSteps(
        withPersona(state, fact.persona, ({ messages }) => ({
          messages: added(messages, fact.message),
          wroteAt: fact.at,
        })),
        fact.steps,
      )
    case 'planned':
      return withSteps(state, fact.steps)
    case 'fired':
      return fact.steps.reduce((next, id) => firedStep(next, id, fact.at, fact.time), state)
    case 'persona':
      return withPersona(state, fact.persona, before => ({
        isBlocked: fact.isBlocked ?? before.isBlocked,
        waited: before.waited + (fact.waited ?? 0),
      }))
    case 'clock':
      return { ...state, clock: fact.clock }
    case 'tier':
      return { ...state, tier: fact.tier }
    case 'template': {
      const isNew = !state.templates.has(fact.template.id)
      const templates = new Map(state.templates).set(fact.template.id, fact.template)
      return { ...state, templates, templateCount: state.templateCount + (isNew ? 1 : 0) }
    }
    case 'untemplate': {
      const templates = new Map(state.templates)
      templates.delete(fact.template)
      return { ...state, templates }
    }
    default:
      return fact satisfies never
  }
}

/** Block reactions to all templates. */
export const blocksOf = ({ templates }: SimulatedState): number =>
  [...templates.values()].reduce((sum, { blocks }) => sum + blocks, 0)

/** Address of a send: the number, or the scoped id. */
export const recipientOf = ({ to, recipient }: JsonObject): string =>
  typeof to === 'string' && to !== '' ? to : typeof recipient === 'string' ? recipient : ''

export const personaOf = (body: JsonObject): number | undefined => personaAt(recipientOf(body))
