import { randomUUID } from 'node:crypto'
import type { TurnSettings } from '#domain/conversation/release.ts'
import { deskText, type TextValues } from '#domain/desk/desk-text.ts'
import type { RowOf } from '#projections/port.ts'
import type { DeskText } from '#schemas/entities/deskqueue.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { AssignedHow, ReleasedWhy } from '#schemas/events/desk.ts'
import type { RatingSkip } from '#schemas/rating.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Fact } from '../../conversation/engine/conversation-facts.ts'
import { channelWindow, type FoldedConversation, streamOf } from '../../conversation/engine/folded-conversation.ts'
import type { AgentEvent } from '../agent-port.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { AgentLogDependencies } from '../session/agent-session-log.ts'
import { AgentFacts } from '../session/agent-session-log.ts'
import type { DeskQueue, QueueTerms } from './desk-directory.ts'
import { joinedEvent } from './desk-port.ts'
import type { DeskChatState } from './desk-state.ts'

export interface DeskWriterParts extends Pick<AgentLogDependencies, 'log' | 'engine' | 'words' | 'tell' | 'now'> {
  readonly bot: (id: string) => Promise<RowOf<'bot'> | undefined>
  readonly settings: (bot: RowOf<'bot'>, locale: string) => Promise<TurnSettings>
}

/** An open chat at the desk. */
export interface OpenDeskChat {
  readonly held: FoldedConversation
  readonly talk: AgentSession
  readonly desk: DeskChatState
}

/** A user who gets a chat. */
export interface NewHolder {
  readonly user: string
  readonly how: AssignedHow
  readonly slot: string
  readonly name: string
  readonly avatar: string
  readonly by?: string
}

const openIn = (held: FoldedConversation): Result<OpenDeskChat> => {
  if (held.ended !== undefined) return refused('conversation.ended')
  const { agent: talk } = held
  return talk?.desk === undefined ? refused('agent.gone') : accepted({ held, talk, desk: talk.desk })
}

/** Facts of one append for a chat at the desk. */
export class DeskFacts {
  readonly #parts: DeskWriterParts
  readonly #held: FoldedConversation
  readonly #talk: AgentSession
  readonly #facts: Fact[] = []

  constructor(parts: DeskWriterParts, held: FoldedConversation, talk: AgentSession) {
    this.#parts = parts
    this.#held = held
    this.#talk = talk
  }

  all(): readonly Fact[] {
    return this.#facts
  }

  put(type: Fact['type'], data: JsonObject): this {
    const { n } = this.#talk
    const cause = `${this.#held.id} desk ${n} ${type} ${randomUUID()}`
    this.#facts.push({ type, cause, time: this.#parts.now(), data: { n, ...data } })
    return this
  }

  /** `terms`: absent for a queue that was removed. */
  queued(queue: string, terms: QueueTerms | undefined, why?: ReleasedWhy): this {
    const { desk, priority } = this.#talk
    return this.put('AgentQueued', {
      queue,
      priority: desk?.priority ?? priority,
      since: desk?.since ?? this.#parts.now(),
      ...(why === undefined ? {} : { why }),
      ...((terms ?? {}) as JsonObject),
    })
  }

  moved(queue: string, terms: QueueTerms | undefined, by: string): this {
    return this.put('AgentMoved', { queue, by, ...((terms ?? {}) as JsonObject) })
  }

  released(why: ReleasedWhy, by?: string): this {
    const { holder } = this.#talk.desk ?? {}
    if (holder === undefined) return this
    const { user, slot } = holder
    return this.put('AgentReleased', { why, user, slot, ...(by === undefined ? {} : { by }) })
  }

  async assigned({ name, avatar, ...holder }: NewHolder, queue: string): Promise<this> {
    const sealed = await this.seal({ name, avatar })
    this.put('AgentAssigned', { queue, ...holder, sealed })
    return this.heard([joinedEvent(holder.slot, { name, avatar })])
  }

