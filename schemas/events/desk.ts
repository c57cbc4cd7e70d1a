/**
 * Events of the desk in a conversation, each with the number `n` of its chat:
 * - `AgentQueued` {queue, priority, since, why?, hours?, goal?}: it waits. `since`: ms since 1970 of its first one;
 *   `hours` and `goal` (s) of the queue then, so that figures can be computed from the log alone.
 * - `AgentAssigned` {user, queue, how, slot, by?}, in one append with `AgentConnected`: a user holds it.
 * - `AgentOpened` {user}: its holder looks at it, where the queue asks for that in a time.
 * - `AgentReleased` {why, user, by?}: nobody holds it any more. `declined`: a colleague passed it on, and its holder gave it
 *   back; `how: declined` gives it to that colleague again.
 * - `AgentNoted` {id, user, sealed}: text for agents alone.
 * - `AgentSnoozed` {until, by}, `AgentWoken` {why}, `AgentTagged` {tags, by}, `AgentPrioritized` {priority, by}.
 * - `AgentMoved` {queue, by, hours?, goal?}: the chat is in another queue now. Its holder and its first wait stay.
 * - `ChatRevealed` {user, until}: a user asked to see it, and may read it until a moment, ms since 1970. The reason is in the
 *   audit.
 * - `AgentLeft` of a desk's chat has also `key` of the reason, `return`, `by`, and the `rating` that the bot asks for.
 * - `RatingAsked` {rating, about, scale, n?}, `ConversationRated` {rating, about, scale, score, n?, sealed?}: of a person.
 *   `rating`: number of the question. A comment, sealed, comes with the score again, which replaces the event before.
 * - `RatingSkipped` {about, why, n?}: nobody was asked.
 * - `TakeoverAsked` {user, queue, channel, slot, sealed, how}: an input whose turn gives the conversation to a user.
 *   `how`: `takeover`, also where it is absent, or `begun`: the user writes first, in a conversation with `origin` `agent`.
 */
export type AssignedHow = 'auto' | 'taken' | 'given' | 'transfer' | 'takeover' | 'begun' | 'declined'
export const RELEASED_WHY = ['missed', 'absent', 'transfer', 'returned', 'declined'] as const
export type ReleasedWhy = (typeof RELEASED_WHY)[number]

/**
 * State and places of a user as an agent, in `deskplace-<user>` beside the conversations:
 * - `AgentStateChanged` {state, reason, until, by}: chosen by the user (`self`), a supervisor or the system.
 * - `SlotTaken` {conversation, n, slot, auto, capacity}, `SlotFreed` {slot}: reservations of chats that they hold.
 */
export const DESK_PLACE_PREFIX = 'deskplace-'
export const deskPlaceStream = (user: string): string => DESK_PLACE_PREFIX + user
export const userOfPlace = (stream: string): string => stream.slice(DESK_PLACE_PREFIX.length)

/** `RouterTaken` {node, until} in `deskrouter-<queue>`: the node that gives out the chats of a queue. */
const DESK_ROUTER_PREFIX = 'deskrouter-'
export const deskRouterStream = (queue: string): string => DESK_ROUTER_PREFIX + queue
