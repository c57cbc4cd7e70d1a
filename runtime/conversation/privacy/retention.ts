import { appendIfFirst, type Draft, draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import {
  botUserStream,
  CONVERSATION_DAY_PREFIX,
  conversationDayStream,
  conversationStream,
} from '#schemas/events/conversation.ts'
import { removeStream } from '../../log/stream-aggregate.ts'
import type { MetricIndex } from '../../metrics/metric-index.ts'
import type { ConversationRecord, Conversations } from '../../port.ts'
import type { FileStorage } from '../../storage/storage-port.ts'
import type { OpenConversations } from '../conversation-port.ts'
import type { FoldedConversation, Words } from '../engine/folded-conversation.ts'
import type { ConversationIndex } from '../index/conversation-index.ts'
import { openSums } from '../index/conversation-page.ts'
import { type EarlierMessages, readParts } from '../store/conversation-records.ts'
import type { ConversationLog } from '../store/log.ts'

const DAY_MS = 86_400_000
/** For bots without a setting, and for removed bots. */
const USUAL_DAYS = 180
/** Conversations whose sums are appended together: well below the limit of one append. */
const TOGETHER = 25

interface RetentionOptions {
  readonly options: Pick<OpenConversations, 'store' | 'bot' | 'files'>
  readonly index: ConversationIndex
  readonly metrics: MetricIndex
  readonly log: ConversationLog
  /** Ends a conversation that never ended, so that no more events are written to it. */
  readonly end: (conversation: string) => Promise<unknown>
  readonly now: () => number
}

const isOlder = async (store: EventStore, stream: string, since: number): Promise<boolean> => {
  for await (const { time } of store.read(stream, { direction: 'backwards', limit: 1 })) return Date.parse(time) < since
  return false
}

/** Adds all sums to a new index. */
export const readSums = async (store: EventStore, index: ConversationIndex): Promise<void> => {
  const sums = store.readAll({ filter: { streamPrefixes: [CONVERSATION_DAY_PREFIX] } })
  for await (const event of sums) index.summed(event)
}

/** Stores the sums of conversations before it removes them: if a node dies in between, the next sweep continues. */
export class Retention {
  readonly #given: RetentionOptions

  constructor(given: RetentionOptions) {
    this.#given = given
  }

  /** Removes conversations past their retention. Returns their number. */
  async sweep(): Promise<number> {
    const { index } = this.#given
    const before = index.removedCount()
    await this.#removeLeftovers()
    for (const bot of index.bots()) await this.#sweepBot(bot)
    return index.removedCount() - before
  }

  /** Removes all conversations of a bot. Returns their number. */
  async removeOf(bot: string): Promise<number> {
    const { index } = this.#given
    const before = index.removedCount()
    await this.#removeBefore(bot, Number.MAX_SAFE_INTEGER)
    return index.removedCount() - before
  }

  async #sweepBot(bot: string): Promise<void> {
    const { options, index, now } = this.#given
    const days = (await options.bot(bot))?.keepdays
    await this.#removeBefore(bot, now() - (typeof days === 'number' ? days : USUAL_DAYS) * DAY_MS)
    // Its last messages are sent for a day.
    while (await this.#remove(bot, index.unstored(bot, now() - DAY_MS, TOGETHER)));
  }

  async #removeBefore(bot: string, since: number): Promise<void> {
    const { options, index } = this.#given
    for (;;) {
      const records = index.expired(bot, since, TOGETHER)
      if (!(await this.#remove(bot, records))) return
      const people = new Set(records.map(({ person }) => person).filter(person => !index.hasPerson(bot, person)))
      for (const person of people) {
        const known = botUserStream(bot, person)
        if (await isOlder(options.store, known, since)) await removeStream(options.store, known)
      }
    }
  }

  /** False when there is nothing to remove, or when another node removes them. */
  async #remove(bot: string, records: readonly ConversationRecord[]): Promise<boolean> {
    if (records.length === 0 || !(await this.#sumUp(bot, records))) return false
    await this.#removeLeftovers()
    return true
  }

  /** Appends the sums of some conversations; false if another node did, or if the log does not deliver them. */
  async #sumUp(bot: string, records: readonly ConversationRecord[]): Promise<boolean> {
    const { options, index, metrics } = this.#given
    // Other conversations of the person change the figures of these.
    const isRead = await metrics.reached(index.position(options.store.id)).then(
      () => true,
      () => false,
    )
    if (!isRead) return false
    const tail = index.dayTail(bot)
    const drafts = await this.#sumsOf(records)
    const end = await appendIfFirst(options.store, conversationDayStream(bot), tail, drafts)
    if (end === undefined) return false
    // Without the sums the index would list removed conversations.
    return index.reached(end.position).then(
      () => true,
      () => false,
    )
  }

  async #sumsOf(records: readonly ConversationRecord[]): Promise<readonly Draft[]> {
    const { options, metrics, end, now } = this.#given
    const sums = openSums()
    try {
      const drafts: Draft[] = []
      for (const { id, ended } of records) {
        if (ended === null) await end(id)
        const sum = await sums.of(id, readParts(options.store, id))
        const { counts, times, turns, parts, desk, fact, isForgotten } = sum
        const time = new Date(now()).toISOString()
        const author = { seed: `${id} summed`, actor: null, time, correlation: id, causation: null }
        const kept = {
          ...{ conversation: id, turns, parts, counts, times },
          ...(desk === undefined ? {} : { desk }),
          ...(fact === undefined ? {} : { metrics: metrics.sumOf(id, fact, isForgotten) }),
        }
        const data = kept as unknown as Readonly<Record<string, Json>>
        drafts.push(draft(author, 'conversation summed', 'ConversationSummed', null, data))
      }
      return drafts
    } finally {
      sums.close()
    }
  }

  async #removeLeftovers(): Promise<void> {
    const { options, index, log } = this.#given
    for (let found = index.leftovers(TOGETHER); found.length > 0; found = index.leftovers(TOGETHER)) {
      await Promise.all(
        found.map(async ({ id, parts }) => {
          for (let part = 1; part <= parts; part += 1) await removeStream(options.store, conversationStream(id, part))
          await options.files?.removeOf(id)
          await log.evict(id)
        }),
      )
      for (const { id } of found) index.setGone(id)
    }
  }
}

