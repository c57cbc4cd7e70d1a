import { isIntegrationBlock } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf } from '#schemas/json.ts'
import type { Replay, Turn } from './conversation-query.ts'

type Step = Turn['steps'][number]
type Said = Turn['said'][number]

/** A bubble, or a line about what the machine did, in the order in which it happened. `place`: the step that it belongs to. */
export type TranscriptItem = { readonly place: number } & (
  | { readonly kind: 'said'; readonly message: Said }
  | { readonly kind: 'tried'; readonly step: Step; readonly tries: number }
  | { readonly kind: 'called'; readonly step: Step }
  | { readonly kind: 'problem'; readonly step: Step }
  | { readonly kind: 'agent'; readonly step: Step }
)

/** From so many ms on, a call is worth a line. */
const WORTH_MS = 100

const linesOf = (step: Step, place: number): readonly TranscriptItem[] => {
  const tries = typeof step.tries === 'number' ? step.tries : 0
  return [
    ...(tries > 0 && step.out === null ? [{ kind: 'tried', place, step, tries } as const] : []),
    ...(isIntegrationBlock(step.type) && step.ms >= WORTH_MS ? [{ kind: 'called', place, step } as const] : []),
    ...(step.problem === undefined ? [] : [{ kind: 'problem', place, step } as const]),
    ...(step.agent === true ? [{ kind: 'agent', place, step } as const] : []),
  ]
}

/** Events of a turn after its input: each message follows the step of its block. */
export const itemsOf = ({ steps, said }: Turn): readonly TranscriptItem[] => {
  const left = [...said]
  const items: TranscriptItem[] = []
  for (const [place, step] of steps.entries()) {
    items.push(...linesOf(step, place))
    while (left[0]?.block === step.block) {
      const message = left.shift()
      if (message !== undefined) items.push({ kind: 'said', place, message })
    }
  }
  const end = Math.max(0, steps.length - 1)
  return [...items, ...left.map((message): TranscriptItem => ({ kind: 'said', place: end, message }))]
}

/** A card as a transcript shows it: lines of text and titles of buttons. */
interface ShownCard {
  readonly lines: readonly string[]
  readonly buttons: readonly string[]
}

const linesOfFields = (fields: JsonObject, names: readonly string[]): readonly string[] =>
  names.map(name => fields[name]).filter((line): line is string => typeof line === 'string' && line !== '')

/** Texts of an adaptive card, those inside of containers and columns included. */
const adaptiveTexts = (element: unknown): readonly string[] => {
  if (Array.isArray(element)) return element.flatMap(adaptiveTexts)
  if (!isObject(element)) return []
  return element.type === 'TextBlock'
    ? linesOfFields(element, ['text'])
    : [...adaptiveTexts(element.items), ...adaptiveTexts(element.columns)]
}

const linesByType = (message: JsonObject): readonly string[] => {
  switch (message.type) {
    case 'card':
      return linesOfFields(message, ['title', 'subtitle', 'text'])
    case 'media': {
      const lines = linesOfFields(message, ['title', 'text'])
      return lines.length > 0 ? lines : linesOfFields(message, ['url'])
    }
    case 'location':
      return typeof message.address === 'string' && message.address !== ''
        ? [message.address]
        : [`${String(message.latitude)}, ${String(message.longitude)}`]
    case 'receipt':
      return isObject(message.receipt) ? linesOfFields(message.receipt, ['title', 'merchant_name']) : []
    case 'product':
      return isObject(message.product) ? linesOfFields(message.product, ['title', 'name', 'body']) : []
    case 'adaptive':
      return adaptiveTexts(message.body)
    default:
      return [
        ...linesOfFields(message, ['text', 'title', 'address']).slice(0, 1),
        ...objectsOf(message.attachments).flatMap(each => linesOfFields(each, ['name', 'contentUrl']).slice(0, 1)),
      ]
  }
}

/** Cards of a message: several for a carousel, one for any other. */
export const cardsOf = (message: JsonObject): readonly ShownCard[] => {
  const own = { lines: linesByType(message), buttons: titlesOf(message) }
  if (message.type !== 'carousel') return [own]
  const cards = objectsOf(message.cards).map(card => ({
    lines: linesOfFields(card, ['title', 'subtitle', 'text']),
    buttons: titlesOf(card),
  }))
  return own.buttons.length === 0 ? cards : [...cards, { lines: [], buttons: own.buttons }]
}

const titlesOf = ({ actions }: JsonObject): readonly string[] =>
  objectsOf(actions).flatMap(action => linesOfFields(action, ['title']))

export type AgentMessage = Replay['agentsaid'][number]
type DeskEvent = Replay['desk'][number]

/** A message of a chat with an agent, or an event of the desk. */
export type Between =
  | { readonly kind: 'said'; readonly message: AgentMessage }
  | { readonly kind: 'event'; readonly event: DeskEvent }

/** A turn, or what happened before the next one. `after`: number of the turn before. */
type TranscriptPart =
  | { readonly kind: 'turn'; readonly turn: Turn; readonly isEndOfChat: boolean }
  | { readonly kind: 'between'; readonly after: number; readonly isLast: boolean; readonly items: readonly Between[] }

const positionOf = (item: Between): string => (item.kind === 'said' ? item.message.position : item.event.position)

const betweenOf = ({ agentsaid, desk }: Pick<Replay, 'agentsaid' | 'desk'>): readonly Between[] =>
  [
    ...agentsaid.map((message): Between => ({ kind: 'said', message })),
    // The event after a transfer names its recipient.
    ...desk.flatMap((event): readonly Between[] =>
      event.kind === 'released' && event.why === 'transfer' ? [] : [{ kind: 'event', event }],
    ),
  ].toSorted((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1))

/** Turns, and what happened at the desk between them, in order. */
export const partsOf = ({
  turns,
  ...between
}: Pick<Replay, 'turns' | 'agentsaid' | 'desk'>): readonly TranscriptPart[] => {
  const left = [...betweenOf(between)]
  const parts: TranscriptPart[] = []
  let after = 0
  const add = (items: readonly Between[], isLast: boolean) => {
    if (items.length > 0) parts.push({ kind: 'between', after, isLast, items })
  }
  for (const turn of turns) {
    const { kind, position } = turn.input
    const next = left.findIndex(item => positionOf(item) > position)
    const items = left.splice(0, next === -1 ? left.length : next)
    add(items, false)
    const last = items.at(-1)
    // The line of the desk says why the chat ended.
    const isEndOfChat = kind === 'agent' && last?.kind === 'event' && last.event.position === position
    parts.push({ kind: 'turn', turn, isEndOfChat })
    after = turn.turn
  }
  add(left, true)
  return parts
}
