import { hash } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { type InboxEventType, inboxStream } from '#schemas/events/channel.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { Words } from '../../conversation/engine/words.ts'
import { appendIfFirst, exclusiveDrafts, type StreamFact } from '../../log/exclusive-append.ts'
import { LeaseTerm } from '../../log/lease.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type { ProviderEvent } from '../port.ts'

/** A node loses an event that it does not handle within this time; another one answers within 35 s of its death. */
const TERM = new LeaseTerm(25_000)
/** Nodes that may try an event; then it is dropped. */
const MAX_TRIES = 10

/** A message, or a receipt of a message that is not known yet. */
type InboxEvent = Extract<ProviderEvent, { kind: 'message' | 'receipt' }>

export interface InboxEntry {
  readonly stream: string
  readonly channel: string
  readonly person: string
  readonly tail: Tail
  readonly tries: number
  readonly received: number
  /** Undefined: the person's messages can no longer be decrypted. */
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

/** Events of providers, one stream each: a repeated event is stored once (D-3.1.04), on any node. */
export const openInbox = ({ store, words, node, now }: InboxParts) => {
  const claim = () => ({ ...TERM.grant(node, now()) })
  /** False: another node wrote first. */
  const append = async (stream: string, tail: Tail, type: InboxEventType, data: StreamFact['data']) =>
    (await appendIfFirst(store, stream, tail, exclusiveDrafts(stream, [{ type, data }]))) !== undefined
  return {
    /** Returns undefined for a known event. */
    async put(
      { id }: Pick<ProviderChannel, 'id'>,
      event: InboxEvent,
    ): Promise<{ stream: string; person: string } | undefined> {
      const stream = inboxStream(id, identityOf(event))
      const person = await words.personOf(id, event.kind === 'message' ? event.from.id : event.id)
      const sealed = await words.seal(person, event as unknown as Json, stream)
      const data = { channel: id, kind: event.kind, person, event: sealed, claim: claim() }
      return (await append(stream, NO_STREAM, 'ChannelEventReceived', data)) ? { stream, person } : undefined
    },

    /** Returns undefined when the event was handled or removed. */
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

    /** Takes over an event that another node left; false when a third node was faster, or after too many attempts. */
    async take(entry: InboxEntry): Promise<boolean> {
      if (entry.tries >= MAX_TRIES) {
        await this.handled(entry, 'gaveup')
        return false
      }
      return append(entry.stream, entry.tail, 'ChannelEventTaken', { claim: claim() })
    },

    /** `outcome`: a code, never text of the message. */
    async handled({ stream, tail }: Pick<InboxEntry, 'stream' | 'tail'>, outcome: string): Promise<void> {
      await append(stream, tail, 'ChannelEventHandled', { outcome })
    },
  }
}

export type Inbox = ReturnType<typeof openInbox>
