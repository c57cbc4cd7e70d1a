import { createHash } from 'node:crypto'
import type { StoredEvent } from '#schemas/event.ts'
import { type Head, type LogSealed, logSealedSchema, SEAL_STREAM } from '#schemas/events/seal.ts'
import type { EventStore } from '../store/port.ts'
import type { Unsigned } from './signing.ts'

export type Link = Pick<StoredEvent, 'stream' | 'revision' | 'hash'>
type Contents = Pick<Unsigned, 'events' | 'order' | 'last' | 'heads'>

/** Around a head's stream name in JSON: its hash, revision and quotes. */
const HEAD = 90

/** Events between two seals, in log order. */
export class Segment {
  readonly #order = createHash('sha256')
  readonly #heads = new Map<string, Head>()
  #count = 0
  #size = 0
  #last: Link | undefined

  get events(): number {
    return this.#count
  }

  /** Roughly how large its seal will be, in bytes. */
  get size(): number {
    return this.#size
  }

  add(link: Link): void {
    const { stream, revision, hash } = link
    this.#order.update(hash)
    if (!this.#heads.has(stream)) this.#size += HEAD + stream.length
    this.#heads.set(stream, [stream, revision, hash])
    this.#count += 1
    this.#last = link
  }

  /** @throws RangeError when nothing was added */
  close(): Contents {
    if (this.#last === undefined) throw new RangeError('nothing was added')
    const { stream, revision } = this.#last
    return {
      events: this.#count,
      order: this.#order.digest('hex'),
      last: { stream, revision },
      heads: [...this.#heads.values()],
    }
  }
}

interface PlacedSeal {
  readonly seal: LogSealed
  readonly event: StoredEvent
}

/** The seal that the log ends its chain of seals with; undefined before the first. */
export const newestSeal = async (log: Pick<EventStore, 'read'>): Promise<PlacedSeal | undefined> => {
  for await (const event of log.read(SEAL_STREAM, { direction: 'backwards', limit: 1 }))
    return { seal: logSealedSchema.parse(event.data), event }
  return undefined
}

/** Streams that no seal covers, because taking them away is what they are for. */
export const OUTSIDE: readonly { readonly prefix: string; readonly reason: string }[] = [
  { prefix: 'request-', reason: 'answers kept for idempotency keys, removed after a day' },
  { prefix: 'origin-', reason: 'addresses and browsers of sessions and attempts to sign in, removed after 90 days' },
  { prefix: 'conversation-', reason: 'conversations, removed when they have been kept long enough' },
  { prefix: 'delivery-', reason: 'what became of messages of conversations, removed with them' },
  { prefix: 'inbox-', reason: 'what providers of channels told, removed once they do not tell it again' },
  { prefix: 'conversationday-', reason: 'sums of conversations that were removed' },
  { prefix: 'botuser-', reason: 'what bots keep of people, removed with them' },
  { prefix: 'chatperson-', reason: 'which conversation of a person is the newest, an id alone' },
  { prefix: 'deskplace-', reason: 'state and places of agents, as often as chats are given' },
  { prefix: 'deskrouter-', reason: 'which node gives out the chats of a queue, the newest alone' },
  { prefix: 'campaignrun-', reason: 'what is sent of a campaign, very many events in little time' },
  { prefix: 'receipts-', reason: 'what became of messages of campaigns, as often as Meta tells it' },
  { prefix: 'sender-', reason: 'which node sends from a number, the newest alone' },
  {
    prefix: 'audience-',
    reason: 'who is in the audience of a campaign, under keys that are destroyed when people are forgotten',
  },
  { prefix: 'uploadrows-', reason: 'what an upload read, under the same keys' },
  { prefix: 'suppression-', reason: 'who gets no campaigns' },
  { prefix: 'contactkeys-', reason: 'keys of contacts, written again without the keys of those who are forgotten' },
  { prefix: 'userkey-', reason: "people's own keys, removed when somebody is forgotten" },
]

export const isOutside = (stream: string): boolean => OUTSIDE.some(({ prefix }) => stream.startsWith(prefix))
