import { type NodeKeys, UserForgotten } from '#commands/keys/secret.ts'
import { type Draft, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import type { PublicEvent } from '#schemas/public-event.ts'
import { type StreamAggregate, streamAggregate } from '../log/stream-aggregate.ts'

/** An event whose attempts failed so far. */
interface FailedEvent {
  readonly event: string
  readonly type: string
  readonly tries: number
  /** HTTP status of the last attempt; null: there was no answer. */
  readonly status: number | null
  /** ms since 1970 of the next attempt. */
  readonly next: number
  /** A person asked for it. */
  readonly isAsked: boolean
  readonly body: string
}

export interface WebhookState {
  readonly end: StreamEnd
  /** Cursor up to which all is sent or in `failed`; undefined: nothing was sent so far. */
  readonly position: string | undefined
  /** As of the newest event that was folded, also in states that are older. */
  readonly failed: ReadonlyMap<string, FailedEvent>
  /** ms since 1970 of the first failure since the last success; undefined: the last attempt arrived. */
  readonly failingSince: number | undefined
}

const INITIAL: WebhookState = { end: NO_EVENTS, position: undefined, failed: new Map(), failingSince: undefined }

/** Changed in place: a copy of 10,000 entries for each event of a stream would take seconds. */
const ownFailed = ({ failed }: WebhookState): Map<string, FailedEvent> =>
  failed === INITIAL.failed || !(failed instanceof Map) ? new Map() : failed

const without = (state: WebhookState, event: string): WebhookState => {
  const failed = ownFailed(state)
  failed.delete(event)
  return { ...state, failed }
}

const fold = (state: WebhookState, { type, data }: StoredEvent): WebhookState => {
  const event = textOf(data.event)
  switch (type) {
    case 'WebhookAdvanced':
      return {
        ...state,
        position: textOf(data.position),
        ...(Number(data.arrived) > 0 ? { failingSince: undefined } : {}),
      }
    case 'WebhookFailed': {
      const entry: FailedEvent = {
        event,
        type: textOf(data.type),
        tries: Number(data.tries),
        status: typeof data.status === 'number' ? data.status : null,
        next: Number(data.next),
        isAsked: data.asked === true,
        body: typeof data.body === 'string' ? data.body : (state.failed.get(event)?.body ?? ''),
      }
      const failingSince = state.failingSince ?? Number(data.at)
      return { ...state, failed: ownFailed(state).set(event, entry), failingSince }
    }
    case 'WebhookArrived':
      return { ...without(state, event), failingSince: undefined }
    case 'WebhookGivenUp':
      return without(state, event)
    case 'WebhookTurnedOff':
      return { ...state, failingSince: undefined }
    default:
      return state
  }
}

interface SealedBody {
  readonly sealed: JsonObject
  /** It has personal values. */
  readonly isPersonal: boolean
  /** The event as it is sent once the person is forgotten. */
  readonly bare: PublicEvent
}

const SEALED = '{"sealed":'
const bodyContext = (event: string): string => `webhookevent-${event}.body`

/**
 * The body of a failed event as it is kept: one about a person is encrypted under their key, so that no log and no file has
 * their values once they are forgotten.
 */
export const sealBody = async (keys: Pick<NodeKeys['personal'], 'encrypt'>, body: string): Promise<string> => {
  const { id, type, timestamp, position, data } = JSON.parse(body) as PublicEvent
  const { entity, id: person, ...more } = data
  if (entity !== 'user' || Object.keys(more).length === 0) return body
  const bare = { id, type, timestamp, position, data: { entity, id: person } }
  try {
    const sealed = await keys.encrypt(person, body, bodyContext(id))
    return JSON.stringify({ sealed, isPersonal: data.personal !== undefined, bare } satisfies SealedBody)
  } catch (error) {
    if (error instanceof UserForgotten) return JSON.stringify(bare)
    throw error
  }
}

/** Opens a kept body. Returns the event with its id alone when the person is forgotten, or personal values must stay. */
export const openBody = async (
  keys: Pick<NodeKeys['personal'], 'decrypt'>,
  kept: string,
  maySendPersonal: boolean,
): Promise<{ readonly body: string; readonly isPersonal: boolean }> => {
  if (!kept.startsWith(SEALED)) return { body: kept, isPersonal: false }
  const { sealed, isPersonal, bare } = JSON.parse(kept) as SealedBody
  const isOpen = !isPersonal || maySendPersonal
  const body = isOpen ? await keys.decrypt(bare.data.id, sealed, bodyContext(bare.id)) : undefined
  return typeof body === 'string' ? { body, isPersonal } : { body: JSON.stringify(bare), isPersonal: false }
}

/** Entity of the subject of a kept body. */
export const entityOfBody = (kept: string): string => {
  if (kept === '') return ''
  const event = JSON.parse(kept) as PublicEvent | SealedBody
  return 'bare' in event ? event.bare.data.entity : event.data.entity
}

/** States of webhooks by their stream; at most as many are kept as one node sends from. */
export const openWebhookStates = (store: EventStore): StreamAggregate<WebhookState, Draft> =>
  streamAggregate(store, { initial: INITIAL, fold, limit: 1_000 })
