import { DESK_STATES } from '#schemas/api/desk.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { optionalText, textOf } from '#schemas/json.ts'

/** An automatic assignment is followed by the next one of the same agent after this pause, ms. */
export const PACE_MS = 5_000
/** Limit of chats of one agent, automatic or not. */
export const MAX_HELD = 20

/** Reservation of a chat that an agent holds; the conversation itself says whether they hold it. */
export interface Slot {
  readonly slot: string
  readonly conversation: string
  readonly n: number
  /** ms since 1970 */
  readonly at: number
}

export type DeskState = (typeof DESK_STATES)[number]

/** An agent's state and places. Times are ms since 1970. */
export interface AgentPlace {
  readonly state: DeskState
  readonly reason: string | null
  readonly since: number
  /** End of a pause, if it has one. */
  readonly until: number | null
  readonly slots: readonly Slot[]
  /** Last automatic assignment, and last assignment at all; 0: none. */
  readonly lastAuto: number
  readonly lastAssigned: number
  /** Chats in a row that they did not open or answer in time. */
  readonly misses: number
}

export const NEW_PLACE: AgentPlace = {
  state: 'offline',
  reason: null,
  since: 0,
  until: null,
  slots: [],
  lastAuto: 0,
  lastAssigned: 0,
  misses: 0,
}

const stateOf = (value: unknown): DeskState => DESK_STATES.find(state => state === value) ?? 'offline'

/** An agent's place after an event of their stream. */
export const foldPlace = (place: AgentPlace, { type, data, time }: StoredEvent): AgentPlace => {
  const at = Date.parse(time)
  switch (type) {
    case 'AgentStateChanged':
      return {
        ...place,
        state: stateOf(data.state),
        reason: optionalText(data.reason) ?? null,
        since: at,
        until: typeof data.until === 'number' ? data.until : null,
        misses: 0,
      }
    case 'SlotTaken': {
      const slot = { slot: textOf(data.slot), conversation: textOf(data.conversation), n: Number(data.n), at }
      return {
        ...place,
        slots: [...place.slots, slot],
        lastAssigned: at,
        lastAuto: data.auto === true ? at : place.lastAuto,
      }
    }
    case 'SlotFreed':
      return {
        ...place,
        slots: place.slots.filter(({ slot }) => slot !== data.slot),
        misses: data.missed === true ? place.misses + 1 : 0,
      }
    default:
      return place
  }
}

interface SlotRequest {
  readonly slot: string
  readonly conversation: string
  readonly n: number
  /** The router gives it, not a person. */
  readonly auto: boolean
  /** Ignores the load: a chat that wakes takes its place again. */
  readonly forced?: boolean
  readonly capacity: number
  /** ms since 1970 */
  readonly now: number
}

/** Why a place is refused. */
export type SlotRefusal = 'unavailable' | 'full' | 'early' | 'held'

/** Facts that reserve a place, or why there is none. */
export const takeSlot = (
  place: AgentPlace,
  { slot, conversation, n, auto, forced = false, capacity, now }: SlotRequest,
): { readonly facts: readonly { readonly type: string; readonly data: JsonObject }[] } | SlotRefusal => {
  if (place.slots.some(known => known.slot === slot)) return { facts: [] }
  if (place.slots.some(known => known.conversation === conversation && known.n === n)) return 'held'
  const load = place.slots.length
  if (auto && place.state !== 'available') return 'unavailable'
  if (!forced && load >= (auto ? Math.min(capacity, MAX_HELD) : MAX_HELD)) return 'full'
  if (auto && now - place.lastAuto < PACE_MS) return 'early'
  return { facts: [{ type: 'SlotTaken', data: { slot, conversation, n, auto, capacity } }] }
}
