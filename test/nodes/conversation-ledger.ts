import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationPart } from '#schemas/events/conversation.ts'

interface Conversation {
  readonly channel: string
  readonly person: string
  hasEnded: boolean
  /** Revisions of each message, by its id. */
  readonly received: Map<string, number[]>
  /** Turns of each input, by its revision. */
  readonly turns: Map<number, number>
}

/** Faults of conversations as their streams show them. */
export interface Faults {
  readonly lost: readonly string[]
  readonly storedTwice: readonly string[]
  readonly answeredTwice: readonly string[]
  readonly unanswered: readonly string[]
  readonly derailed: readonly string[]
  readonly severalOpen: readonly string[]
}

/** The conversations of a log, read from the store apart from any gateway. */
export class ConversationLedger {
  readonly #store: EventStore
  readonly #conversations = new Map<string, Conversation>()
  readonly #derailed: string[] = []
  readonly #place = new Map<string, { readonly conversation: string; readonly revision: number }>()
  /** ms */
  longestRead = 0
  #position = ''
  #reading: Promise<boolean> | undefined

  private constructor(store: EventStore) {
    this.#store = store
  }

  static async open(url: string): Promise<ConversationLedger> {
    return new ConversationLedger(await openEventStoreDb({ url }))
  }

  /** Reads what was written since the last time; false while the store is away. */
  read(): Promise<boolean> {
    const began = performance.now()
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.longestRead = Math.max(this.longestRead, performance.now() - began)
    })
    return this.#reading
  }

  async #read(): Promise<boolean> {
    try {
      const filter = { streamPrefixes: [CONVERSATION_PREFIX] }
      for await (const event of this.#store.readAll({ after: this.#position, filter })) {
        this.#apply(event)
        this.#position = event.position
      }
      return true
    } catch (error) {
      if (error instanceof StoreUnavailable) return false
      throw error
    }
  }

  /** Whether a turn has answered the message. */
  isAnswered(message: string): boolean {
    const place = this.#place.get(message)
    return place !== undefined && (this.#conversations.get(place.conversation)?.turns.get(place.revision) ?? 0) > 0
  }

  get turns(): number {
    return [...this.#conversations.values()].reduce((sum, { turns }) => sum + turns.size, 0)
  }

  get size(): number {
    return this.#conversations.size
  }

  /** `once`: channels where a person has one open conversation at most. */
  faults(accepted: Iterable<string>, once: readonly string[]): Faults {
    const all = [...this.#conversations]
    const copies = new Map<string, number>()
    for (const [, { received }] of all)
      for (const [id, { length }] of received) copies.set(id, (copies.get(id) ?? 0) + length)
    const open = new Map<string, number>()
    for (const [, { channel, person, hasEnded }] of all)
      if (!hasEnded && once.includes(channel)) open.set(person, (open.get(person) ?? 0) + 1)
    return {
      lost: [...accepted].filter(id => !copies.has(id)),
      storedTwice: [...copies].flatMap(([id, count]) => (count > 1 ? [id] : [])),
      answeredTwice: all.flatMap(([id, { turns }]) =>
        [...turns].flatMap(([input, count]) => (count > 1 ? [`${id} at ${input}: ${count}`] : [])),
      ),
      unanswered: [...copies.keys()].filter(id => !this.isAnswered(id)),
      derailed: this.#derailed,
      severalOpen: [...open].flatMap(([person, count]) => (count > 1 ? [`${person}: ${count}`] : [])),
    }
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #apply({ stream, type, revision, data }: StoredEvent): void {
    const { id, part } = conversationPart(stream)
    if (part > 1) throw new Error(`${id} has several parts, which this ledger does not count`)
    if (type === 'ConversationStarted') {
      const { channel, person } = data
      const found = { channel: String(channel), person: String(person), hasEnded: false }
      this.#conversations.set(id, { ...found, received: new Map(), turns: new Map() })
    }
    const conversation = this.#conversations.get(id)
    if (conversation === undefined) return
    if (type === 'ConversationEnded' || data.status === 'ended') conversation.hasEnded = true
    if (type === 'MessageReceived') {
      const message = String(data.message)
      conversation.received.set(message, [...(conversation.received.get(message) ?? []), revision])
      this.#place.set(message, { conversation: id, revision })
    }
    if (type === 'TurnTaken' || type === 'TurnFailed') {
      const input = Number(data.input)
      conversation.turns.set(input, (conversation.turns.get(input) ?? 0) + 1)
      const problems = data.problems as readonly string[]
      if (type === 'TurnFailed' || problems.includes('internal'))
        this.#derailed.push(`${id}: ${JSON.stringify(data.failed)} ${problems}`)
    }
  }
}
