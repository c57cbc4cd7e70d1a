import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import type { AssignedHow, ReleasedWhy } from '#schemas/events/desk.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject, stringsOf, textOf } from '#schemas/json.ts'
import type { RatingScale, RatingSubject } from '#schemas/rating.ts'
import { countedRevision, type FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { DeskChatState, DeskFact } from './desk-state.ts'

const ratingIn = ({ rating, about, scale }: JsonObject) => ({
  rating: Number(rating),
  about: textOf(about) as RatingSubject,
  scale: textOf(scale) as RatingScale,
})

const factOf = ({ type, data, time }: StoredEvent, opened: Json | undefined): DeskFact | undefined => {
  const queue = typeof data.queue === 'string' && data.queue !== '' ? { queue: data.queue } : {}
  const name = isObject(opened) && textOf(opened.name) !== '' ? { name: textOf(opened.name) } : {}
  const why = typeof data.why === 'string' ? { why: data.why } : {}
  switch (type) {
    case 'AgentQueued':
      return { time, kind: 'queued', ...queue, ...why }
    case 'AgentAssigned':
      return { time, kind: 'assigned', ...queue, ...name, how: textOf(data.how) }
    case 'AgentReleased':
      return { time, kind: 'released', ...name, ...why, ...(data.why === 'declined' ? { by: textOf(data.by) } : {}) }
    case 'AgentSnoozed':
      return { time, kind: 'snoozed' }
    case 'AgentWoken':
      return { time, kind: 'woken', ...why }
    case 'ChatRevealed':
      return { time, kind: 'revealed', by: textOf(data.user) }
    case 'AgentTagged':
      return { time, kind: 'tagged', by: textOf(data.by), tags: stringsOf(data.tags) }
    case 'AgentPrioritized':
      return { time, kind: 'prioritized', by: textOf(data.by), priority: Number(data.priority) }
    case 'AgentMoved':
      return { time, kind: 'moved', by: textOf(data.by), ...queue }
    case 'AgentLeft':
      return { time, kind: 'left', reason: textOf(data.key) || textOf(data.reason) }
    case 'RatingAsked':
      return { time, kind: 'asked', ...ratingIn(data) }
    case 'ConversationRated': {
      const comment = isObject(opened) ? textOf(opened.comment) : ''
      const said = comment === '' ? {} : { comment }
      return { time, kind: 'rated', ...ratingIn(data), score: Number(data.score), ...said }
    }
    case 'RatingSkipped':
      return { time, kind: 'unrated', about: textOf(data.about) as RatingSubject, ...why }
    default:
      return undefined
  }
}

const FRESH = { isOpened: false, isAnswered: false, missed: [], declined: [], wasNudged: false, leave: [] } as const

const without = ({ holder: _, snoozed: __, ...desk }: DeskChatState): DeskChatState => desk

const queuedOf = (talk: AgentSession, { data, time }: StoredEvent): DeskChatState => {
  const at = Date.parse(time)
  const { desk } = talk
  return {
    ...FRESH,
    ...(desk === undefined ? {} : without(desk)),
    queue: textOf(data.queue),
    priority: typeof data.priority === 'number' ? data.priority : 0,
    since: typeof data.since === 'number' ? data.since : (desk?.since ?? at),
    queued: at,
    unanswered: desk?.unanswered ?? talk.requested,
  }
}

/** An agent who takes a chat themselves has opened it, and so has one who passed it on and gets it back. */
const OWN_ACTS: ReadonlySet<AssignedHow> = new Set(['taken', 'takeover', 'begun', 'declined'])

const assignedOf = (talk: AgentSession, { data, time }: StoredEvent, opened: Json | undefined): DeskChatState => {
  const at = Date.parse(time)
  const person = isObject(opened) ? opened : {}
  const begun: DeskChatState = {
    queue: textOf(data.queue),
    priority: talk.priority,
    since: at,
    queued: at,
    ...FRESH,
    unanswered: at,
  }
  const { returned: _, ...desk } = talk.desk ?? begun
  const holder = {
    user: textOf(data.user),
    how: textOf(data.how) as AssignedHow,
    at,
    slot: textOf(data.slot),
    name: textOf(person.name),
    avatar: textOf(person.avatar),
    ...(typeof data.by === 'string' ? { by: data.by } : {}),
  }
  return {
    ...without(desk),
    queue: textOf(data.queue) || desk.queue,
    holder,
    isOpened: OWN_ACTS.has(holder.how),
    isAnswered: false,
    wasNudged: false,
  }
}

const next = (talk: AgentSession, event: StoredEvent, opened: Json | undefined): Partial<AgentSession> => {
  const { type, data, time } = event
  if (type === 'AgentQueued') return { waiting: Date.parse(time), desk: queuedOf(talk, event) }
  if (type === 'AgentAssigned') return { desk: assignedOf(talk, event, opened) }
  const { desk } = talk
  if (desk === undefined) return {}
  switch (type) {
    case 'AgentReleased': {
      const why = textOf(data.why) as ReleasedWhy
      const of = (list: readonly string[], reason: ReleasedWhy) =>
        why === reason && desk.holder !== undefined ? [...list, desk.holder.user] : list
      const [missed, declined] = [of(desk.missed, 'missed'), of(desk.declined, 'declined')]
      return { desk: { ...without(desk), returned: why, missed, declined } }
    }
    case 'AgentSnoozed':
      return { desk: { ...desk, snoozed: { until: typeof data.until === 'number' ? data.until : null } } }
    case 'AgentWoken': {
      const { snoozed: _, ...woken } = desk
      const { holder } = woken
      return { desk: holder === undefined ? woken : { ...woken, holder: { ...holder, slot: textOf(data.slot) } } }
    }
    case 'AgentOpened':
      return { desk: { ...desk, isOpened: true } }
    case 'AgentPrioritized':
      return { desk: { ...desk, priority: Number(data.priority) } }
    case 'AgentMoved':
      return { desk: { ...desk, queue: textOf(data.queue) } }
    default:
      return {}
  }
}

/** A released or queued chat is with nobody: its page says that the person waits again. */
const released = ({ connected: _, agent: __, place: ___, ...talk }: AgentSession): AgentSession => talk

/** A score that comes again with a comment replaces the one before. */
const addFact = ({ desk: { facts } }: FoldedConversation, fact: DeskFact): void => {
  const at = facts.findIndex(({ kind, rating }) => kind === 'rated' && fact.kind === 'rated' && rating === fact.rating)
  const before = facts[at]
  if (before === undefined) facts.push(fact)
  else facts[at] = { ...fact, time: before.time }
}

/** Applies an event of the desk; `opened`: its sealed part. */
export const foldDeskEvent = (held: FoldedConversation, event: StoredEvent, opened: Json | undefined): void => {
  const { type, data, time } = event
  const fact = factOf(event, opened)
  const n = Number(data.n)
  const talk = held.agent?.n === n ? held.agent : undefined
  if (fact !== undefined && (type !== 'AgentLeft' || talk?.desk !== undefined)) addFact(held, fact)
  switch (type) {
    case 'AgentNoted': {
      const text = textOf(isObject(opened) ? opened.text : opened)
      // Of a forgotten person nothing is left to read.
      if (opened !== undefined) held.desk.notes.push({ id: textOf(data.id), time, user: textOf(data.user), text })
      return
    }
    case 'AgentTagged':
      held.state = { ...held.state, tags: stringsOf(data.tags) }
      return
    case 'AgentLeft':
      return
    case 'TakeoverAsked': {
      const person = isObject(opened) ? opened : {}
      const by = {
        how: data.how === 'begun' ? ('begun' as const) : ('takeover' as const),
        user: textOf(data.user),
        queue: textOf(data.queue),
        channel: textOf(data.channel),
        slot: textOf(data.slot),
        name: textOf(person.name),
        avatar: textOf(person.avatar),
        joined: textOf(person.joined),
      }
      const pending = { revision: countedRevision(held, event.revision), time: Date.parse(time) }
      held.inbox = [...held.inbox, { ...pending, from: { kind: 'takeover', by } }]
      held.claim = (data.claim as FoldedConversation['claim']) ?? held.claim
      return
    }
    default:
  }
  if (talk === undefined) return
  const changed = { ...talk, ...next(talk, event, opened) }
  held.agent = type === 'AgentReleased' || type === 'AgentQueued' ? released(changed) : changed
}

/** Effect of a text on a chat of the desk: an answer, or a text about its position. */
export const saidAtDesk = (talk: AgentSession, data: JsonObject, at: number): Partial<AgentSession> => {
  const { desk } = talk
  if (desk === undefined) return {}
  if (data.comment === true) {
    const position = typeof data.position === 'number' ? data.position : undefined
    const told = position === undefined ? {} : { told: { at, count: (desk.told?.count ?? 0) + 1, position } }
    const nudged = data.moment === 'nudge' ? { wasNudged: true } : {}
    const leave = Array.isArray(data.leave) ? { leave: stringsOf(data.leave) } : {}
    return { desk: { ...desk, ...told, ...nudged, ...leave } }
  }
  const { unanswered: _, ...answered } = desk
  return { desk: { ...answered, isAnswered: true, wasNudged: false } }
}

/** Whether a message of a person who waits asks for the bot: all of it is the number or the title of that option. */
export const asksForBot = ({ agent }: FoldedConversation, text: string): boolean => {
  const { desk } = agent ?? {}
  if (desk === undefined || desk.holder !== undefined) return false
  const said = folded(text.trim())
  return desk.leave.some(option => folded(option) === said)
}

/** Effect of a word of the person. */
export const heardByDesk = ({ desk }: AgentSession, at: number): Partial<AgentSession> =>
  desk === undefined ? {} : { desk: { ...desk, unanswered: desk.unanswered ?? at, wasNudged: false } }
