import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { isObject, objectsOf, stringsOf, textOf } from '#schemas/json.ts'
import { isRatingScale, type RatingScale } from '#schemas/rating.ts'
import type { QueueHours } from '../opening-hours.ts'

/** Interval in ms since 1970. */
interface Interval {
  readonly from: number
  readonly to: number
}

/**
 * A chat with an agent as its figures need it, most of which are of Parley's own desk: plain JSON, folded from the events of its conversation. Times are
 * ms since 1970, users are ids.
 */
export interface ChatFact {
  readonly requested: number
  /** Agent channel; absent in facts of older versions. */
  readonly channel?: string
  /** It is at the desk: it was queued, or taken over. */
  readonly isDesk: boolean
  readonly isTakeover: boolean
  /** An agent wrote first: nobody asked or waited for an agent. */
  readonly isBegun?: true
  /** Of the queue in which it is, or was last. */
  readonly queue: string
  readonly hours?: QueueHours
  /** Seconds within which the queue wants to answer first; absent for a chat that was never queued. */
  readonly goal?: number
  readonly firstHolder: string
  readonly connected?: number
  readonly firstSaid?: number
  readonly firstSayer: string
  /** The last user who said a word: a rating is theirs. */
  readonly lastSayer: string
  readonly holder: string
  readonly heldSince?: number
  readonly snoozedSince?: number
  /** Intervals with a holder, without snoozed time. */
  readonly held: readonly (Interval & { readonly user: string })[]
  /** First word of the person that no agent has answered. */
  readonly unanswered?: number
  readonly answers: readonly (Interval & { readonly user: string })[]
  readonly left?: number
  /** Ending (`closed`, `person`, `timeout`, …), and key of the reason for which an agent closed it. */
  readonly ending: string
  readonly reason: string
  readonly asked?: RatingScale
  readonly score?: number
  readonly skipped?: string
}

export const newChatFact = (requested: number, channel = ''): ChatFact => ({
  requested,
  ...(channel === '' ? {} : { channel }),
  isDesk: false,
  isTakeover: false,
  queue: '',
  firstHolder: '',
  firstSayer: '',
  lastSayer: '',
  holder: '',
  held: [],
  answers: [],
  ending: '',
  reason: '',
})

const hoursIn = (data: Json | undefined): QueueHours | undefined =>
  isObject(data)
    ? {
        timezone: textOf(data.timezone),
        week: objectsOf(data.week).map(({ day, from, to }) => ({
          day: Number(day),
          from: textOf(from),
          to: textOf(to),
        })),
        closed: stringsOf(data.closed),
      }
    : undefined

/** Ends the interval of the holder. */
const letGo = ({ heldSince, snoozedSince: _, ...fact }: ChatFact, at: number): ChatFact =>
  heldSince === undefined || fact.holder === ''
    ? fact
    : { ...fact, held: [...fact.held, { user: fact.holder, from: heldSince, to: Math.max(heldSince, at) }] }

/** The chat in another queue, with the hours and the goal of that. */
const inQueue = ({ hours: _, goal: __, ...fact }: ChatFact, { queue, hours, goal }: JsonObject): ChatFact => {
  const known = hoursIn(hours)
  return {
    ...fact,
    queue: textOf(queue),
    ...(known === undefined ? {} : { hours: known }),
    ...(typeof goal === 'number' ? { goal } : {}),
  }
}

const queued = (fact: ChatFact, data: JsonObject, at: number): ChatFact => ({
  ...inQueue(letGo(fact, at), data),
  isDesk: true,
  holder: '',
})

const assigned = (fact: ChatFact, { user, queue, how }: JsonObject, at: number): ChatFact => ({
  ...letGo(fact, at),
  isDesk: true,
  isTakeover: fact.isTakeover || (!fact.isDesk && how === 'takeover'),
  ...(how === 'begun' ? { isBegun: true as const } : {}),
  queue: textOf(queue) || fact.queue,
  holder: textOf(user),
  firstHolder: fact.firstHolder || textOf(user),
  heldSince: at,
})

const said = (fact: ChatFact, at: number): ChatFact => {
  const { unanswered, ...rest } = fact
  const user = fact.holder
  return {
    ...rest,
    firstSaid: fact.firstSaid ?? at,
    firstSayer: fact.firstSayer || user,
    lastSayer: user,
    answers: unanswered === undefined ? fact.answers : [...fact.answers, { user, from: unanswered, to: at }],
  }
}

const ended = (fact: ChatFact, ending: string, reason: string, at: number): ChatFact => ({
  ...letGo(fact, at),
  holder: '',
  left: at,
  ending,
  reason,
})

/** A chat after an event of its conversation. Events about ratings are those with its number. */
export const foldChatFact = (
  fact: ChatFact,
  { type, data, time }: Pick<StoredEvent, 'type' | 'data' | 'time'>,
): ChatFact => {
  const at = Math.max(fact.requested, Date.parse(time))
  if (type === 'RatingAsked' && isRatingScale(data.scale)) return { ...fact, asked: data.scale }
  if (type === 'ConversationRated' && isRatingScale(data.scale) && typeof data.score === 'number')
    return { ...fact, asked: data.scale, score: data.score }
  if (type === 'RatingSkipped') return { ...fact, skipped: textOf(data.why) }
  if (fact.left !== undefined) return fact
  switch (type) {
    case 'AgentQueued':
      return queued(fact, data, at)
    case 'AgentMoved':
      return inQueue(fact, data)
    case 'AgentAssigned':
      return assigned(fact, data, at)
    case 'AgentConnected':
      return { ...fact, connected: fact.connected ?? at }
    case 'AgentReleased':
      return { ...letGo(fact, at), holder: '' }
    case 'AgentSnoozed':
      return fact.snoozedSince === undefined ? { ...letGo(fact, at), snoozedSince: at } : fact
    case 'AgentWoken': {
      const { snoozedSince, ...rest } = fact
      return snoozedSince === undefined ? fact : { ...rest, heldSince: at }
    }
    case 'AgentSaid':
      return data.comment === true || fact.holder === '' ? fact : said(fact, at)
    case 'MessageReceived':
      return { ...fact, unanswered: fact.unanswered ?? at }
    case 'AgentLeft':
      return ended(fact, textOf(data.reason), textOf(data.key), at)
    case 'TurnTaken':
    case 'TurnFailed':
      return data.status === 'agent' ? fact : ended(fact, 'person', '', at)
    case 'ConversationEnded':
      return ended(fact, textOf(data.reason), '', at)
    default:
      return fact
  }
}
