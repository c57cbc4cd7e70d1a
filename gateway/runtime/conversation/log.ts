import { type Draft, seal } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import { derivedId } from '#commands/pipeline/event-id.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { type ConversationEventType, conversationStream } from '#schemas/events/conversation.ts'
import { foldEvent } from './fold.ts'
import type { FoldedConversation } from './folded-conversation.ts'
import type { Words } from './words.ts'

/** Conversations that a node keeps folded; the ones used longest ago are read again. */
const MAX_HELD = 5000

/** An event to write. On one node `id` makes the same event of the same cause, so that it is stored once. */
export interface Fact {
  readonly type: ConversationEventType
  readonly data: Readonly<Record<string, Json>>
  readonly id: string
  /** ms since 1970 */
  readonly time: number
}

/**
 * Events of different nodes have different ids whatever their cause: a store takes a second append of the same ids at the
 * same revision for the first one sent again, and two nodes would both believe that they have the claim.
 */
const asDraft = ({ type, data, id: cause, time }: Fact, node: string, conversation: string): Draft => ({
  ...draft(
    { seed: cause, actor: null, time: new Date(time).toISOString(), correlation: conversation, causation: null },
    type,
    type,
    null,
    data,
  ),
  id: derivedId(`${node} ${cause}`, type),
})

/** Conversations as their streams tell them, and the one way to write to them. */
export class ConversationLog {
  readonly #store: EventStore
  readonly #words: Words
  readonly #node: string
  readonly #held = new Map<string, FoldedConversation>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(store: EventStore, words: Words, node: string) {
    this.#store = store
    this.#node = node
    this.#words = words
  }

  /** Undefined: there is no such conversation. */
  load(id: string): Promise<FoldedConversation | undefined> {
    return this.#alone(id, () => this.#load(id))
  }

  /** As this node has it, without reading; undefined where it has not. */
  known(id: string): FoldedConversation | undefined {
    return this.#held.get(id)
  }

  /** Forgets what was read of it: its words are gone. */
  lose(id: string): Promise<void> {
    return this.#alone(id, async () => {
      this.#held.delete(id)
    })
  }

  /** Reads what others wrote. */
  refresh(id: string): Promise<FoldedConversation | undefined> {
    return this.#alone(id, async () => this.#catchUp(id, this.#held.get(id)))
  }

  /**
   * Writes what is decided on the newest state; what another node writes meanwhile is read, and it is decided again. No
   * facts: nothing is written. Undefined where the conversation is not there, unless it is begun.
   */
  write(
    id: string,
    decide: (held: FoldedConversation | undefined) => Promise<readonly Fact[]> | readonly Fact[],
  ): Promise<FoldedConversation | undefined> {
    return this.#alone(id, async () => {
      let held = await this.#load(id)
      for (;;) {
        const facts = await decide(held)
        if (facts.length === 0) return held
        try {
          return await this.#append(id, held, facts)
        } catch (error) {
          if (!(error instanceof WrongRevision)) throw error
          held = await this.#catchUp(id, held)
        }
      }
    })
  }

  async #append(
    id: string,
    held: FoldedConversation | undefined,
    facts: readonly Fact[],
  ): Promise<FoldedConversation | undefined> {
    const stream = conversationStream(id)
    const tail = held?.tail ?? { revision: 0, hash: '' }
    const drafts = facts.map(fact => asDraft(fact, this.#node, id))
    const { position } = await append(this.#store, stream, tail, drafts)
    let next = held
    for (const [place, event] of seal(stream, tail, drafts).entries()) {
      const stored: StoredEvent = { ...event, stream, revision: tail.revision + place + 1, position }
      next = await foldEvent(next, id, stored, this.#words)
    }
    this.#keep(id, next)
    return next
  }

  async #load(id: string): Promise<FoldedConversation | undefined> {
    return this.#held.get(id) ?? this.#catchUp(id, undefined)
  }

  async #catchUp(id: string, from: FoldedConversation | undefined): Promise<FoldedConversation | undefined> {
    let held = from
    const first = (held?.tail.revision ?? 0) + 1
    for await (const event of this.#store.read(conversationStream(id), { from: first })) {
      held = await foldEvent(held, id, event, this.#words)
    }
    this.#keep(id, held)
    return held
  }

  #keep(id: string, held: FoldedConversation | undefined): void {
    this.#held.delete(id)
    if (held !== undefined) this.#held.set(id, held)
    const [oldest] = this.#held.keys()
    if (this.#held.size > MAX_HELD && oldest !== undefined && !this.#turns.has(oldest)) this.#held.delete(oldest)
  }

  /** One thing at a time happens to a conversation on this node. */
  #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(id) === settled) this.#turns.delete(id)
      })
    this.#turns.set(id, settled)
    return mine
  }
}
