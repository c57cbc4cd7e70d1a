import type { EndedChat } from '#domain/conversation/message.ts'
import type { ReturnTarget } from '#domain/conversation/state.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { chatRatingIn } from '#schemas/rating.ts'
import {
  countedRevision,
  type FoldedConversation,
  type Pending,
  positionOf,
  type Words,
} from '../../conversation/engine/folded-conversation.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'
import type { AgentSessionEntry, ChatMessage, SentMessage } from '../../port.ts'
import type { AgentPerson } from '../agent-port.ts'
import { foldDeskEvent, heardByDesk, saidAtDesk } from '../desk/fold-desk.ts'
import type { AgentSession } from './agent-session.ts'

type Opened = Json | undefined

const personIn = (opened: Opened): AgentPerson => {
  const given = isObject(opened) ? opened : {}
  return { name: textOf(given.name), avatar: textOf(given.avatar) }
}

const requested = (held: FoldedConversation, { data, time }: StoredEvent, opened: Opened): void => {
  const asked = isObject(opened) ? opened : {}
  if (held.agent !== undefined) held.closing = [...held.closing, held.agent]
  held.agent = {
    n: Number(data.n),
    channel: String(data.channel),
    key: String(data.key),
    requested: Date.parse(time),
    waiting: Date.parse(time),
    queue: textOf(asked.queue),
    fields: isObject(asked.fields) ? asked.fields : {},
    hasTranscript: asked.transcript === true,
    transcriptTo: held.messages.length,
    isOpening: false,
    outbox: [],
    sent: 0,
    seen: new Set(),
    priority: typeof asked.priority === 'number' ? asked.priority : 0,
  }
}

/** Changes the chat with this number, whether it is the current one or closing. */
const change = (held: FoldedConversation, n: number, with_: (talk: AgentSession) => AgentSession): void => {
  if (held.agent?.n === n) held.agent = with_(held.agent)
  held.closing = held.closing.map(talk => (talk.n === n ? with_(talk) : talk))
}

/** A message of an agent or of their system. `revision` counts through all parts; `opened` is its sealed content. */
export const agentChatMessage = ({ time, data }: StoredEvent, revision: number, opened: Opened): ChatMessage => {
  const said: JsonObject = isObject(opened) ? opened : {}
  const { name, avatar } = personIn(said)
  return {
    id: `a${revision}`,
    position: positionOf(revision),
    time,
    from: data.comment === true ? 'bot' : 'agent',
    type: 'text',
    text: textOf(said.text),
    ...(name === '' ? {} : { name }),
    ...(avatar === '' ? {} : { avatar }),
    ...(data.named === true ? { named: true } : {}),
    ...(Array.isArray(said.attachments) && said.attachments.length > 0 ? { attachments: said.attachments } : {}),
    ...(isObject(said.template) ? { template: said.template } : {}),
    delay: 0,
    actions: [],
  }
}

/** A chat that ended, as flows read it. */
const endedChat = ({ n, requested: since, met, agent, desk }: AgentSession, reason: string): EndedChat => ({
  n,
  reason,
  name: desk?.holder?.name ?? agent?.name ?? '',
  wait: met === undefined ? null : Math.max(0, Math.round((met - since) / 1000)),
  score: null,
})

/** Puts the end of the chat before later messages, because those are for the bot. A running turn continues. */
const pendLeft = (
  held: FoldedConversation,
  talk: AgentSession,
  { revision, time, data }: StoredEvent,
  opened: Opened,
): void => {
  const words = textOf(opened)
  const rating = chatRatingIn(data.rating)
  const left: Pending = {
    revision: countedRevision(held, revision),
    time: Date.parse(time),
    from: {
      kind: 'agentleft',
      reason: textOf(data.reason),
      ...(words !== '' || data.quiet === true ? { text: words } : {}),
      ...(isObject(data.return) ? { return: data.return as ReturnTarget } : {}),
      ...(rating === undefined ? {} : { rating }),
      chat: endedChat(talk, textOf(data.key)),
    },
  }
  const running = held.claim === undefined ? 0 : 1
  held.inbox = [...held.inbox.slice(0, running), left, ...held.inbox.slice(running)]
  held.claim = (data.claim as Claim | undefined) ?? held.claim
}

const left = (held: FoldedConversation, event: StoredEvent, opened: Opened): void => {
  const n = Number(event.data.n)
  held.closing = held.closing.filter(talk => talk.n !== n)
  if (held.agent?.n !== n) return
  const talk = held.agent
  // `open`: the chat has ended for the person, and has to be closed in its system.
  if (event.data.open === true) held.closing = [...held.closing, talk]
  held.agent = undefined
  if (held.state.status === 'agent' && held.ended === undefined) pendLeft(held, talk, event, opened)
}

