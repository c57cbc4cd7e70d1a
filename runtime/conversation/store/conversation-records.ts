import type { EventStore } from '#commands/store/port.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationPart, conversationStream } from '#schemas/events/conversation.ts'
import { isObject } from '#schemas/json.ts'
import type { MetricIndex } from '../../metrics/metric-index.ts'
import type { ChatMessage, ConversationRecords, ReplayBetween, UnrecognizedTurn } from '../../port.ts'
import { recordConversation, recordedPath } from '../../simulation/rehearsal/record-conversation.ts'
import { foldEvent } from '../engine/fold.ts'
import { type FoldedConversation, positionOf, type Words } from '../engine/folded-conversation.ts'
import { replayTurns } from '../engine/replay.ts'
import type { ConversationIndex } from '../index/conversation-index.ts'

/** Every event of a conversation through all its parts; revisions are counted through all parts. */
export async function* readParts(store: Pick<EventStore, 'read'>, conversation: string): AsyncGenerator<StoredEvent> {
  let isFull = true
  let base = 0
  for (let part = 1; isFull; part += 1) {
    let last = base
    isFull = false
    for await (const event of store.read(conversationStream(conversation, part))) {
      last = base + event.revision
      isFull = event.type === 'ConversationPartEnded'
      yield { ...event, revision: last }
    }
    base = last
  }
}

interface RecordsOf {
  readonly store: EventStore
  readonly index: ConversationIndex
  readonly words: Words
}

/** Text of a turn; undefined where it was forgotten. */
const wordsOf = async ({ store, index, words }: RecordsOf, { conversation, input }: UnrecognizedTurn) => {
  const { stream, revision } = index.parts.at(conversation, input)
  for await (const { type, data } of store.read(stream, { from: revision, limit: 1 })) {
    const said =
      type === 'MessageReceived' ? await words.open(index.get(conversation)?.person ?? '', data.said, stream) : null
    return isObject(said) && typeof said.text === 'string' && said.text.trim() !== '' ? said.text : undefined
  }
  return undefined
}

const turnsOf = ({ store, index, words }: RecordsOf, id: string, mayRead: boolean, between?: ReplayBetween) =>
  replayTurns(readParts(store, id), { id, person: index.get(id)?.person ?? '', mayRead }, words, between)

/** Events of a conversation that is run again: some 300 turns. */
const MAX_EVENTS = 1_000

const eventsOf = async ({ store }: RecordsOf, id: string): Promise<readonly StoredEvent[] | undefined> => {
  const events: StoredEvent[] = []
  for await (const event of store.read(conversationStream(id), { limit: MAX_EVENTS + 1 })) events.push(event)
  return events.length > MAX_EVENTS || events.at(-1)?.type === 'ConversationPartEnded' ? undefined : events
}

/** Conversations of a node, as the operators of a bot see them. */
export const conversationRecords = ({
  store,
  index,
  metrics,
  words,
}: RecordsOf & { readonly metrics: MetricIndex }): ConversationRecords => ({
  visits: index.visits,
  metrics: metrics.query,
  get: id => index.get(id),
  list: (bots, filter, page, size) => index.list(bots, filter, page, size),
  open: bots => index.open(bots),
  unrecognized: async (bots, limit) => {
    const texts = index.unrecognized.newest(bots, limit).map(async turn => {
      const text = await wordsOf({ store, index, words }, turn)
      return text === undefined ? [] : [{ ...turn, text }]
    })
    return (await Promise.all(texts)).flat()
  },
  turns: (id, mayRead, between) => turnsOf({ store, index, words }, id, mayRead, between),
  replay: async (id, mayRead) => {
    const turns: ReplayTurn[] = []
    for await (const turn of turnsOf({ store, index, words }, id, mayRead)) turns.push(turn)
    return turns
  },
  recorded: async id => {
    const events = await eventsOf({ store, index, words }, id)
    const path = events && recordedPath(events)
    const person = index.get(id)?.person
    if (events === undefined || path === undefined || person === undefined) return undefined
    return {
      path,
      recording: (release, models) => recordConversation(events, { id, person, words, release, ...models }),
    }
  },
})

/** Limits of the cache of messages of earlier parts. */
const MAX_KEPT = 8
const KEPT_MS = 60_000

/** Sorts after all positions before the event with this counted revision. */
const startOf = (base: number): string => positionOf(base, 999)

/** Messages of a conversation: the newest from its folded state, older ones from earlier parts. */
export class EarlierMessages {
  readonly #store: EventStore
  readonly #words: Words
  readonly #kept = new Map<string, { readonly until: number; readonly messages: Promise<readonly ChatMessage[]> }>()

  constructor(store: EventStore, words: Words) {
    this.#store = store
    this.#words = words
  }

  /** At most `size` messages after a position, oldest first. */
  async after(held: FoldedConversation, after: string, size: number): Promise<readonly ChatMessage[]> {
    const found: ChatMessage[] = []
    const take = (messages: readonly ChatMessage[]) => {
      const last = found.at(-1)?.position ?? after
      found.push(...messages.filter(({ position }) => position > last).slice(0, size - found.length))
    }
    const [oldest] = held.messages
    for (let part = 1; part < held.bases.length && found.length < size; part += 1) {
      const end = startOf(held.bases[part] ?? 0)
      // The newest part begins with the last messages of those before it.
      if (oldest !== undefined && oldest.position <= (found.at(-1)?.position ?? after)) break
      if (after < end) take(await this.#ofPart(held, part))
    }
    if (found.length < size) take(held.messages)
    return found
  }

  /** The newest `count` messages, oldest first. */
  async newest(held: FoldedConversation, count: number): Promise<readonly ChatMessage[]> {
    if (count === 0) return []
    let found: readonly ChatMessage[] = held.messages
    for (let part = held.bases.length - 1; part > 0 && found.length < count; part -= 1) {
      const [oldest] = found
      const earlier = await this.#ofPart(held, part)
      found = [...earlier.filter(({ position }) => oldest === undefined || position < oldest.position), ...found]
    }
    return found.slice(-count)
  }

  /** Evicts the messages of a conversation. */
  lose(conversation: string): void {
    for (const stream of this.#kept.keys()) {
      if (conversationPart(stream).id === conversation) this.#kept.delete(stream)
    }
  }

  #ofPart({ id, bases }: FoldedConversation, part: number): Promise<readonly ChatMessage[]> {
    const stream = conversationStream(id, part)
    const now = performance.now()
    const known = this.#kept.get(stream)
    if (known !== undefined && known.until > now) return known.messages
    const messages = this.#read(id, stream, bases[part - 1] ?? 0)
    this.#kept.delete(stream)
    this.#kept.set(stream, { until: now + KEPT_MS, messages })
    const [first] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && first !== undefined) this.#kept.delete(first)
    messages.catch(() => this.#kept.delete(stream))
    return messages
  }

  async #read(id: string, stream: string, base: number): Promise<readonly ChatMessage[]> {
    let held: FoldedConversation | undefined
    for await (const event of this.#store.read(stream)) held = await foldEvent(held, id, event, this.#words)
    return held?.messages.filter(({ position }) => position > startOf(base)) ?? []
  }
}
