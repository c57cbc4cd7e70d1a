import { NO_STREAM, seal } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { continuedFact } from '../engine/continue-part.ts'
import { type Fact, factDraft } from '../engine/fact.ts'
import { foldEvent } from '../engine/fold.ts'
import { type FoldedConversation, isBehind, streamOf } from '../engine/folded-conversation.ts'
import type { Words } from '../engine/words.ts'

/** Limit of folded conversations in memory; the least recently used are evicted. */
const MAX_HELD = 5000

/** Conversations as read from their streams, and the only way to write to them. */
export class ConversationLog {
  readonly #store: EventStore
  readonly #words: Words
  readonly #newestPart: (id: string) => number
  readonly #caughtUp: (held: FoldedConversation) => void
  readonly #held = new Map<string, FoldedConversation>()
  readonly #turns = new Map<string, Promise<unknown>>()

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
    this.#store = store
    this.#words = words
    this.#newestPart = newestPart
    this.#caughtUp = caughtUp
  }

  /** Undefined: the conversation does not exist. */
  load(id: string): Promise<FoldedConversation | undefined> {
    return this.#alone(id, () => this.#load(id))
  }

  /**
   * Whether the conversation was read before this event was written. A read in progress counts as such: it may have
   * passed the end of the stream. Undefined: this node has not read it.
   */
  isBehind(id: string, part: number, revision: number): boolean | undefined {
    const held = this.#held.get(id)
    if (held !== undefined) return isBehind(held, part, revision)
    return this.#turns.has(id) ? true : undefined
  }

  /** Evicts a conversation whose texts no longer exist. */
  lose(id: string): Promise<void> {
    return this.#alone(id, async () => {
      this.#held.delete(id)
    })
  }

  /** Reads events of other writers. */
  refresh(id: string): Promise<FoldedConversation | undefined> {
    return this.#alone(id, async () => this.#catchUp(id, this.#held.get(id)))
  }

  /**
   * Appends the facts that `decide` returns for the newest state; after a conflict it reads and decides again. No
   * facts: nothing is written. Undefined if the conversation does not exist, unless the facts begin it.
   */
  write(
    id: string,
    decide: (held: FoldedConversation | undefined) => Promise<readonly Fact[]> | readonly Fact[],
  ): Promise<FoldedConversation | undefined> {
    return this.#alone(id, async () => {
      let held = await this.#load(id)
      for (;;) {
        try {
          if (held?.isFull) held = await this.#continue(held)
          const facts = await decide(held)
          if (facts.length === 0) return held
          return await this.#append(id, held, facts)
        } catch (error) {
          if (!(error instanceof WrongRevision)) throw error
          held = await this.#catchUp(id, held)
          if (held !== undefined) this.#caughtUp(held)
        }
      }
    })
  }

  /** Begins the next part of a conversation whose newest part is full. */
  async #continue(held: FoldedConversation): Promise<FoldedConversation | undefined> {
    const facts = [await continuedFact(held, this.#words)]
    const stream = conversationStream(held.id, held.bases.length + 1)
    return this.#append(held.id, held, facts, { stream, tail: NO_STREAM })
  }

  async #append(
    id: string,
    held: FoldedConversation | undefined,
    facts: readonly Fact[],
    { stream, tail } = {
      stream: held === undefined ? conversationStream(id) : streamOf(held),
      tail: held?.tail ?? NO_STREAM,
    },
  ): Promise<FoldedConversation | undefined> {
    const drafts = facts.map(fact => factDraft(fact, id))
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
    let part = held?.bases.length ?? this.#newestPart(id)
    for (let first = (held?.tail.revision ?? 0) + 1; ; first = 1) {
      for await (const event of this.#store.read(conversationStream(id, part), { from: first })) {
        held = await foldEvent(held, id, event, this.#words)
      }
      if (held?.isFull && held.bases.length === part) part += 1
      // The known part number is from another log, for example from before a backup was restored.
      else if (held === undefined && part > 1) part = 1
      else break
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

  /** Serializes work per conversation on this node. */
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
