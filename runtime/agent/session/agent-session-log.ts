import { agentText, type OwnTexts, type TextValues } from '#domain/desk/desk-text.ts'
import type { AgentText } from '#schemas/agent-system.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject, trimmedText } from '#schemas/json.ts'
import type { Fact } from '../../conversation/engine/conversation-facts.ts'
import type { ConversationEngine } from '../../conversation/engine/engine.ts'
import {
  channelWindow,
  type FoldedConversation,
  streamOf,
  type Words,
} from '../../conversation/engine/folded-conversation.ts'
import type { ConversationLog } from '../../conversation/store/log.ts'
import { isFree, LeaseTerm } from '../../log/lease.ts'
import type { BotLog, BotLogEntry } from '../../service/bot-log.ts'
import type { AgentEvent, AgentLink, AgentPerson, AgentStep } from '../agent-port.ts'
import type { AgentChatPlace } from './agent-files.ts'
import type { AgentSession } from './agent-session.ts'

/** State of a chat that a text of the system announces (D-3.2.03). */
const meaningOf = (text: string, fields: JsonObject): 'waiting' | 'connected' | 'transferred' | undefined => {
  const said = folded(text)
  const names = (field: string) => {
    const words = folded(trimmedText(fields[field]))
    return words !== '' && said.includes(words)
  }
  if (names('message_to_identify_agent_transfered')) return 'transferred'
  if (names('message_to_identify_agent_connected')) return 'connected'
  return names('message_to_identify_user_waiting') ? 'waiting' : undefined
}

const MAX_TEXT = 20_000

type TextOf = (moment: AgentText, values: TextValues) => string | undefined

/** Texts of a channel for the person, in their language; none once the channel takes no free words. */
const textsOf = async (
  { messages, now }: Pick<AgentLogDependencies, 'messages' | 'now'>,
  held: FoldedConversation,
  fields: JsonObject,
): Promise<TextOf> => {
  const standard = await messages?.(held)
  const window = channelWindow(held)
  if (standard === undefined || (window !== undefined && window < now())) return () => undefined
  const own = (Array.isArray(fields.texts) ? fields.texts : []) as unknown as OwnTexts<AgentText>
  return (moment, values) => {
    // A web chat itself says that an agent came.
    if (moment === 'joined' && held.channelType === 'webchat') return undefined
    return agentText(moment, own, standard, { ...values, agent: values.agent || standard.get('desk.agent') })
  }
}

/** Text of a channel when no agent comes; empty: none. Undefined: the usual message of the bot. */
const nobodyText = ({ texts, timed_out_message: message }: JsonObject): string | undefined => {
  const own = (Array.isArray(texts) ? texts : []).find(each => isObject(each) && each.moment === 'nobody')
  return trimmedText(message) || (isObject(own) ? trimmedText(own.text) : undefined)
}

/** Converts events of a system to facts of the conversation, each once. */
export class AgentFacts {
  readonly #words: Words
  readonly #held: FoldedConversation
  readonly #talk: AgentSession
  readonly #fields: JsonObject
  readonly #time: number
  readonly #seen: Set<string>
  readonly #textOf: TextOf
  readonly #facts: Fact[] = []
  #isConnected: boolean
  #agent: string | undefined
  #isOver = false

  constructor(
    words: Words,
    held: FoldedConversation,
    talk: AgentSession,
    fields: JsonObject,
    time: number,
    textOf: TextOf = () => undefined,
  ) {
    this.#words = words
    this.#textOf = textOf
    this.#held = held
    this.#talk = talk
    this.#fields = fields
    this.#time = time
    this.#seen = new Set(talk.seen)
    this.#isConnected = talk.connected !== undefined
    this.#agent = talk.agent?.name
  }

