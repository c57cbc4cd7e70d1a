import { type ConversationFact, foldConversationFact } from '#domain/metrics/conversation-fact.ts'
import { CONVERSATION_STANDING } from '#schemas/api/conversation.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { type DeskFigureSum, DeskFigures, FIGURES } from '../../agent/figures/desk-figures.ts'
import { IndexDatabase } from '../../log/followed-index.ts'
import { METRICS, measureCondition } from '../../metrics/metric-query.ts'
import type { ChatPage, ConversationFilter, ConversationNotification, ConversationRecord } from '../../port.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import { VISITS, VisitIndex, type VisitSum } from './visit-index.ts'

/** `block` of an ended conversation is set only when its person left a question unanswered. */
const STANDING = `CASE WHEN status = 'agent' THEN 'agent' WHEN status <> 'ended' THEN 'bot' WHEN block IS NOT NULL THEN 'gaveup'
  ELSE 'ended' END`

const COLUMNS = `id, bot, channel, channeltype, person, status, release, started, last, ended, reason, turns, retained, origin,
  ${STANDING} AS standing`

type Row = Readonly<Record<string, unknown>>

const recordOf = (row: Row): ConversationRecord => ({
  ...(row as unknown as ConversationRecord),
  retained: row.retained === 1,
})

export const findConversation = (index: IndexDatabase, id: string): ConversationRecord | undefined => {
  const row = index.get(`SELECT ${COLUMNS} FROM conversation WHERE id = ?`, id)
  return row === undefined ? undefined : recordOf(row)
}

/** Conditions of a filter, without its `standing`. */
const conditions = (bots: readonly string[], filter: ConversationFilter) => {
  const where = ['bot IN (SELECT value FROM json_each(?))']
  const values: (string | number)[] = [JSON.stringify(bots)]
  const add = (condition: string, ...given: readonly (string | number | undefined)[]) => {
    const known = given.filter(value => value !== undefined)
    if (known.length < given.length) return
    where.push(condition)
    values.push(...known)
  }
  add('? IN (channel, channeltype)', filter.channel)
  add('status = ?', filter.status)
  add('person = ?', filter.person)
  add('block = ?', filter.at)
  add('reason = ?', filter.reason)
  add('retained = ?', filter.retained === undefined ? undefined : Number(filter.retained))
  add('started >= ?', filter.from)
  add('started < ?', filter.to)
  if (filter.figure !== undefined) {
    const { sql, values: given } = measureCondition(bots, filter.figure)
    add(sql, ...given)
  }
  add(
    `id IN (SELECT conversation FROM ${METRICS}.metricfact WHERE bot IN (SELECT value FROM json_each(?)) AND origin = ?)`,
    ...[JSON.stringify(bots), filter.origin],
  )
  const start = filter.search?.toLowerCase().replaceAll('-', '')
  add(
    "? IN (substr(replace(id, '-', ''), 1, ?), substr(replace(person, '-', ''), 1, ?))",
    start,
    start?.length,
    start?.length,
  )
  return { where: where.join(' AND '), values }
}

/** Conversations of bots, newest first, and their count for each standing. */
export const listConversations = (
  index: IndexDatabase,
  bots: readonly string[],
  filter: ConversationFilter,
  page: number,
  size: number,
) => {
  const { where, values } = conditions(bots, filter)
  const found = index.all(
    `SELECT ${STANDING} AS standing, count(*) AS n FROM conversation WHERE ${where} GROUP BY 1`,
    ...values,
  )
  const countOf = (standing: string) => Number(found.find(row => row.standing === standing)?.n ?? 0)
  const [bot, agent, ended, gaveup] = CONVERSATION_STANDING.map(countOf) as [number, number, number, number]
  const counts = { bot, agent, ended, gaveup }
  const { standing } = filter
  const items = index.all(
    `SELECT ${COLUMNS} FROM conversation WHERE ${where} ${standing === undefined ? '' : `AND ${STANDING} = ?`}
      ORDER BY started DESC, id LIMIT ? OFFSET ?`,
    ...values,
    ...(standing === undefined ? [] : [standing]),
    size,
    (page - 1) * size,
  )
  const total = standing === undefined ? bot + agent + ended + gaveup : counts[standing]
  return { items: items.map(recordOf), total, counts }
}

