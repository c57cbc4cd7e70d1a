import { stringify } from 'yaml'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type StateExpectation, type TestGiven, type TestStub, writeDuration } from './test-schema.ts'

/** A button or an option as it was shown. */
interface RecordedAction {
  readonly type?: string
  readonly title: string
}

/** A message of the bot as displayed: shared format of chats, simulations and replays. */
export interface RecordedMessage {
  readonly type: string
  /** Null if the text was deleted: the test then takes any message. */
  readonly text?: string | null
  readonly title?: string
  readonly cards?: readonly { readonly title: string }[]
  readonly actions?: readonly RecordedAction[]
  readonly wait?: { readonly kind: string }
}

/** Events, in order. Times are ms since 1970. */
export type RecordedEvent =
  | { readonly kind: 'text'; readonly text: string; readonly time: number }
  /** A pressed button or chosen option, by its title. */
  | { readonly kind: 'choice'; readonly title: string; readonly time: number }
  /**
   * An answer that must not be shown; replaced by an example. `example`: a valid answer to the question,
   * if known.
   */
  | { readonly kind: 'masked'; readonly example?: string; readonly time: number }
  | { readonly kind: 'attachment'; readonly attachments: readonly JsonObject[]; readonly time: number }
  | { readonly kind: 'location'; readonly location: JsonObject; readonly time: number }
  | { readonly kind: 'order' | 'submit'; readonly data: Json; readonly time: number }
  /** `restart`, `agent`, or name or id of a task. */
  | { readonly kind: 'menu'; readonly command: string; readonly time: number }
  /** The clock made the bot speak: a reminder, an end, or something planned. */
  | { readonly kind: 'clock'; readonly time: number }
  | { readonly kind: 'agentleft'; readonly reason: string; readonly time: number }
  | { readonly kind: 'leave'; readonly time: number }
  | { readonly kind: 'bot'; readonly message: RecordedMessage }

/** Source of a test. `began`: ms since 1970, the moment of the first turn. */
interface RecordedTest {
  readonly name: string
  readonly description?: string
  readonly began: number
  readonly given?: TestGiven
  readonly stubs?: readonly TestStub[]
  readonly events: readonly RecordedEvent[]
  /** Expected final state. */
  readonly end?: StateExpectation
}

/** Replaces an answer that nobody may see. */
const EXAMPLE = 'exemplo'
const SECOND_MS = 1000

const isAny = ({ type, text, title, cards }: RecordedMessage): boolean =>
  text === null || (type === 'text' && text === undefined) || (type !== 'text' && !title && !cards?.length)

const cardOf = ({ type, title, cards }: RecordedMessage): JsonObject => {
  if (type === 'text') return {}
  const named = title ?? cards?.[0]?.title ?? ''
  return named.trim() === '' ? {} : { card: named }
}

const botStep = (message: RecordedMessage): Json => {
  const { type, text, actions = [], wait } = message
  const words = type === 'text' && typeof text === 'string' ? text.trim() : ''
  const options = actions.filter(action => action.type !== 'skip').map(({ title }) => title)
  if (isAny(message) && options.length === 0 && wait === undefined) return type === 'text' ? 'any' : { type }
  if (words !== '' && words !== 'any' && options.length === 0 && wait === undefined) return words
  return {
    ...(words === '' ? {} : { text: words }),
    ...(type === 'text' ? {} : { type }),
    ...cardOf(message),
    ...(options.length === 0 ? {} : { options }),
    ...(wait === undefined ? {} : { wait: wait.kind }),
  }
}

/** Wait between two moments, rounded up to whole seconds. */
const waitStep = (from: number, to: number): Json => ({
  wait: writeDuration(Math.max(1, Math.ceil((to - from) / SECOND_MS)) * SECOND_MS),
})

const stepsOf = ({ began, events }: RecordedTest): readonly Json[] => {
  let last = began
  return events.map((event): Json => {
    if (event.kind === 'bot') return { bot: botStep(event.message) }
    const before = last
    last = event.time
    switch (event.kind) {
      case 'text':
        return { user: event.text }
      case 'choice':
        return { choose: event.title }
      case 'masked':
        return { user: event.example ?? EXAMPLE }
      case 'attachment':
        return {
          attach: event.attachments.map(({ name, contentType, contentUrl }) => ({
            name,
            contentType,
            contentUrl,
          })) as unknown as Json,
        }
      case 'location':
        return { locate: event.location }
      case 'order':
      case 'submit':
        return { event: { [event.kind]: event.data } }
      case 'menu':
        return { menu: event.command }
      case 'clock':
        return waitStep(before, event.time)
      case 'agentleft':
        return { event: { agent: event.reason } }
      case 'leave':
        return { event: 'leave' }
      default:
        return event satisfies never
    }
  })
}

const present = (object: Readonly<Record<string, unknown>>): boolean =>
  Object.values(object).some(value => value !== undefined)

/** The file of a test (`parley-test`, YAML) from what happened in a conversation. */
export const writeTestFile = (recorded: RecordedTest): string => {
  const { name, description, began, given = {}, stubs = [], end = {} } = recorded
  const moment = given.now ?? new Date(began).toISOString()
  const steps = [...stepsOf(recorded), ...(present(end) ? [{ expect: end }] : [])]
  const file = {
    format: 'parley-test',
    version: 1,
    name,
    ...(description === undefined || description === '' ? {} : { description }),
    given: { ...given, now: moment },
    ...(stubs.length === 0 ? {} : { stubs: stubs.map(({ kind: _, ...stub }) => stub) }),
    steps,
  }
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** A test written by hand, between whose steps the bot may say more. */
interface LooseTest {
  readonly name: string
  readonly stubs?: readonly Json[]
  readonly steps: readonly Json[]
}

/** The file of a loose test. */
export const looseTestFile = ({ name, stubs, steps }: LooseTest): string =>
  JSON.stringify({ format: 'parley-test', version: 1, name, loose: true, stubs, steps }, null, 2)