/** Applies an event between the conversation's person and an agent. */
export const foldAgentEvent = async (held: FoldedConversation, event: StoredEvent, words: Words): Promise<void> => {
  const { type, data, stream, time } = event
  const opened = await words.open(held.person, data.sealed, stream)
  const n = Number(data.n)
  const at = Date.parse(time)
  const seen = (talk: AgentSession) =>
    typeof data.event === 'string' ? new Set([...talk.seen, data.event]) : talk.seen
  switch (type) {
    case 'AgentRequested':
      return requested(held, event, opened)
    case 'AgentLeased':
      return change(held, n, talk => ({
        ...talk,
        ...(data.lease === undefined ? {} : { lease: data.lease as unknown as Claim }),
        ...(typeof data.opening === 'boolean' ? { isOpening: data.opening } : {}),
        ...(isObject(opened) ? { link: opened } : {}),
        ...(typeof data.sent === 'number' ? { sent: data.sent } : {}),
      }))
    case 'AgentWaiting':
      return change(held, n, ({ connected, agent: _, place: __, ...talk }) => ({
        ...talk,
        seen: seen(talk),
        waiting: connected === undefined ? talk.waiting : at,
        ...(typeof data.place === 'number' ? { place: data.place } : {}),
      }))
    case 'AgentConnected':
      return change(held, n, talk => ({
        ...talk,
        seen: seen(talk),
        connected: talk.connected ?? at,
        met: talk.met ?? at,
        agent: personIn(opened),
      }))
    case 'AgentSaid':
      held.messages.push(agentChatMessage(event, countedRevision(held, event.revision), opened))
      if (typeof data.moment === 'string') held.desk.texts.add(`a${countedRevision(held, event.revision)}`)
      if (typeof data.by === 'string')
        held.desk.word = { user: data.by, position: positionOf(countedRevision(held, event.revision)) }
      return change(held, n, talk => ({
        ...talk,
        seen: seen(talk),
        ...(data.comment === true ? {} : { agentSaid: at }),
        ...saidAtDesk(talk, data, at),
      }))
    case 'AgentLeft':
      foldDeskEvent(held, event, opened)
      return left(held, event, opened)
    default:
      foldDeskEvent(held, event, opened)
  }
}

/** A message without the files that were not fetched; the agent reads their names if nothing else is left. */
const withoutUnfetched = (sent: SentMessage): SentMessage => {
  const given = sent.attachments ?? []
  const attachments = given.filter(({ error }) => error === undefined)
  if (attachments.length === given.length) return sent
  if (attachments.length > 0) return { ...sent, attachments }
  const { attachments: _, ...rest } = sent
  return { ...rest, type: 'text', text: sent.text ?? given.map(({ name }) => String(name)).join(', ') }
}

/**
 * Effect of a turn on the chat: the agent gets a message while the person is handed over; otherwise the chat ends.
 * `moment`: of the turn, ISO 8601.
 */
export const foldTurnOfAgent = (
  held: FoldedConversation,
  wasWithAgent: boolean,
  pending: Pending | undefined,
  moment: string,
): void => {
  const talk = held.agent
  if (talk === undefined) return
  if (held.state.status !== 'agent') {
    if (talk.desk !== undefined) held.desk.facts.push({ time: moment, kind: 'left', reason: 'person' })
    held.closing = [...held.closing, talk]
    held.agent = undefined
    return
  }
  if (!wasWithAgent || pending?.from.kind !== 'message') return
  if (pending.from.sent.type === 'menu' || pending.from.sent.type === 'opening') return
  const { revision, time } = pending
  const sent = withoutUnfetched(pending.from.sent)
  held.agent = {
    ...talk,
    outbox: [...talk.outbox, { revision, time, sent }],
    personSaid: time,
    ...heardByDesk(talk, time),
  }
}

/** Closes the chat of an ended conversation, in which the agent has no partner. */
export const closeAgent = (held: FoldedConversation): void => {
  if (held.agent !== undefined) held.closing = [...held.closing, held.agent]
  held.agent = undefined
}

