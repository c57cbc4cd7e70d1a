import { draft, NO_EVENTS, NO_STREAM, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { botUserStream, conversationStream } from '#schemas/events/conversation.ts'
import { jsonEqual } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { appendEvents, StreamAggregate, streamAggregate } from '../../log/stream-aggregate.ts'
import type { ChannelUser, Conversations, SentMessage } from '../../port.ts'
import { type Fact, factDraft, partStartFact } from '../engine/conversation-facts.ts'
import { foldEvent } from '../engine/fold.ts'
import { type FoldedConversation, isBehind, streamOf, type Words } from '../engine/folded-conversation.ts'

/** Limit of folded conversations in memory. */
const MAX_HELD = 5000

/**
 * Conversations as read from their streams, and the only way to write to them; undefined: the conversation does not
 * exist. A conversation has one stream for each of its parts.
 */
export class ConversationLog extends StreamAggregate<FoldedConversation | undefined, Fact> {
  readonly #store: EventStore
  readonly #words: Words
  readonly #newestPart: (id: string) => number

  /**
   * `newestPart`: newest known part of a conversation; a number that is too low only costs extra reads. `caughtUp` is
   * called when a write read events of other writers: nothing else announces them.
   */
  constructor(
    store: EventStore,
    words: Words,
    newestPart: (id: string) => number,
    caughtUp: (held: FoldedConversation) => void,
  ) {
    super({
      limit: MAX_HELD,
      read: (id, known) => this.#read(id, known),
      prepare: async (_id, held) => (held?.isFull ? this.#continue(held) : held),
      append: (id, held, facts) =>
        held === undefined
          ? this.#append(id, held, facts, conversationStream(id))
          : this.#append(id, held, facts, streamOf(held), held.tail),
      caughtUp: held => held && caughtUp(held),
    })
    this.#store = store
    this.#words = words
    this.#newestPart = newestPart
  }

  /**
   * Whether the conversation was read before this event was written. A read in progress counts as such: it may have
   * passed the end of the stream. Undefined: this node has not read it.
   */
  isBehind(id: string, part: number, revision: number): boolean | undefined {
    const held = this.cached(id)
    if (held !== undefined) return isBehind(held, part, revision)
    return this.isBusy(id) ? true : undefined
  }

  /** The conversation with this event. After a write of this node that wrote it, nothing is read. */
  async including(id: string, part: number, revision: number): Promise<FoldedConversation | undefined> {
    const held = await this.load(id)
    return this.isBehind(id, part, revision) === false ? held : this.refresh(id)
  }

  /** Begins the next part of a conversation whose newest part is full. */
  async #continue(held: FoldedConversation): Promise<FoldedConversation | undefined> {
    const facts = [await partStartFact(held, this.#words)]
    return this.#append(held.id, held, facts, conversationStream(held.id, held.bases.length + 1))
  }

  async #append(
    id: string,
    held: FoldedConversation | undefined,
    facts: readonly Fact[],
    stream: string,
    tail = NO_STREAM,
  ): Promise<FoldedConversation | undefined> {
    const drafts = facts.map(fact => factDraft(fact, id))
    let next = held
    for (const event of await appendEvents(this.#store, stream, tail, drafts))
      next = await foldEvent(next, id, event, this.#words)
    return next
  }

  async #read(id: string, from: FoldedConversation | undefined): Promise<FoldedConversation | undefined> {
    let held = from
    let part = held?.bases.length ?? this.#newestPart(id)
    for (let first = (held?.tail.revision ?? 0) + 1; ; first = 1) {
      for await (const event of this.#store.read(conversationStream(id, part), { from: first })) {
        held = await foldEvent(held, id, event, this.#words)
      }
      if (held?.isFull && held.bases.length === part) part += 1
      // The known part number is from another log, for example from before a backup was restored.
      else if (held === undefined && part > 1) part = 1
      else return held
    }
  }
}

/** Limit of conversation ids that are remembered until the index has them. */
const MAX_OPENED = 10_000

/** Cache of conversations opened on this node, until the index contains them. */
export class RecentlyOpenedCache {
  readonly #opened = new Map<string, string>()

  add(channel: string, person: string, id: string): void {
    this.#opened.set(`${channel} ${person}`, id)
    if (this.#opened.size > MAX_OPENED) this.#opened.delete(this.#opened.keys().next().value ?? '')
  }

  find(channel: string, person: string): string | undefined {
    return this.#opened.get(`${channel} ${person}`)
  }
}

interface Continued {
  readonly conversation: string
  readonly position: string
}

interface Sender {
  /** Id of the channel. */
  readonly channel: string
  readonly user: ChannelUser
  readonly locale?: string | undefined
  /** Payload of the button or link that produced the first message. */
  readonly payload?: string | undefined
  /** Id of the message. */
  readonly message: string
}

/**
 * Stores a message in the live conversation of a person, or opens a conversation with it. Calls `message` once the
 * conversation is known, and again if that one ended meanwhile.
 */
export const createConversationContinuation = ({ conversations }: { readonly conversations: Conversations }) => {
  const go = async (
    sender: Sender,
    message: (conversation: string) => SentMessage | Promise<SentMessage>,
    mayOpenAgain = true,
  ): Promise<Result<Continued>> => {
    const { channel, user, locale, payload, message: id } = sender
    const live = await conversations.live(channel, user.id)
    const asked = {
      channel,
      user,
      ...(locale === undefined ? {} : { locale }),
      ...(payload === undefined ? {} : { payload }),
    }
    const opened = live === undefined ? await conversations.openFor(asked, id) : accepted({ conversation: live })
    if (!opened.ok) return opened
    const { conversation, position } = { position: undefined, ...opened.value }
    // The message arrived before, in a conversation that has ended since.
    if (position !== undefined) return accepted({ conversation, position })
    const stored = await conversations.accept(conversation, await message(conversation))
    if (stored.ok) return accepted({ conversation, position: stored.value.position })
    // It ended meanwhile: the message begins the next one.
    return stored.refusal.code === 'chat.ended' && mayOpenAgain ? go(sender, message, false) : stored
  }
  return go
}

interface UserData {
  readonly end: StreamEnd
  readonly values: JsonObject
}

/** Data that a bot keeps of a person beyond a conversation: for each name the later turn wins. */
export const openUserData = (store: EventStore, words: Words, now: () => number) => {
  const of = (person: string) =>
    streamAggregate<UserData>(store, {
      initial: { end: NO_EVENTS, values: {} },
      fold: async (known, { stream, data }) => {
        const set = (await words.open(person, data.set, stream)) as JsonObject | undefined
        return { ...known, values: { ...known.values, ...set } }
      },
    })
  /** Values as conversations have them, until a turn changes one. */
  const stored = new WeakSet<JsonObject>()
  return {
    /** Undefined: no data of this person. */
    async read(bot: string, person: string): Promise<JsonObject | undefined> {
      const { values } = await of(person).load(botUserStream(bot, person))
      return Object.keys(values).length === 0 ? undefined : values
    },
    /** Stores the changes of a turn. */
    async keep({ id, bot, person, state: { userdata, turns } }: FoldedConversation): Promise<void> {
      const stream = botUserStream(bot, person)
      if (Object.keys(userdata).length === 0 || stored.has(userdata)) return
      await of(person).write(stream, async ({ values }) => {
        const changed = Object.entries(userdata).filter(([name, value]) => !jsonEqual(values[name] ?? null, value))
        if (changed.length === 0) return []
        const set = await words.seal(person, Object.fromEntries(changed), stream)
        const time = new Date(now()).toISOString()
        const author = { seed: `${id} ${turns}`, actor: null, time, correlation: id, causation: null }
        return [draft(author, 'user data', 'BotUserChanged', null, { set })]
      })
      stored.add(userdata)
    },
  }
}
