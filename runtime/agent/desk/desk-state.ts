import type { AssignedHow, ReleasedWhy } from '#schemas/events/desk.ts'
import type { RatingScale, RatingSubject } from '#schemas/rating.ts'

/** The user who may answer. Times are ms since 1970. */
interface DeskHolder {
  readonly user: string
  readonly how: AssignedHow
  readonly at: number
  /** Reservation of their place. */
  readonly slot: string
  readonly name: string
  readonly avatar: string
  /** The user who gave it to them. */
  readonly by?: string
}

/** A chat at Parley's own desk, as its conversation has it. Times are ms since 1970. */
export interface DeskChatState {
  readonly queue: string
  readonly priority: number
  /** First wait: transfers and returns keep it. */
  readonly since: number
  /** Present wait. */
  readonly queued: number
  readonly holder?: DeskHolder
  /** Until a moment, or until the person writes: null. */
  readonly snoozed?: { readonly until: number | null }
  /** Why it waits again. */
  readonly returned?: ReleasedWhy
  /** Whether the holder has opened it since they got it; known only where the queue asks for it. */
  readonly isOpened: boolean
  /** Whether the holder has said a word since they got it. */
  readonly isAnswered: boolean
  /** First word of the person that no agent has answered. */
  readonly unanswered?: number
  /** Users who did not open or answer it in time, newest last. */
  readonly missed: readonly string[]
  /** Users who gave it back when a colleague had passed it on to them. */
  readonly declined: readonly string[]
  readonly wasNudged: boolean
  /** Messages by which the person goes back to the bot while they wait. */
  readonly leave: readonly string[]
  /** Moment and number of the last text about the position, and that position. */
  readonly told?: { readonly at: number; readonly count: number; readonly position: number }
}

interface DeskNote {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly time: string
  readonly user: string
  readonly text: string
}

/** A fact between the messages of a conversation. */
export interface DeskFact {
  readonly time: string
  readonly kind:
    | 'queued'
    | 'assigned'
    | 'released'
    | 'snoozed'
    | 'woken'
    | 'tagged'
    | 'prioritized'
    | 'moved'
    | 'revealed'
    | 'connected'
    | 'left'
    | 'requested'
    | 'asked'
    | 'rated'
    | 'unrated'
  readonly queue?: string
  /** Of the holder. */
  readonly name?: string
  /** The user who did it. */
  readonly by?: string
  readonly how?: string
  readonly why?: string
  readonly reason?: string
  readonly priority?: number
  readonly tags?: readonly string[]
  /** Number of a rating's question. */
  readonly rating?: number
  readonly about?: RatingSubject
  readonly scale?: RatingScale
  readonly score?: number
  readonly comment?: string
}

/** All that agents added to a conversation; it is mutable like the conversation. */
export interface DeskTalk {
  readonly notes: DeskNote[]
  readonly facts: DeskFact[]
  /** Ids of the messages that are texts of a queue. */
  readonly texts: Set<string>
  /** The newest message that a user wrote. */
  word: { readonly user: string; readonly position: string } | undefined
}

/** Request of a user to take a conversation over. */
export interface TakeoverRequest {
  /** `begun`: the user writes first, in a conversation that begins with it. */
  readonly how: 'takeover' | 'begun'
  readonly user: string
  readonly queue: string
  readonly channel: string
  readonly slot: string
  readonly name: string
  readonly avatar: string
  /** Text for the person; empty: none. */
  readonly joined: string
}