  async add(event: AgentEvent): Promise<void> {
    if (event.kind === 'typing' || event.kind === 'unread' || this.#isOver || this.#seen.has(event.id)) return
    this.#seen.add(event.id)
    switch (event.kind) {
      case 'queued':
        this.#wait(event.id, event.position)
        return this.#tell('queued', 'text queued', { position: event.position?.toString() })
      case 'joined': {
        const wasConnected = this.#isConnected
        await this.#connect(event.id, event.agent)
        return wasConnected ? undefined : this.#tell('joined', `${event.id} text`, { agent: event.agent.name })
      }
      case 'transferred':
        this.#wait(event.id)
        return this.#tell('transferred', `${event.id} text`)
      case 'left':
        return this.#wait(event.id)
      case 'message':
        return this.#say(event)
      case 'closed':
      case 'error':
        this.#isOver = true
        if (event.kind === 'closed') await this.#tell('closed', `${event.id} text`, { agent: this.#agent })
        return this.#put('AgentLeft', event.id, { reason: event.kind })
      default:
        return event satisfies never
    }
  }

  facts(): readonly Fact[] {
    return this.#facts
  }

  /** A text to the person, once for each id. */
  async #tell(moment: AgentText, id: string, values: TextValues = {}): Promise<void> {
    const text = this.#seen.has(id) ? undefined : this.#textOf(moment, values)
    if (text === undefined) return
    this.#seen.add(id)
    this.#put('AgentSaid', id, { comment: true, moment, sealed: await this.#seal({ text }) })
  }

  async #say(event: Extract<AgentEvent, { kind: 'message' }>): Promise<void> {
    const { id, from, agent, text, files = [], isShown, template } = event
    const meaning = meaningOf(text, this.#fields)
    if (meaning === 'waiting') this.#wait(`${id} waiting`)
    if (meaning === 'transferred') this.#wait(`${id} transferred`)
    if (meaning === 'connected') await this.#connect(`${id} connected`, agent ?? { name: '', avatar: '' })
    const isComment = meaning !== undefined || from === 'system'
    if (isComment && isShown !== true && this.#fields.send_agent_comment_to_user !== true) return
    // An agent who writes is connected, even if the system does not report it.
    if (!isComment && !this.#isConnected) await this.#connect(`${id} connected`, agent ?? { name: '', avatar: '' })
    const attachments = files.map(({ name, type, url }) => ({ name, contentType: type, contentUrl: url }))
    const said = {
      text: text.slice(0, MAX_TEXT),
      ...(isComment ? {} : agent),
      attachments,
      ...(template === undefined ? {} : { template }),
    }
    const sealed = await this.#seal(said)
    this.#put('AgentSaid', id, { ...(isComment ? { comment: true } : {}), sealed })
  }

  #wait(id: string, place?: number): void {
    this.#isConnected = false
    this.#put('AgentWaiting', id, place === undefined ? {} : { place })
  }

  async #connect(id: string, agent: AgentPerson): Promise<void> {
    this.#isConnected = true
    this.#agent = agent.name
    this.#put('AgentConnected', id, { sealed: await this.#seal({ ...agent }) })
  }

  #seal(value: Json): Promise<JsonObject> {
    return this.#words.seal(this.#held.person, value, streamOf(this.#held))
  }

  #put(type: Fact['type'], event: string, data: JsonObject): void {
    const { n } = this.#talk
    this.#facts.push({
      type,
      cause: `${this.#held.id} agent ${n} ${type} ${event}`,
      time: this.#time,
      data: { n, event, ...data },
    })
  }
}

/** Of the lease of a chat, which each write of its node renews. */
const TERM = new LeaseTerm(60_000)

export interface AgentLogDependencies {
  /** Id of this process. */
  readonly node: string
  readonly log: ConversationLog
  readonly engine: ConversationEngine
  readonly words: Words
  /** Whether the lease of another node may be taken before it expires. */
  readonly isGone: (node: string) => boolean
  readonly tell: (held: FoldedConversation) => void
  /** Called when this node takes the lease of another one. */
  readonly tookOver?: () => void
  readonly typing: (conversation: string, isTyping: boolean) => void
  /** Keeps the files of events that only the channel's key opens. */
  readonly keepFiles?: (chat: AgentChatPlace, events: readonly AgentEvent[]) => Promise<readonly AgentEvent[]>
  readonly now: () => number
  /** Messages of the bot of a conversation, in the person's language; undefined: the channel says no texts. */
  readonly messages?: ((held: FoldedConversation) => Promise<ReadonlyMap<string, string> | undefined>) | undefined
  readonly botLog?: Pick<BotLog, 'log'> | undefined
}

