import { hash } from 'node:crypto'
import { appendIfFirst, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { type Claim, type InboxEventType, inboxStream } from '#schemas/events/conversation.ts'
import type { Words } from '../../conversation/engine/folded-conversation.ts'
import { LeaseTerm } from '../../log/lease.ts'
import { exclusiveDrafts, type StreamFact } from '../../log/stream-aggregate.ts'
import type { ProviderEvent, ProviderUser } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'

/** Destination of an event by the number table: the bot's channel, the account of campaigns, or both. */
export interface EventRoute {
  /** Type of the channels that share the provider's addresses, such as `whatsapp_meta`. */
  readonly family: string
  /** Address that was written to; empty when the provider has none. */
  readonly to: string
  readonly channel?: ProviderChannel | undefined
  /** Id of the Meta account whose campaigns send from the number. */
  readonly account?: string | undefined
  /** Hierarchy level of the channel's bot, else of the account. */
  readonly level?: string | null | undefined
}

type EventOf<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { readonly kind: Kind }>

export type PersonEvent = EventOf<'message'>
export type ReceiptEvent = EventOf<'receipt'>
/** Events of a person that are no message for the bot. */
export type OtherPersonEvent = EventOf<'reaction' | 'edit' | 'deletion'> | EventOf<'unknown'>

export interface Heard<Event> {
  readonly route: EventRoute
  readonly event: Event
}

/** A stored message. `outcome`: code of the bot's handling; undefined before it. */
export interface InboxMessage extends Heard<PersonEvent> {
  readonly outcome?: string | undefined
}

/** A message of a bot that its provider refused for good. */
export interface RefusedSend {
  readonly channel: ProviderChannel
  readonly user: ProviderUser
  /** The provider's code. */
  readonly code: string
}

interface FollowedMessage {
  /** False keeps the message from the bot. */
  readonly isForBot: boolean
  /** The campaign that it answers, for the bot to read. */
  readonly campaign?: JsonObject | undefined
}

/** Reads the inbox beside the bot. Each follower is retried separately, so it must be idempotent by event id. */
export interface InboxFollower {
  readonly name: string
  /** It gets a message once more if the bot does not take it. */
  readonly hearsUntaken?: true
  message?(heard: InboxMessage): Promise<FollowedMessage | undefined>
  /** A reaction, an edit, a deletion, or a message of an unknown type; not stored in the inbox. */
  other?(heard: Heard<OtherPersonEvent>): Promise<void>
  /** Stores the receipts of its messages; returns for each whether it belongs to this follower. */
  receipts?(heard: readonly Heard<ReceiptEvent>[]): Promise<readonly boolean[]>
  /** News of an account, a number or a person's preferences. */
  news?(heard: Heard<EventOf<'account'>>): Promise<void>
  /** A message of a bot was refused, at once or by a receipt. */
  refused?(send: RefusedSend): Promise<void>
}

/** Followers of the inbox, registered before the first event is read. */
export class InboxFollowers {
  readonly #followers: InboxFollower[] = []

  add(follower: InboxFollower): void {
    this.#followers.push(follower)
  }

  get all(): readonly InboxFollower[] {
    return this.#followers
  }
}

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

/** Default parallelism of a channel. */
const USUAL_PARALLEL = 50

export interface WorkPace {
  /** Maximum parallel jobs; per round if there is an interval. */
  readonly parallel: number | undefined
  /** ms between two rounds; 0: no rounds. */
  readonly interval: number
}

/** Waits, ms. */
export type Pause = (ms: number) => Promise<void>

export const unheldPause: Pause = ms => new Promise(resolve => setTimeout(resolve, ms).unref())

interface Work {
  /** Jobs with the same key run in sequence. */
  readonly key: string
  /** While it waits with `pause`, another job runs in its place. */
  run(pause: Pause): Promise<void>
}

/** Processes the incoming events of a channel by its `parallel_execution_processes` and `jobinterval` (D-3.1.04). */
export class WorkQueue {
  readonly #waiting: Work[] = []
  readonly #running = new Set<string>()
  #paused = 0
  #pace: WorkPace = { parallel: undefined, interval: 0 }
  #timer: NodeJS.Timeout | undefined
  #roundAt = 0

  add(pace: WorkPace, work: Work): void {
    this.#pace = pace
    this.#waiting.push(work)
    this.#next()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#waiting.length = 0
  }

  #next(): void {
    const { parallel = USUAL_PARALLEL, interval } = this.#pace
    const wait = this.#roundAt + interval - performance.now()
    if (interval > 0 && wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#next()
      }, wait).unref()
      return
    }
    let begun = 0
    for (let at = 0; at < this.#waiting.length && this.#running.size - this.#paused < parallel; ) {
      const work = this.#waiting[at]
      if (work === undefined || this.#running.has(work.key)) at += 1
      else {
        this.#waiting.splice(at, 1)
        this.#begin(work)
        begun += 1
      }
    }
    if (begun > 0) this.#roundAt = performance.now()
  }

  #begin(work: Work): void {
    this.#running.add(work.key)
    void work
      .run(ms => this.#pause(ms))
      .finally(() => {
        this.#running.delete(work.key)
        this.#next()
      })
  }

  async #pause(ms: number): Promise<void> {
    this.#paused += 1
    this.#next()
    await unheldPause(ms)
    this.#paused -= 1
  }
}
