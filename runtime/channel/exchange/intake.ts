import type { EventStore } from '#commands/store/port.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { appendAtEnd, exclusiveDrafts } from '../../log/exclusive-append.ts'
import type { BotLog } from '../../service/bot-log.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { EventRoute, Heard, ReceiptEvent } from './inbox.ts'
import type { NumberTable, WebhookEndpoint } from './number-table.ts'
import type { Exchange } from './open-exchange.ts'

/** Longest wait of a call for the followers of its events; they continue without it. */
const FOLLOWED_MS = 1_000
/** Kinds of events that someone waits for: without a channel they are counted. */
const COUNTED: ReadonlySet<string> = new Set(['message', 'receipt', 'reaction', 'edit', 'deletion'])

/** Limits the new messages of one person. */
interface SenderLimit {
  wait(channel: string, person: string): number | undefined
  count(channel: string, person: string): void
}

interface IntakeParts {
  readonly numbers: NumberTable
  readonly exchange: () => Promise<Exchange>
  /** Console log, for notifications. */
  readonly store: EventStore
  readonly botLog: Pick<BotLog, 'log'>
  /** Takes a change of an account, its number or a template. */
  readonly news: (door: WebhookEndpoint, event: Extract<ProviderEvent, { kind: 'account' }>) => Promise<void>
  /** Called for the business accounts that events of people and messages belong to. */
  readonly seen: (door: WebhookEndpoint, waba: string) => Promise<void>
  readonly senders: SenderLimit
}

/**
 * Takes the events of all doors (R1): finds the destination of each, and stores it. Followers interpret events
 * afterwards.
 */
export class Intake {
  readonly #parts: IntakeParts

  constructor(parts: IntakeParts) {
    this.#parts = parts
  }

  /** Resolves when all events are stored; to seconds when a person wrote too much, so that the provider comes again. */
  async take(door: WebhookEndpoint, events: readonly ProviderEvent[]): Promise<number> {
    const routes = new Map<string, Promise<EventRoute | undefined>>()
    const routeOf = (event: ProviderEvent) => {
      const key = JSON.stringify([event.to, event.waba, event.display])
      const known = routes.get(key) ?? this.#parts.numbers.route(door, event)
      routes.set(key, known)
      return known
    }
    const receipts: Heard<ReceiptEvent>[] = []
    const followed: Promise<unknown>[] = []
    const wabas = new Set<string>()
    let retryAfter = 0
    for (const event of events) {
      if (event.kind === 'echo') continue
      if (event.kind === 'account') await this.#parts.news(door, event)
      else if (event.waba !== undefined) wabas.add(event.waba)
      const route = await routeOf(event)
      if (route === undefined) await this.#unrouted(door, event)
      else if (event.kind === 'receipt') receipts.push({ route, event })
      else {
        const wait = await this.#one(route, event, followed)
        retryAfter = Math.max(retryAfter, wait)
      }
    }
    for (const waba of wabas) await this.#parts.seen(door, waba)
    if (receipts.length > 0) await (await this.#parts.exchange()).receipts(receipts)
    const late = new Promise(resolve => setTimeout(resolve, FOLLOWED_MS).unref())
    if (followed.length > 0) await Promise.race([Promise.allSettled(followed), late])
    return retryAfter
  }

  /** Returns the seconds after which a person's message is taken; 0: it was. */
  async #one(route: EventRoute, event: ProviderEvent, followed: Promise<unknown>[]): Promise<number> {
    const { exchange, senders } = this.#parts
    const channel = route.channel?.id ?? route.account ?? ''
    const person = event.kind === 'message' ? event.from.id : undefined
    const wait = person === undefined ? undefined : senders.wait(channel, person)
    if (wait !== undefined) return wait
    const taken = await (await exchange()).take(route, event)
    // A repeated call would otherwise never get beyond the messages that are stored already.
    if (taken.isNew && person !== undefined) senders.count(channel, person)
    followed.push(taken.followed)
    return 0
  }

  async #unrouted(door: WebhookEndpoint, event: ProviderEvent): Promise<void> {
    if (!COUNTED.has(event.kind) || event.to === '') return
    const opened = await this.#parts.exchange()
    const { family, channel, app } = door
    const number = event.display ?? event.to
    const isFirst = opened.index.unrouted().every(known => known.family !== family || known.number !== number)
    const isNew = await opened.unrouted({ family, to: event.to }, event)
    if (channel !== undefined)
      this.#parts.botLog.log({
        ...{ level: 'warn', code: 'channel.unrouted', bot: channel.bot, service: `${channel.type}:${channel.id}` },
      })
    if (!isNew || !isFirst) return
    const of = app === undefined ? { entity: 'channel', id: channel?.id ?? '' } : { entity: 'metaapp', id: app }
    const stream = noticeStream(of.entity, of.id)
    const data = { ...of, message: 'channel.unrouted', kind: 'warn', params: { number, family } }
    await appendAtEnd(this.#parts.store, stream, exclusiveDrafts(stream, [{ type: 'NoticeGiven', data }]))
  }
}
