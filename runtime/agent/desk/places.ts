import { type Draft, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { type AgentPlace, foldPlace, NEW_PLACE, type SlotRefusal, takeSlot } from '#domain/desk/place.ts'
import type { JsonObject } from '#schemas/event.ts'
import { deskPlaceStream } from '#schemas/events/desk.ts'
import { exclusiveDrafts, type StreamAggregate, streamAggregate } from '../../log/stream-aggregate.ts'

type StoredPlace = AgentPlace & { readonly end: StreamEnd }

/** Limit of agents in memory. */
const MAX_HELD = 5_000

/** States and places of agents in their streams: an append at the exact revision decides who gets a place. */
export class Places {
  readonly #streams: StreamAggregate<StoredPlace, Draft>
  readonly #now: () => number

  constructor(store: EventStore, now: () => number) {
    this.#now = now
    const fold = (state: StoredPlace, event: Parameters<typeof foldPlace>[1]): StoredPlace => ({
      ...state,
      ...foldPlace(state, event),
    })
    this.#streams = streamAggregate<StoredPlace>(store, {
      initial: { ...NEW_PLACE, end: NO_EVENTS },
      fold,
      limit: MAX_HELD,
    })
  }

  /** As the log has it now. */
  read(user: string): Promise<AgentPlace> {
    return this.#streams.refresh(deskPlaceStream(user))
  }

  /** Reserves a place. Returns why there is none. */
  async take(user: string, request: Omit<Parameters<typeof takeSlot>[1], 'now'>): Promise<SlotRefusal | undefined> {
    // A cached state may lack what other nodes wrote, and no append would show it.
    await this.read(user)
    let refusal: SlotRefusal | undefined
    await this.#write(user, place => {
      const taken = takeSlot(place, { ...request, now: this.#now() })
      refusal = typeof taken === 'string' ? taken : undefined
      return typeof taken === 'string' ? [] : taken.facts
    })
    return refusal
  }

  /** Frees a place; one that is not taken stays as it is. `missed`: the agent did not react in time. */
  async free(user: string, slot: string, missed = false): Promise<void> {
    await this.read(user)
    await this.#write(user, ({ slots }) =>
      slots.some(taken => taken.slot === slot) ? [{ type: 'SlotFreed', data: { slot, missed } }] : [],
    )
  }

  async setState(
    user: string,
    state: {
      readonly state: AgentPlace['state']
      /** Key of the reason for a pause; `missed` is set by the router. */
      readonly reason?: string | undefined
      readonly until?: number | undefined
    },
    by: 'self' | 'supervisor' | 'system',
  ): Promise<AgentPlace> {
    await this.read(user)
    const { state: chosen, reason = null, until = null } = state
    return this.#write(user, place =>
      place.state === chosen && place.reason === reason && place.until === until
        ? []
        : [{ type: 'AgentStateChanged', data: { state: chosen, reason, until, by } }],
    )
  }

  #write(
    user: string,
    decide: (place: AgentPlace) => readonly { readonly type: string; readonly data: JsonObject }[],
  ): Promise<StoredPlace> {
    const stream = deskPlaceStream(user)
    return this.#streams.write(stream, place =>
      exclusiveDrafts(stream, decide(place)).map(draft => ({ ...draft, time: new Date(this.#now()).toISOString() })),
    )
  }
}