  /** Events of the agent, as those of any agent system. */
  async heard(events: readonly AgentEvent[], more: JsonObject = {}): Promise<this> {
    const { words, now } = this.#parts
    const facts = new AgentFacts(words, this.#held, this.#talk, {}, now())
    for (const event of events) await facts.add(event)
    this.#facts.push(...facts.facts().map(fact => ({ ...fact, data: { ...fact.data, ...more } })))
    return this
  }

  /** The person is not asked for a rating. */
  unrated(why: RatingSkip): this {
    return this.put('RatingSkipped', { about: 'agent', why })
  }

  /** Ends the chat for the person. */
  left(reason: string, more: JsonObject = {}): this {
    const { engine } = this.#parts
    const { holder } = this.#talk.desk ?? {}
    return this.put('AgentLeft', {
      reason,
      open: true,
      quiet: true,
      ...(holder === undefined ? {} : { slot: holder.slot }),
      ...more,
      ...(engine.isFree(this.#held) ? { claim: { ...engine.claim() } } : {}),
    })
  }

  /** A text to the person, where the queue has one for the moment and the channel takes it. */
  async text(moment: DeskText, queue: DeskQueue | undefined, values: TextValues, more: JsonObject = {}): Promise<this> {
    const text = await deskTextFor(this.#parts, this.#held, moment, queue, values)
    return text === undefined ? this : this.message(text, { moment, ...more })
  }

  /** A message of the bot to the person. */
  async message(text: string, more: JsonObject = {}): Promise<this> {
    const window = channelWindow(this.#held)
    if (window !== undefined && window < this.#parts.now()) return this
    return this.put('AgentSaid', { event: randomUUID(), comment: true, ...more, sealed: await this.seal({ text }) })
  }

  /** A text for agents alone; none without one. */
  async noted(user: string, text: string | undefined, id: string = randomUUID()): Promise<this> {
    if (text === undefined || text.trim() === '') return this
    return this.put('AgentNoted', { id, user, sealed: await this.seal({ text }) })
  }

  seal(value: JsonObject): Promise<JsonObject> {
    return this.#parts.words.seal(this.#held.person, value, streamOf(this.#held))
  }
}

/** A text for the person of a conversation, in their language; undefined: none. */
export const deskTextFor = async (
  { bot, settings }: Pick<DeskWriterParts, 'bot' | 'settings'>,
  held: FoldedConversation,
  moment: DeskText,
  queue: DeskQueue | undefined,
  values: TextValues,
): Promise<string | undefined> => {
  const row = await bot(held.bot)
  // A web chat itself says that an agent came.
  const isShown = moment === 'joined' && held.channelType === 'webchat'
  if (row === undefined || isShown) return undefined
  const { messages } = await settings(row, held.locale)
  return deskText(moment, queue?.texts ?? [], messages, { agent: messages.get('desk.agent'), ...values })
}

/** Writes to chats at the desk: the exact revision of the conversation decides races. */
export class DeskWriter {
  readonly #parts: DeskWriterParts

  constructor(parts: DeskWriterParts) {
    this.#parts = parts
  }

  /** The open chat of a conversation, as the log has it now. */
  async find(conversation: string): Promise<Result<OpenDeskChat>> {
    const held = await this.#parts.log.refresh(conversation)
    return held === undefined ? refused('entity.notfound') : openIn(held)
  }

  /** Appends what `decide` adds. A refusal, or nothing to add, counts only if it stands on the newest events. */
  async write(
    conversation: string,
    decide: (chat: OpenDeskChat, facts: DeskFacts) => Promise<Result<unknown>> | Result<unknown>,
  ): Promise<Result<FoldedConversation>> {
    let isAppended = false
    const first = await this.#try(conversation, async (chat, facts) => {
      const result = await decide(chat, facts)
      isAppended = result.ok && facts.all().length > 0
      return result
    })
    if (first.ok && isAppended) return first
    await this.#parts.log.refresh(conversation)
    return this.#try(conversation, decide)
  }

  async #try(
    conversation: string,
    decide: (chat: OpenDeskChat, facts: DeskFacts) => Promise<Result<unknown>> | Result<unknown>,
  ): Promise<Result<FoldedConversation>> {
    const { log, engine, tell } = this.#parts
    let result: Result<unknown> = refused('entity.notfound')
    const written = await log.write(conversation, async held => {
      result = held === undefined ? refused('entity.notfound') : openIn(held)
      if (held === undefined || !result.ok) return []
      const chat = result.value as OpenDeskChat
      const facts = new DeskFacts(this.#parts, held, chat.talk)
      result = await decide(chat, facts)
      return result.ok ? facts.all() : []
    })
    if (!result.ok) return result
    if (written === undefined) return refused('entity.notfound')
    tell(written)
    if (written.inbox.length > 0) void engine.run(conversation)
    return accepted(written)
  }
}