/** A conversation whose files arrived a moment ago may not be known to this node yet, ms. */
const GRACE_MS = 86_400_000

/**
 * Removes files of conversations that have not been there for a day: a file can arrive while its conversation is
 * removed. Returns the number of these conversations.
 */
export const createFileSweep = (
  storage: Pick<FileStorage, 'conversations' | 'removeOf'>,
  mayHoldFiles: (conversation: string) => Promise<boolean>,
  now: () => number = Date.now,
): (() => Promise<number>) => {
  let missing = new Map<string, number>()
  return async () => {
    const found = new Map<string, number>()
    let removed = 0
    for await (const conversation of storage.conversations()) {
      if (await mayHoldFiles(conversation)) continue
      const since = missing.get(conversation) ?? now()
      if (now() - since < GRACE_MS) {
        found.set(conversation, since)
        continue
      }
      await storage.removeOf(conversation)
      removed += 1
    }
    missing = found
    return removed
  }
}

interface Holders {
  readonly log: ConversationLog
  readonly messages: EarlierMessages
  readonly index: ConversationIndex
  readonly words: Words
  readonly files: Pick<FileStorage, 'removeOf'> | undefined
  now(): number
}

/** Evicts all texts of a person from the memory of this node. */
export const evictPerson = async (
  person: string,
  { log, messages, index }: Omit<Holders, 'words' | 'files' | 'now'>,
) => {
  for (const id of index.ofPerson(person)) {
    await log.evict(id)
    messages.lose(id)
  }
}

/** Removes the files of a person. Each node does it, because the one that forgets may end before. */
export const removeFilesOf = async (conversations: readonly string[], files: Holders['files']): Promise<void> => {
  for (const id of conversations) await files?.removeOf(id)
}

/** Destroys the key of a person; nodes that hold texts of the person are notified and evict them. */
export const forgetPerson = async ({ id, person }: FoldedConversation, holders: Holders): Promise<void> => {
  const { log, words, now } = holders
  await words.drop(person)
  await log.write(id, () => [{ type: 'PersonForgotten', data: {}, cause: `${id} forgotten`, time: now() }])
  await evictPerson(person, holders)
  await removeFilesOf(holders.index.ofPerson(person), holders.files)
}

interface PersonFacts {
  /** Id of the conversation. */
  readonly id: string
  readonly person: string
  /** Data that the bot has of the person. */
  readonly known: JsonObject | undefined
}

/** Data of the person at the start of a conversation, sealed under the person's key. */
export const sealedPerson = async (
  words: Words,
  { id, person, known }: PersonFacts,
  { user, payload }: Parameters<Conversations['open']>[0],
): Promise<JsonObject> => {
  const stream = conversationStream(id)
  return {
    user: await words.seal(person, user as unknown as Json, stream),
    ...(known === undefined ? {} : { userdata: await words.seal(person, known, stream) }),
    ...(payload === undefined ? {} : { payload: await words.seal(person, payload, stream) }),
  }
}