export interface OpenAgentSession {
  readonly held: FoldedConversation
  readonly talk: AgentSession
  /** The chat has ended for the person, and is still open in its system. */
  readonly isOver: boolean
}

interface HeldAgentSession extends OpenAgentSession {
  /** Another node drove it until now. */
  readonly isTaken: boolean
}

/** Another node drives the chat now. */
export class LostLease extends Error {
  override readonly name = 'LostLease'
}

const talkIn = (held: FoldedConversation | undefined, n: number): OpenAgentSession | undefined => {
  if (held?.agent?.n === n) return { held, talk: held.agent, isOver: false }
  const talk = held?.closing.find(each => each.n === n)
  return held === undefined || talk === undefined ? undefined : { held, talk, isOver: true }
}

/** One chat with an agent in its conversation's events: reads it, and is the only way to write to it. */
export class AgentSessionLog {
  readonly #parts: AgentLogDependencies
  readonly #id: string
  readonly #n: number

  constructor(parts: AgentLogDependencies, conversation: string, n: number) {
    this.#parts = parts
    this.#id = conversation
    this.#n = n
  }

  /** Undefined: the chat has ended, in its system as well. */
  async find(): Promise<OpenAgentSession | undefined> {
    return talkIn(await this.#parts.log.load(this.#id), this.#n)
  }

  /** Adds the result of a call of the channel's system to the bot's log, without any text. */
  tell(
    { held, talk }: OpenAgentSession,
    { type }: JsonObject,
    { level, code }: Pick<BotLogEntry, 'level' | 'code'>,
  ): void {
    const { id: conversation, bot, release } = held
    this.#parts.botLog?.log({ level, code, bot, release, conversation, service: `${String(type)}:${talk.channel}` })
  }

  /** Applies the events that the system sent, each once. */
  async hear({ link, events: heard = [] }: AgentStep, fields: JsonObject): Promise<void> {
    const { engine, words, now, keepFiles } = this.#parts
    const typing = heard.findLast(({ kind }) => kind === 'typing')
    if (typing?.kind === 'typing') this.#parts.typing(this.#id, typing.isTyping)
    if (link === undefined && heard.every(({ kind }) => kind === 'typing')) return
    const found = heard.length === 0 ? undefined : await this.find()
    const events =
      found === undefined || keepFiles === undefined
        ? heard
        : await keepFiles({ conversation: this.#id, channel: found.talk.channel, seen: found.talk.seen }, heard)
    if (found !== undefined) this.tell(found, fields, { level: 'info', code: 'agent.heard' })
    if (found !== undefined && heard.some(({ kind }) => kind === 'unread'))
      this.tell(found, fields, { level: 'warn', code: 'agent.answer' })
    await this.#write(async ({ held, talk, isOver }) => {
      const facts = new AgentFacts(words, held, talk, fields, now(), await textsOf(this.#parts, held, fields))
      if (!isOver) for (const event of events) await facts.add(event)
      const isClosed = isOver && events.some(({ kind }) => kind === 'closed' || kind === 'error')
      const claim = engine.isFree(held) ? { claim: { ...engine.claim() } } : {}
      return [
        ...(link === undefined ? [] : await this.#linked(held, talk, link)),
        ...facts
          .facts()
          .map(fact => (fact.type === 'AgentLeft' ? { ...fact, data: { ...fact.data, ...claim } } : fact)),
        ...(isClosed ? [this.#left({ reason: 'closed' })] : []),
      ]
    })
  }

  /**
   * Ends the chat for the person, and then in its system. `isDue` decides on the newest events whether it still ends;
   * returns what it decided.
   */
  async leave(
    reason: string,
    fields: JsonObject,
    {
      isGone = false,
      more = {},
      isDue = () => true,
    }: { isGone?: boolean; more?: JsonObject; isDue?: (talk: AgentSession) => boolean } = {},
  ): Promise<boolean> {
    const { engine } = this.#parts
    const isNobody = reason === 'timeout' || reason === 'unavailable'
    const own = isNobody ? nobodyText(fields) : undefined
    const text = own ?? ''
    let isLeft = false
    await this.#write(async ({ held, talk, isOver }) => {
      isLeft = !isOver && isDue(talk)
      if (isOver) return isGone ? [this.#left({ reason })] : []
      if (!isLeft) return []
      return [
        this.#left({
          reason,
          ...more,
          ...(isGone || (talk.link === undefined && !talk.isOpening) ? {} : { open: true }),
          ...(own === '' ? { quiet: true } : {}),
          ...(text === '' ? {} : { sealed: await this.#seal(held, text) }),
          ...(engine.isFree(held) ? { claim: { ...engine.claim() } } : {}),
        }),
      ]
    })
    return isLeft
  }

  /**
   * Takes a free lease, and renews its own. Returns the chat with all events before that; undefined: another node
   * drives it. The state before may lack the message that the other node was about to send.
   */
  async hold(found: OpenAgentSession): Promise<HeldAgentSession | undefined> {
    const { node, now, isGone } = this.#parts
    const { lease } = found.talk
    if (lease?.node === node && !TERM.isDue(lease, now())) return { ...found, isTaken: false }
    let isTaken = false
    const written = await this.#write(({ talk }) => {
      isTaken = talk.lease !== undefined && talk.lease.node !== node
      return isFree(talk.lease, node, now(), isGone) ? [this.#leased({})] : []
    })
    if (written?.talk.lease?.node !== node) return undefined
    if (isTaken) this.#parts.tookOver?.()
    return { ...written, isTaken }
  }

  /**
   * Records an action before it is done, so that only one node does it.
   * @throws LostLease
   */
  async ahead(data: JsonObject): Promise<void> {
    const written = await this.#write(({ talk }) => {
      if (talk.lease?.node !== this.#parts.node) throw new LostLease()
      return [this.#leased(data)]
    })
    if (written === undefined) throw new LostLease()
  }

  /** Records that the chat has ended in its system as well. */
  async done(): Promise<void> {
    await this.#write(() => [this.#left({ reason: 'closed' })])
  }

  /** Stores a link. A node that lost the lease meanwhile does not take it back, and keeps the link of the other one. */
  async #linked(
    held: FoldedConversation,
    { lease, link: known }: AgentSession,
    link: AgentLink,
  ): Promise<readonly Fact[]> {
    const isOther = lease !== undefined && lease.node !== this.#parts.node
    if (isOther && known !== undefined) return []
    const data = { sealed: await this.#seal(held, link) }
    return [isOther ? this.#fact('AgentLeased', data) : this.#leased(data)]
  }

  async #seal(held: FoldedConversation, value: JsonObject | string): Promise<JsonObject> {
    return this.#parts.words.seal(held.person, value, streamOf(held))
  }

  /** Every write of the driving node also renews its lease. */
  #leased(data: JsonObject): Fact {
    const { node, now } = this.#parts
    return this.#fact('AgentLeased', { lease: { ...TERM.grant(node, now()) }, ...data })
  }

  #left(data: JsonObject): Fact {
    return this.#fact('AgentLeft', data)
  }

  #fact(type: Fact['type'], data: JsonObject): Fact {
    const time = this.#parts.now()
    return { type, cause: `${this.#id} agent ${this.#n} ${type}`, time, data: { n: this.#n, ...data } }
  }

  async #write(
    decide: (opened: OpenAgentSession) => Promise<readonly Fact[]> | readonly Fact[],
  ): Promise<OpenAgentSession | undefined> {
    const { log, engine, tell } = this.#parts
    const written = await log.write(this.#id, async held => {
      const opened = talkIn(held, this.#n)
      return opened === undefined ? [] : decide(opened)
    })
    if (written === undefined) return undefined
    tell(written)
    if (written.inbox.length > 0) void engine.run(this.#id)
    return talkIn(written, this.#n)
  }
}