interface ConversationSum extends VisitSum {
  readonly turns: number
  /** Number of its streams. */
  readonly parts: number
  /** Absent for one that was never at the desk. */
  readonly desk?: DeskFigureSum
  /** The conversation as its figures need it. */
  readonly fact: ConversationFact | undefined
  readonly isForgotten: boolean
}

/** Counts the visits of conversations as the index does, one conversation at a time. */
export const openSums = () => {
  const database = new IndexDatabase(':memory:', { version: 1, schema: VISITS + FIGURES })
  const figures = new DeskFigures(database)
  const visits = new VisitIndex(database)
  return {
    async of(id: string, events: AsyncIterable<StoredEvent>): Promise<ConversationSum> {
      let of = { id, bot: '', channel: '', release: 0, withAgent: false, time: 0 }
      let turns = 0
      let parts = 1
      let isCounted = true
      let fact: ConversationFact | undefined
      let isForgotten = false
      for await (const event of events) {
        const { type, data, time } = event
        // Revisions of these events count through all parts.
        fact = foldConversationFact(fact, { ...event, revision: event.revision - (fact?.base ?? 0) })
        isForgotten ||= type === 'PersonForgotten'
        figures.apply({ id, part: 1, bot: () => '' }, event)
        of = { ...of, time: Date.parse(time) }
        if (typeof data.release === 'number') of = { ...of, release: data.release }
        if (type === 'ConversationStarted') {
          of = { ...of, channel: String(data.channeltype) }
          isCounted = data.origin !== 'agent' && data.origin !== 'trial'
        }
        if (type === 'ConversationContinued') parts += 1
        if (type === 'ConversationEnded' && isCounted) visits.ended(of, String(data.reason))
        if (type !== 'TurnTaken' && type !== 'TurnFailed') continue
        turns = Number(data.turn)
        if (isCounted) visits.turned(of, data)
        of = { ...of, withAgent: data.status === 'agent' }
      }
      const desk = figures.drain()
      return { ...visits.drain(), turns, parts, fact, isForgotten, ...(desk.figures.length === 0 ? {} : { desk }) }
    },
    close: () => database.close(),
  }
}

/** `active` from the acceptance of a message until its turn is stored. */
export const stateOf = (held: FoldedConversation): ChatPage['state'] => {
  if (held.ended !== undefined) return 'ended'
  return held.inbox.length > 0 || held.state.status === 'active' ? 'active' : held.state.status
}

export const pageOf = (held: FoldedConversation, messages: ChatPage['messages'], after: string): ChatPage => ({
  messages,
  watermark: messages.at(-1)?.position ?? after,
  state: stateOf(held),
  wait:
    ((held.state.status === 'waiting'
      ? held.messages.findLast(({ wait }) => wait !== undefined)?.wait
      : null) as JsonObject | null) ?? null,
  agent:
    held.agent === undefined
      ? null
      : { name: '', avatar: '', ...held.agent.agent, isWaiting: held.agent.connected === undefined },
})

type Listener = (news: ConversationNotification) => void

/** Listeners of conversations on this node. */
export class Followers {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #happened: ((conversation: string) => void) | undefined

  /** `happened` is called for every conversation. */
  constructor(happened?: (conversation: string) => void) {
    this.#happened = happened
  }

  /** Returns the function that ends the subscription. */
  follow(conversation: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(conversation) ?? new Set()
    this.#listeners.set(conversation, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(conversation) === listeners) this.#listeners.delete(conversation)
    }
  }

  has(conversation: string): boolean {
    return this.#listeners.has(conversation)
  }

  hint(conversation: string, news: ConversationNotification): void {
    for (const listener of this.#listeners.get(conversation) ?? []) listener(news)
  }

  tell(held: FoldedConversation): void {
    this.#happened?.(held.id)
    this.hint(held.id, { kind: 'messages' })
    this.hint(held.id, { kind: 'state', state: stateOf(held) })
    if (held.ended !== undefined) this.hint(held.id, { kind: 'ended', reason: held.ended })
  }
}
