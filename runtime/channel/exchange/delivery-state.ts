import type { Draft } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import { isBrought } from '#schemas/channel-type.ts'
import type { StoredEvent } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import { textOf } from '#schemas/json.ts'
import { NO_EVENTS, type StreamEnd } from '../../log/exclusive-append.ts'
import { type StreamAggregate, streamAggregate } from '../../log/stream-aggregate.ts'

/** Limit of delivery states in memory. */
const MAX_CACHED = 1000

export type DeliveryStatus =
  | 'sending'
  | 'waiting'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'played'
  | 'failed'
  | 'unknown'

/** A lower rank never overwrites a higher one, regardless of the order of arrival. */
const RANK: Readonly<Record<DeliveryStatus, number>> = {
  sending: 0,
  waiting: 0,
  unknown: 1,
  queued: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6,
  played: 7,
}

export const isHigher = (status: DeliveryStatus, than: DeliveryStatus): boolean => RANK[status] > RANK[than]

/** One message at a provider: a whole bot message, or one of its parts. */
interface DeliveredPart {
  readonly status: DeliveryStatus
  /** The provider's id; empty until it assigns one. */
  readonly id: string
  /** Reason of a failure. */
  readonly code: string
  /** ms since 1970 of the last change. */
  readonly time: number
}

/** Delivery state of a conversation's messages, folded from `delivery-<conversation>`. */
export interface DeliveryState {
  readonly end: StreamEnd
  /** Position up to which all messages are settled. */
  readonly settled: string
  /** The part that is being sent, or waits for a retry. */
  readonly current:
    | { readonly message: string; readonly part: number; readonly tries: number; readonly at: number }
    | undefined
  readonly isSending: boolean
  readonly claim: Claim | undefined
  /** Keyed by `<message>.<part>`. */
  readonly parts: ReadonlyMap<string, DeliveredPart>
}

export const partKey = (message: string, part: number): string => `${message}.${part}`

const EMPTY: DeliveryState = {
  end: NO_EVENTS,
  settled: '',
  current: undefined,
  isSending: false,
  claim: undefined,
  parts: new Map(),
}

const withPart = (state: DeliveryState, { data }: StoredEvent, part: Partial<DeliveredPart>): DeliveryState => {
  const key = partKey(textOf(data.message), Number(data.part))
  const before = state.parts.get(key) ?? { status: 'sending', id: '', code: '', time: 0 }
  return { ...state, parts: new Map(state.parts).set(key, { ...before, ...part }) }
}

const ended = (state: DeliveryState): DeliveryState => ({ ...state, current: undefined, isSending: false })

const evolve = (state: DeliveryState, event: StoredEvent): DeliveryState => {
  const { type, data } = event
  const time = Date.parse(event.time)
  const of = { message: textOf(data.message), part: Number(data.part) }
  switch (type) {
    case 'DeliveryStarted': {
      const isSame = state.current?.message === of.message && state.current.part === of.part
      const current = { ...of, tries: (isSame ? (state.current?.tries ?? 0) : 0) + 1, at: 0 }
      const started = { ...state, current, isSending: true, claim: data.claim as Claim | undefined }
      return withPart(started, event, { status: 'sending', time })
    }
    case 'DeliverySent': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = before !== undefined && isHigher(before.status, 'sent') ? before.status : 'sent'
      return withPart(ended(state), event, { status, id: textOf(data.id), time })
    }
    case 'DeliveryDelayed':
      return withPart(
        { ...state, isSending: false, current: { ...of, tries: Number(data.tries), at: Number(data.at) } },
        event,
        { status: 'waiting', code: textOf(data.code), time },
      )
    case 'DeliveryFailed': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = data.code === 'unknown' ? 'unknown' : 'failed'
      const isKept = before !== undefined && isHigher(before.status, status)
      return withPart(ended(state), event, isKept ? {} : { status, code: textOf(data.code), time })
    }
    case 'DeliverySettled':
      return { ...ended(state), settled: textOf(data.position) }
    case 'DeliveryReceipt': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = textOf(data.status) as DeliveryStatus
      if (before !== undefined && !isHigher(status, before.status)) return state
      return withPart(state, event, { status, code: textOf(data.code), time: Number(data.time) })
    }
    default:
      return state
  }
}

/** Delivery states by stream. */
export const openDeliveryStates = (store: EventStore): StreamAggregate<DeliveryState, Draft> =>
  streamAggregate(store, { initial: EMPTY, fold: evolve, limit: MAX_CACHED })

/** Status of a whole message: its worst part, else the status that all its parts reached. */
export const messageStatus = ({ parts }: DeliveryState, message: string): Omit<DeliveredPart, 'id'> | undefined => {
  const of = [...parts].flatMap(([key, part]) => (key.startsWith(`${message}.`) ? [part] : []))
  const failed = of.find(({ status }) => status === 'failed') ?? of.find(({ status }) => status === 'unknown')
  if (failed !== undefined) return { status: failed.status, code: failed.code, time: failed.time }
  const [first, ...others] = of
  if (first === undefined) return undefined
  const lowest = others.reduce((least, part) => (isHigher(least.status, part.status) ? part : least), first)
  return { status: lowest.status, code: lowest.code, time: lowest.time }
}

/** Delivery status of a message at a provider; `code`: reason of a failure. `time`: ISO 8601 UTC. */
interface MessageDelivery {
  readonly status: string
  readonly code: string
  readonly time: string
}

/** Delivery status of a conversation's messages by their id; empty for channels that are not pushed to a provider. */
export const deliveriesOf = async (
  exchange: (() => Promise<{ state(conversation: string): Promise<DeliveryState> }>) | undefined,
  conversation: { readonly id: string; readonly channeltype: string },
): Promise<(message: unknown) => { readonly delivery?: MessageDelivery }> => {
  if (exchange === undefined || !isBrought(conversation.channeltype)) return () => ({})
  const state = await (await exchange()).state(conversation.id)
  return message => {
    const found = messageStatus(state, String(message))
    return found === undefined ? {} : { delivery: { ...found, time: new Date(found.time).toISOString() } }
  }
}
