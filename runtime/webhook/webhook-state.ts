import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import { NO_EVENTS, type StreamAggregate, type StreamEnd, streamAggregate } from '../log/stream-aggregate.ts'

/** An event whose attempts failed so far. */
interface FailedEvent {
  readonly event: string
  readonly type: string
  readonly tries: number
  /** HTTP status of the last attempt; null: there was no answer. */
  readonly status: number | null
  /** ms since 1970 of the next attempt. */
  readonly next: number
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

/** States of webhooks by their stream; at most as many are kept as one node sends from. */
export const openWebhookStates = (store: EventStore): StreamAggregate<WebhookState, Draft> =>
  streamAggregate(store, { initial: INITIAL, fold, limit: 1_000 })
