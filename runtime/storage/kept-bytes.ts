import type { Hints } from '#realtime/cluster/hints.ts'
import { ownerConversation } from './received-content.ts'
import { BotFilesFull, type FileStorage } from './storage-port.ts'

const TOPIC = 'keptbytes'
/** Largest amount of one hint between nodes, bytes. */
const MAX_TOLD = 1_000_000_000

interface KeptBytesOptions {
  /** Bytes that one bot may keep. */
  readonly most: number
  /** A file was refused. */
  readonly refused?: (bot: string) => void
}

interface Connected {
  readonly storage: Pick<FileStorage, 'owned'>
  /** The bot of a conversation; undefined for a conversation that this node does not know. */
  readonly botOf: (conversation: string) => Promise<string | undefined>
  /** Undefined: no other node is heard. */
  readonly hints?: Pick<Hints, 'connected' | 'listen' | 'send'>
}

interface ConversationFiles {
  readonly bot: string
  readonly bytes: number
}

/** Room that one file takes while it arrives: exactly one of `keep` and `leave` ends it. */
interface Room {
  /** @throws BotFilesFull */
  take(bytes: number): void
  keep(): void
  leave(): void
}

/**
 * Bytes of files of chats that each bot keeps. Counted from the storage by `recount`; files that arrive meanwhile, on this
 * node and on others, are added at once.
 */
export class KeptBytes {
  readonly #options: KeptBytesOptions
  #connected: Connected | undefined
  #stop: (() => void) | undefined
  #ofConversation = new Map<string, ConversationFiles>()
  readonly #ofBot = new Map<string, number>()
  /** Bytes of files that are arriving, by bot. */
  readonly #arriving = new Map<string, number>()
  /** Conversations whose files changed while a recount runs. */
  #changed: Set<string> | undefined
  #first: Promise<void> | undefined

  constructor(options: KeptBytesOptions) {
    this.#options = options
  }

  /** Begins to count. Resolves to the number of conversations that have files. */
  connect(connected: Connected): Promise<number> {
    this.#connected = connected
    this.#stop = connected.hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind !== 'counts') return
      for (const { limit, key, calls } of hint.counts) this.#add(key, limit, calls)
    })
    const counting = this.recount()
    this.#first = counting.then(
      () => undefined,
      () => undefined,
    )
    return counting
  }

  /** Bytes of a bot, those that are arriving included. */
  of(bot: string): number {
    return (this.#ofBot.get(bot) ?? 0) + (this.#arriving.get(bot) ?? 0)
  }

  /** Bytes of all bots. */
  get total(): number {
    return [...this.#ofBot.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Waits for the first count: a limit that begins at 0 after a start would be none. */
  async room(conversation: string): Promise<Room> {
    await this.#first
    const bot = await this.#connected?.botOf(conversation)
    let held = 0
    const arrive = (bytes: number) => {
      held += bytes
      if (bot !== undefined) change(this.#arriving, bot, bytes)
    }
    return {
      take: bytes => {
        if (bot !== undefined && this.of(bot) + bytes > this.#options.most) {
          this.#options.refused?.(bot)
          throw new BotFilesFull()
        }
        arrive(bytes)
      },
      keep: () => {
        const bytes = held
        arrive(-bytes)
        if (bot === undefined) return
        this.#add(conversation, bot, bytes)
        this.#tell(conversation, bot, bytes)
      },
      leave: () => arrive(-held),
    }
  }

  /** The files of a conversation were removed. */
  removed(conversation: string): void {
    this.#changed?.add(conversation)
    const files = this.#ofConversation.get(conversation)
    if (files === undefined) return
    this.#ofConversation.delete(conversation)
    change(this.#ofBot, files.bot, -files.bytes)
  }

  /** Counts the files in the storage. Resolves to the number of conversations that have some. */
  async recount(): Promise<number> {
    const changed = new Set<string>()
    this.#changed = changed
    try {
      const counted = await this.#count()
      for (const conversation of changed) {
        const files = this.#ofConversation.get(conversation)
        const bytes = counted.get(conversation)?.bytes ?? 0
        if (files === undefined) counted.delete(conversation)
        else if (files.bytes > bytes) counted.set(conversation, files)
      }
      this.#ofConversation = counted
      this.#ofBot.clear()
      for (const { bot, bytes } of counted.values()) change(this.#ofBot, bot, bytes)
      return counted.size
    } finally {
      this.#changed = undefined
    }
  }

  close(): void {
    this.#stop?.()
  }

  async #count(): Promise<Map<string, ConversationFiles>> {
    const counted = new Map<string, ConversationFiles>()
    if (this.#connected === undefined) return counted
    const { storage, botOf } = this.#connected
    for await (const { conversation, bytes } of storage.owned()) {
      const bot = counted.get(conversation)?.bot ?? (await botOf(conversation))
      if (bot === undefined) continue
      counted.set(conversation, { bot, bytes: (counted.get(conversation)?.bytes ?? 0) + bytes })
    }
    return counted
  }

  #add(conversation: string, bot: string, bytes: number): void {
    this.#changed?.add(conversation)
    const known = this.#ofConversation.get(conversation)?.bytes ?? 0
    this.#ofConversation.set(conversation, { bot, bytes: known + bytes })
    change(this.#ofBot, bot, bytes)
  }

  #tell(conversation: string, bot: string, bytes: number): void {
    const hints = this.#connected?.hints
    if (hints?.connected !== true || bytes === 0) return
    const counts = [{ limit: bot, key: conversation, calls: Math.min(bytes, MAX_TOLD) }]
    hints.send(TOPIC, { kind: 'counts', counts })
  }
}

const change = (amounts: Map<string, number>, key: string, by: number): void => {
  const amount = (amounts.get(key) ?? 0) + by
  if (amount > 0) amounts.set(key, amount)
  else amounts.delete(key)
}

/** A storage that refuses files of chats whose bot keeps too many bytes. */
export const keepWithin = (storage: FileStorage, kept: KeptBytes): FileStorage => ({
  ...storage,

  async put(upload) {
    const conversation = ownerConversation(upload.owner)
    if (conversation === undefined) return storage.put(upload)
    const room = await kept.room(conversation)
    room.take(upload.content.length)
    return keptBy(room, () => storage.put(upload))
  },

  async receive({ content, name, conversation }) {
    if (conversation === undefined) return storage.receive({ content, name })
    const room = await kept.room(conversation)
    const received = await storage.receive({ content: takenOf(content, room), name }).catch(error => {
      room.leave()
      throw error
    })
    return {
      ...received,
      store: (type, owner) => keptBy(room, () => received.store(type, owner)),
      async discard() {
        room.leave()
        await received.discard()
      },
    }
  },

  async removeOf(conversation) {
    await storage.removeOf(conversation)
    kept.removed(conversation)
  },
})

const keptBy = async <T>(room: Room, store: () => Promise<T>): Promise<T> => {
  try {
    const stored = await store()
    room.keep()
    return stored
  } catch (error) {
    room.leave()
    throw error
  }
}

async function* takenOf(content: AsyncIterable<Buffer>, room: Room): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    room.take(chunk.length)
    yield chunk
  }
}