export const AGENTS = `
  CREATE TABLE IF NOT EXISTS agenttalk (
    conversation TEXT NOT NULL, n INTEGER NOT NULL, channel TEXT NOT NULL, key TEXT NOT NULL,
    requested INTEGER NOT NULL, waiting INTEGER, place INTEGER, closing INTEGER NOT NULL DEFAULT 0, node TEXT,
    until INTEGER NOT NULL,
    PRIMARY KEY (conversation, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS agenttalk_key ON agenttalk (key);
  CREATE INDEX IF NOT EXISTS agenttalk_until ON agenttalk (until);
  CREATE INDEX IF NOT EXISTS agenttalk_channel ON agenttalk (channel);
`

/** Index of the open chats with agents, in all conversations: built from the log, and disposable. */
export class AgentIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  apply(conversation: string, { type, data, time }: StoredEvent): void {
    const at = Date.parse(time)
    const n = Number(data.n)
    switch (type) {
      case 'AgentRequested':
        this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        this.#sql.run(
          `INSERT OR IGNORE INTO agenttalk (conversation, n, channel, key, requested, waiting, until)
           VALUES (?, ?, ?, ?, ?, ?, 0)`,
          ...[conversation, n, String(data.channel), String(data.key), at, at],
        )
        break
      case 'AgentLeased': {
        const lease = data.lease as unknown as Claim | undefined
        if (lease === undefined) break
        const sql = 'UPDATE agenttalk SET node = ?, until = ? WHERE conversation = ? AND n = ?'
        this.#sql.run(sql, lease.node, lease.until, conversation, n)
        break
      }
      case 'AgentQueued':
      case 'AgentWaiting':
        this.#sql.run(
          'UPDATE agenttalk SET waiting = coalesce(waiting, ?), place = ? WHERE conversation = ? AND n = ?',
          ...[at, typeof data.place === 'number' ? data.place : null, conversation, n],
        )
        break
      case 'AgentConnected':
        this.#sql.run(
          'UPDATE agenttalk SET waiting = NULL, place = NULL WHERE conversation = ? AND n = ?',
          conversation,
          n,
        )
        break
      case 'AgentLeft':
        if (data.open === true)
          this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ? AND n = ?', conversation, n)
        else this.#sql.run('DELETE FROM agenttalk WHERE conversation = ? AND n = ?', conversation, n)
        break
      case 'TurnTaken':
      case 'TurnFailed':
        if (data.status !== 'agent')
          this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        break
      case 'ConversationEnded':
        this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        break
      default:
    }
  }

  remove(conversation: string): void {
    this.#sql.run('DELETE FROM agenttalk WHERE conversation = ?', conversation)
  }

  /** The conversation whose chat has this key. */
  byKey(channel: string, key: string): { readonly conversation: string; readonly n: number } | undefined {
    const row = this.#sql.get('SELECT conversation, n FROM agenttalk WHERE key = ? AND channel = ?', key, channel)
    return row === undefined ? undefined : { conversation: String(row.conversation), n: Number(row.n) }
  }

  /** Conversations with a chat that no node drives, or that one of these nodes drove. */
  free(now: number, nodes: readonly string[], limit: number): readonly string[] {
    const sql = `SELECT DISTINCT conversation FROM agenttalk
      WHERE until < ? OR node IN (SELECT value FROM json_each(?)) LIMIT ?`
    return this.#sql.all(sql, now, JSON.stringify(nodes), limit).map(({ conversation }) => String(conversation))
  }

  /** Conversations with chats that other nodes drive. */
  ofOthers(node: string): readonly string[] {
    const sql = 'SELECT DISTINCT conversation FROM agenttalk WHERE node IS NULL OR node <> ?'
    return this.#sql.all(sql, node).map(({ conversation }) => String(conversation))
  }

  /** Channels with a waiting person. */
  waitedAt(): readonly string[] {
    return this.#sql
      .all('SELECT DISTINCT channel FROM agenttalk WHERE waiting IS NOT NULL AND closing = 0')
      .map(({ channel }) => String(channel))
  }

  /** Persons who wait at a channel or talk to its agents; the longest wait first. */
  at(channel: string, limit: number): readonly AgentSessionEntry[] {
    const sql = `SELECT conversation, n, channel, requested, waiting, place FROM agenttalk
      WHERE channel = ? AND closing = 0 ORDER BY waiting IS NULL, waiting, requested LIMIT ?`
    return this.#sql.all(sql, channel, limit).map(row => ({
      conversation: String(row.conversation),
      n: Number(row.n),
      channel: String(row.channel),
      requested: Number(row.requested),
      waiting: row.waiting === null ? null : Number(row.waiting),
      place: row.place === null ? null : Number(row.place),
    }))
  }
}
