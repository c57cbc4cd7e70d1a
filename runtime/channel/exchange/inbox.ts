import { hash } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { type InboxEventType, inboxStream } from '#schemas/events/channel.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { Words } from '../../conversation/engine/message-encryption.ts'
import { appendIfFirst, exclusiveDrafts, type StreamFact } from '../../log/exclusive-append.ts'
import { LeaseTerm } from '../../log/lease.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { EventRoute } from './followers.ts'

/** A node loses an event that it does not handle within this time; another one answers within 35 s of its death. */
const TERM = new LeaseTerm(25_000)
/** Nodes that may try an event; then it is dropped. */
const MAX_TRIES = 10

/** A message, or a receipt of a message that is not known yet. */
type InboxEvent = Extract<ProviderEvent, { kind: 'message' | 'receipt' }>

export interface InboxEntry {
  readonly stream: string
  readonly family: string
  readonly to: string
  /** Empty: no bot has a channel of the number. */
  readonly channel: string
  /** Empty: no campaigns are sent from the number. */
  readonly account: string
  readonly person: string
  readonly tail: Tail
  readonly tries: number
  readonly received: number
  /** Undefined: the person's messages can no longer be decrypted. */
  readonly event: InboxEvent | undefined
  readonly claim: Claim | undefined
  /** Names of the followers that failed; undefined: nothing was done yet. */
  readonly left: readonly string[] | undefined
  /** Code of the bot's handling; undefined before it. */
  readonly outcome: string | undefined
}

interface InboxParts {
  readonly store: EventStore
  readonly words: Words
  readonly node: string
  readonly now: () => number
  /** Whether an event is stored under the name that streams had before (docs/channels.md). */
  readonly isKnown: (stream: string) => boolean
}

const SHORT_HASH = 32

const identityOf = (event: ProviderEvent): string => {
  const id = 'id' in event ? event.id : JSON.stringify(event)
  const told = JSON.stringify([event.kind, id, event.kind === 'receipt' ? event.state : ''])
  return hash('sha256', told, 'hex').slice(0, SHORT_HASH)
}

/** Name of an address within stream names: letters, digits and hyphens. */
const addressName = ({ family, to, channel }: EventRoute): string => {
  const plain = to.replaceAll(/\s/gu, '')
  const name = /^\+?[A-Za-z\d_]{1,60}$/u.test(plain)
    ? plain.replace('+', '')
    : hash('sha256', plain, 'hex').slice(0, SHORT_HASH)
  return `${family}-${plain === '' ? (channel?.id ?? '') : name}`
}

/** First and last event of a stream, their number, and the code of the bot's handling. */
const historyOf = async (store: EventStore, stream: string) => {
  let first: StoredEvent | undefined
  let last: StoredEvent | undefined
  let tries = 0
  let outcome: string | undefined
  for await (const event of store.read(stream)) {
    first ??= event
    last = event
    tries += 1
    if (event.type === 'ChannelEventHandled') outcome ??= String(event.data.outcome)
  }
  return { first, last, tries, outcome }
}

/** Stores new events. */
const openPut = ({ store, words, node, now, isKnown }: InboxParts) => {
  /** False: it is stored already. */
  const begin = async (stream: string, type: InboxEventType, data: StreamFact['data']) =>
    (await appendIfFirst(store, stream, NO_STREAM, exclusiveDrafts(stream, [{ type, data }]))) !== undefined
  return {
    /** Returns undefined for a known event. */
    async put(route: EventRoute, event: InboxEvent): Promise<{ stream: string; person: string } | undefined> {
      const { family, to, channel, account } = route
      const identity = identityOf(event)
      const stream = inboxStream(addressName(route), identity)
      if (channel !== undefined && isKnown(inboxStream(channel.id, identity))) return undefined
      const holder = channel?.id ?? account ?? `${family} ${to}`
      const person = await words.personOf(holder, event.kind === 'message' ? event.from.id : event.id)
      const sealed = await words.seal(person, event as unknown as Json, stream)
      const of = { family, to, channel: channel?.id ?? '', account: account ?? '' }
      const claim = { ...TERM.grant(node, now()) }
      const data = { ...of, kind: event.kind, person, event: sealed, claim }
      return (await begin(stream, 'ChannelEventReceived', data)) ? { stream, person } : undefined
    },

    /** Stores that an event came for a number without a channel, without its content. False for a known event. */
    putUnrouted(route: EventRoute, event: ProviderEvent): Promise<boolean> {
      const stream = inboxStream(addressName(route), identityOf(event))
      const data = { family: route.family, number: event.display ?? route.to, kind: event.kind }
      return begin(stream, 'ChannelEventUnrouted', data)
    },
  }
}

/** Events of providers, one stream each: a repeated event is stored once (D-3.1.04), by any door and on any node. */
export const openInbox = (parts: InboxParts) => {
  const { store, words, node, now } = parts
  /** False: another node wrote first. */
  const append = async (stream: string, tail: Tail, type: InboxEventType, data: StreamFact['data']) =>
    (await appendIfFirst(store, stream, tail, exclusiveDrafts(stream, [{ type, data }]))) !== undefined
  return {
    ...openPut(parts),

    /** Returns undefined when the event was handled or removed. */
    async read(stream: string): Promise<InboxEntry | undefined> {
      const { first, last, tries, outcome } = await historyOf(store, stream)
      if (first === undefined || last === undefined || first.type === 'ChannelEventUnrouted') return undefined
      const left = Array.isArray(last.data.left) ? last.data.left.map(String) : undefined
      if (last.type === 'ChannelEventHandled' && left === undefined) return undefined
      const person = String(first.data.person)
      const event = (await words.open(person, first.data.event, stream)) as unknown as InboxEvent | undefined
      const { family = '', to = '', account = '' } = first.data
      return {
        ...{
          stream,
          person,
          event,
          tries,
          left,
          outcome,
          family: String(family),
          to: String(to),
          account: String(account),
        },
        ...{ channel: String(first.data.channel), received: Date.parse(first.time) },
        tail: { revision: last.revision, hash: last.hash },
        claim: last.data.claim as Claim | undefined,
      }
    },

    /** Takes over an event that another node left; false when a third node was faster, or after too many attempts. */
    async take(entry: InboxEntry): Promise<boolean> {
      if (entry.tries >= MAX_TRIES && entry.left === undefined) {
        await this.handled(entry, 'gaveup')
        return false
      }
      const { stream, tail, left } = entry
      return append(stream, tail, 'ChannelEventTaken', {
        claim: { ...TERM.grant(node, now()) },
        ...(left === undefined ? {} : { left }),
      })
    },

    /** `outcome`: a code, never text of the message. `again`: the followers that failed, and when they are retried. */
    async handled(
      { stream, tail }: Pick<InboxEntry, 'stream' | 'tail'>,
      outcome: string,
      again?: { readonly left: readonly string[]; readonly due: number },
    ): Promise<void> {
      await append(stream, tail, 'ChannelEventHandled', { outcome, ...again })
    },
  }
}

export type Inbox = ReturnType<typeof openInbox>
