import { hash } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { inboxStream } from '#schemas/events/channel.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { Words } from '../../conversation/engine/words.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type { ProviderEvent } from '../port.ts'
import { appendFacts } from './stream-log.ts'

/** A node that does not handle an event within this time loses it to another one, which answers within 35 s of its death. */
const CLAIM_MS = 25_000
/** Nodes that tried; after that it is given up. */
const MAX_TRIES = 10

/** A message, or a receipt of something that is not known yet. */
type InboxEvent = Extract<ProviderEvent, { kind: 'message' | 'receipt' }>

export interface InboxEntry {
  readonly stream: string
  readonly channel: string
  readonly person: string
  readonly tail: Tail
  readonly tries: number
  readonly received: number
  /** Undefined: the words of its person cannot be read any more. */
  readonly event: InboxEvent | undefined
  readonly claim: Claim | undefined
}

interface InboxParts {
  readonly store: EventStore
  readonly words: Words
  readonly node: string
  readonly now: () => number
}

const identityOf = (event: InboxEvent): string =>
  hash('sha256', JSON.stringify([event.kind, event.id, event.kind === 'receipt' ? event.state : '']), 'hex').slice(
    0,
    32,
  )

/** What providers told, a stream each: the same twice is one (D-3.1.04), on whichever node it comes. */
export const openInbox = ({ store, words, node, now }: InboxParts) => {
  const claim = () => ({ node, until: now() + CLAIM_MS })
  return {
    /** Undefined: it is known already. */
    async put(
      { id }: Pick<ProviderChannel, 'id'>,
      event: InboxEvent,
    ): Promise<{ stream: string; person: string } | undefined> {
      const stream = inboxStream(id, identityOf(event))
      const person = await words.personOf(id, event.kind === 'message' ? event.from.id : event.id)
      const sealed = await words.seal(person, event as unknown as Json, stream)
      const data = { channel: id, kind: event.kind, person, event: sealed, claim: claim() }
      const isNew = await appendFacts(store, stream, NO_STREAM, [{ type: 'ChannelEventReceived', data }])
      return isNew ? { stream, person } : undefined
    },

    /** Undefined: it is worked off, or gone. */
    async read(stream: string): Promise<InboxEntry | undefined> {
      let first: StoredEvent | undefined
      let last: StoredEvent | undefined
      let tries = 0
      for await (const event of store.read(stream)) {
        first ??= event
        last = event
        tries += 1
      }
      if (first === undefined || last === undefined || last.type === 'ChannelEventHandled') return undefined
      const person = String(first.data.person)
      const event = (await words.open(person, first.data.event, stream)) as unknown as InboxEvent | undefined
      return {
        ...{ stream, person, event, tries, channel: String(first.data.channel), received: Date.parse(first.time) },
        tail: { revision: last.revision, hash: last.hash },
        claim: last.data.claim as Claim | undefined,
      }
    },

    /** Takes over what another node left; false where it is somebody else's. */
    async take(entry: InboxEntry): Promise<boolean> {
      if (entry.tries >= MAX_TRIES) {
        await this.handled(entry, 'gaveup')
        return false
      }
      return appendFacts(store, entry.stream, entry.tail, [{ type: 'ChannelEventTaken', data: { claim: claim() } }])
    },

    /** `outcome`: a code, never a word of the message. */
    async handled({ stream, tail }: Pick<InboxEntry, 'stream' | 'tail'>, outcome: string): Promise<void> {
      await appendFacts(store, stream, tail, [{ type: 'ChannelEventHandled', data: { outcome } }])
    },
  }
}

export type Inbox = ReturnType<typeof openInbox>
