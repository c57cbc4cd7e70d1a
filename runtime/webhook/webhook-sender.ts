import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { DEAD_MS, nextWebhookPause } from '#domain/webhook.ts'
import type { RowOf } from '#projections/port.ts'
import type { Json } from '#schemas/event.ts'
import { webhookLeaseStream, webhookSentStream } from '#schemas/events/webhook.ts'
import type { PublicEvent } from '#schemas/public-event.ts'
import { retryAfter } from '../channel/shared/provider-call.ts'
import type { EventCursor } from '../event/event-cursor.ts'
import type { Hearer, PublicEvents } from '../event/public-events.ts'
import { LeaseTerm } from '../log/lease.ts'
import { exclusiveDrafts, type StreamAggregate } from '../log/stream-aggregate.ts'
import { StreamLease } from '../log/stream-lease.ts'
import type { Call } from '../outbound/call.ts'
import type { Meters } from '../parts.ts'
import type { Delivery, DeliveryRing } from './delivery-ring.ts'
import { signatureHeaders } from './webhook-signature.ts'
import type { WebhookState } from './webhook-state.ts'

const TERM = new LeaseTerm(30_000, 10_000)
const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 4_000
/** Characters of an answer that are kept. */
const MAX_ANSWER = 200
const AT_ONCE = 4
const PAGE = 100
/** Events, and ms, after which the position is written. */
const SAVE_EVENTS = 100
const SAVE_MS = 5_000
const FIRST_SLOW_MS = 250
const MAX_SLOW_MS = 60_000
const GONE = 410
/** Failures alone for so long are shown, ms. */
const FAILING_MS = 60_000
/** The receiver, or what is in front of it, has too much to do. */
const BUSY: ReadonlySet<number | null> = new Set([429, 502, 504])

export interface SenderParts {
  readonly store: EventStore
  readonly events: PublicEvents
  readonly states: StreamAggregate<WebhookState, Draft>
  readonly ring: DeliveryRing
  readonly call: Call
  /** Its secrets, the newest first. */
  readonly secretsOf: (webhook: string) => Promise<readonly string[]>
  /** Rights of its owner now. */
  readonly hearerOf: (row: RowOf<'webhook'>) => Promise<Hearer>
  /** Stores its state, and notifies the owner when it is turned off. */
  readonly record: (row: RowOf<'webhook'>, state: 'working' | 'failing' | 'off', reason: string | null) => Promise<void>
  /** Id of the process. */
  readonly node: string
  readonly now: () => number
  readonly random: () => number
  readonly meters?: Pick<Meters, 'called'> | undefined
}

/** An event with the bytes that are signed. */
interface Message {
  readonly event: string
  readonly type: string
  readonly body: string
  /** Attempts so far. */
  readonly tries: number
}

export interface Outcome {
  readonly isArrived: boolean
  readonly status: number | null
  readonly reason: string | null
  readonly ms: number
  readonly retryAfter: number
  readonly answer: string
}

type Fact = { readonly type: string; readonly data: Readonly<Record<string, Json>> }

const messageOf = (event: PublicEvent): Message => ({
  event: event.id,
  type: event.type,
  body: JSON.stringify(event),
  tries: 0,
})

const REPLAYED = [['parley-replay', '1']] as const

/** Sends the events of one webhook, while this node has its lease. */
export class WebhookSender {
  readonly #id: string
  readonly #parts: SenderParts
  readonly #lease: StreamLease
  readonly #stream: string
  #cursor: EventCursor | undefined
  #unsaved = 0
  #arrived = 0
  #savedAt = 0
  #slowMs = 0
  #notBefore = 0

  constructor(id: string, parts: SenderParts) {
    this.#id = id
    this.#parts = parts
    this.#stream = webhookSentStream(id)
    const { store, node } = parts
    this.#lease = new StreamLease({ store, stream: webhookLeaseStream(id), type: 'WebhookTaken', node, term: TERM })
  }

  /** Sends what is due, until `isClosing`, an error, or another node has the lease. `end`: present ends of the logs. */
  async look(row: RowOf<'webhook'>, end: EventCursor, isClosing: () => boolean): Promise<void> {
    try {
      await this.#look(row, end, isClosing)
    } catch (error) {
      // Failures since the stored position may not be stored: the events since then are sent again.
      this.#forget()
      throw error
    }
  }

  async #look(row: RowOf<'webhook'>, end: EventCursor, isClosing: () => boolean): Promise<void> {
    const { states, now } = this.#parts
    if (!(await this.#holds())) return
    // People on other nodes may have asked for another attempt.
    await this.#retry(row, await states.refresh(this.#stream))
    for (;;) {
      const state = await states.load(this.#stream)
      if (await this.#isOver(row, state)) return
      const cursor = await this.#begin(state)
      const isBehind = cursor.console < end.console || cursor.conversations < end.conversations
      if (isClosing() || !isBehind || now() < this.#notBefore || (row.ordered === true && state.failed.size > 0)) break
      if (!(await this.#holds()) || !(await this.#next(row, cursor))) break
    }
    if (this.#unsaved > 0 && (isClosing() || now() - this.#savedAt >= SAVE_MS)) await this.#save([])
    await this.#show(row)
  }

  /** Events that it has not sent, and those that it sends again, about; 0 where another node sends. */
  async behind(): Promise<number> {
    const { store, states } = this.#parts
    if (this.#cursor === undefined) return 0
    return (await store.countAfter(this.#cursor.console)) + (await states.load(this.#stream)).failed.size
  }

  /** One attempt at a message that is in no log. */
  async ping(row: RowOf<'webhook'>, message: Omit<Message, 'tries'>): Promise<Outcome> {
    return this.#post(row, message, [])
  }

  /** Sends past events again, beside the present ones. A failed one is tried like any other. */
  async replay(row: RowOf<'webhook'>, events: readonly PublicEvent[]): Promise<void> {
    for (const event of events) {
      const message = messageOf(event)
      const failed = this.#kept(message, await this.#post(row, message, REPLAYED), true)
      if (failed !== undefined) await this.#write([failed])
    }
  }

  /** Makes failed or given up events due at once; false: no bytes of it are kept here. */
  async again(event: string): Promise<boolean> {
    const { states, ring, now } = this.#parts
    const known = (await states.refresh(this.#stream)).failed.get(event)
    const kept = known ?? ring.get(this.#id, event)
    if (kept?.body === undefined || kept.body === null || kept.body === '') return false
    const { type, status, body } = kept
    const tries = known === undefined ? 0 : known.tries
    await this.#write([{ type: 'WebhookFailed', data: { event, type, tries, status, at: now(), next: now(), body } }])
    return true
  }

  /** Forgets what it knows: another node had the lease. */
  async #holds(): Promise<boolean> {
    const held = await this.#lease.hold(this.#parts.now())
    if (held && !this.#lease.isTakenOver) return true
    this.#forget()
    if (held) await this.#parts.states.refresh(this.#stream)
    return held
  }

  #forget(): void {
    this.#cursor = undefined
    this.#unsaved = 0
    this.#arrived = 0
  }

  /** Position up to which events were sent; a new webhook begins now. */
  async #begin({ position }: WebhookState): Promise<EventCursor> {
    const { events } = this.#parts
    if (this.#cursor !== undefined) return this.#cursor
    const known = position === undefined ? undefined : events.cursors.decode(position)
    const cursor = known !== undefined && (await events.isWithin(known)) ? known : await events.now()
    this.#cursor = cursor
    if (known !== cursor) await this.#save([])
    return cursor
  }

  async #isOver(row: RowOf<'webhook'>, { failingSince }: WebhookState): Promise<boolean> {
    const { now, record } = this.#parts
    if (failingSince === undefined || now() - failingSince < DEAD_MS) return false
    await record(row, 'off', 'dead')
    // Enabled again, it has 75 hours more.
    await this.#write([{ type: 'WebhookTurnedOff', data: {} }])
    return true
  }

  /** Attempts that are due again. */
  async #retry(row: RowOf<'webhook'>, { failed }: WebhookState): Promise<void> {
    const { now } = this.#parts
    for (const entry of failed.values()) {
      if (entry.next > now() || now() < this.#notBefore) continue
      if (!(await this.#holds())) return
      const outcome = await this.#post(row, entry, [])
      const fact = this.#kept(entry, outcome) ?? { type: 'WebhookArrived', data: { event: entry.event } }
      await this.#write([fact])
      await this.#told(row, outcome)
    }
  }

  /** Sends the next page. False: there is nothing more to do now. */
  async #next(row: RowOf<'webhook'>, cursor: EventCursor): Promise<boolean> {
    const { events, hearerOf, now } = this.#parts
    const filter = { types: row.types ?? [], bots: row.bots ?? [], withValues: row.values === true }
    const page = await events.page(await hearerOf(row), cursor, filter, PAGE)
    const size = row.ordered === true ? 1 : AT_ONCE
    for (let at = 0; at < page.items.length; at += size) {
      const batch = page.items.slice(at, at + size)
      const messages = batch.map(messageOf)
      const outcomes = await Promise.all(messages.map(message => this.#post(row, message, [])))
      const failures = messages.flatMap((message, index) => {
        const outcome = outcomes[index]
        return outcome === undefined ? [] : (this.#kept(message, outcome) ?? [])
      })
      const last = batch.at(-1)
      this.#cursor = (last && events.cursors.decode(last.position)) ?? cursor
      this.#unsaved += batch.length
      this.#arrived += batch.length - failures.length
      if (failures.length > 0 || this.#unsaved >= SAVE_EVENTS) await this.#save(failures)
      for (const outcome of outcomes) await this.#told(row, outcome)
      const isGone = outcomes.some(({ status }) => status === GONE)
      if (isGone || now() < this.#notBefore || (row.ordered === true && failures.length > 0)) return false
      if (!(await this.#holds())) return false
    }
    this.#cursor = page.next
    this.#unsaved += page.items.length === 0 ? 1 : 0
    return true
  }

  /** Keeps the line of an attempt. Returns the fact of a failure. */
  #kept(message: Message, outcome: Outcome, isReplay = false): Fact | undefined {
    const { ring, now, random, meters } = this.#parts
    const { event, type, body } = message
    const { isArrived, status, reason, ms, answer } = outcome
    const tries = message.tries + 1
    const pause = isArrived ? undefined : nextWebhookPause(tries, outcome.retryAfter, random())
    const next = pause === undefined ? null : now() + pause
    const state: Delivery['state'] = isArrived ? 'arrived' : next === null ? 'givenup' : 'failing'
    meters?.called(state)
    const line = { event, type, time: now(), state, tries, status, reason, ms, next, answer, isReplay }
    ring.put(this.#id, { ...line, body: isArrived ? null : body })
    if (isArrived) return undefined
    if (next === null) return { type: 'WebhookGivenUp', data: { event } }
    const more = tries === 1 ? { body } : {}
    return { type: 'WebhookFailed', data: { event, type, tries, status, at: now(), next, ...more } }
  }

  /** The pace follows the last outcome. 410 turns it off. */
  async #told(row: RowOf<'webhook'>, { isArrived, status, retryAfter: wait }: Outcome): Promise<void> {
    const { record, now } = this.#parts
    if (isArrived) this.#slowMs = Math.floor(this.#slowMs / 2)
    else if (BUSY.has(status)) this.#slowMs = Math.min(MAX_SLOW_MS, Math.max(FIRST_SLOW_MS, this.#slowMs * 2))
    if (this.#slowMs > 0 || wait > 0) this.#notBefore = now() + Math.max(this.#slowMs, wait)
    if (status === GONE) await record(row, 'off', 'gone')
  }

  /** Its state as people see it. A few failures among arrivals are none. */
  async #show(row: RowOf<'webhook'>): Promise<void> {
    const { states, record, now } = this.#parts
    const { failingSince } = await states.load(this.#stream)
    const state = failingSince !== undefined && now() - failingSince > FAILING_MS ? 'failing' : 'working'
    if (row.state !== state && row.state !== 'off') await record(row, state, null)
  }

  async #post(
    { id, url }: RowOf<'webhook'>,
    { event, body }: Pick<Message, 'event' | 'body'>,
    more: readonly (readonly [string, string])[],
  ): Promise<Outcome> {
    const { call, secretsOf, now } = this.#parts
    const started = performance.now()
    const seconds = Math.floor(now() / 1_000)
    const signed = signatureHeaders(await secretsOf(id), { id: `evt_${event}`, seconds, body })
    const answer = await call({
      ...{ method: 'POST', url, body, timeout: TIMEOUT_MS, most: MAX_ANSWER_BYTES, maxRedirects: 0 },
      headers: [...signed, ...more],
    })
    const ms = Math.round(performance.now() - started)
    if (!answer.ok)
      return { isArrived: false, status: null, reason: answer.refusal.code, ms, retryAfter: 0, answer: '' }
    const { status, body: bytes } = answer.value
    return {
      isArrived: status >= 200 && status < 300,
      ...{ status, reason: null, ms, retryAfter: retryAfter(answer.value) },
      answer: Buffer.from(bytes).toString().slice(0, MAX_ANSWER),
    }
  }

  async #save(facts: readonly Fact[]): Promise<void> {
    if (this.#cursor === undefined) return
    const position = this.#parts.events.cursors.encode(this.#cursor)
    await this.#write([...facts, { type: 'WebhookAdvanced', data: { position, arrived: this.#arrived } }])
    this.#unsaved = 0
    this.#arrived = 0
    this.#savedAt = this.#parts.now()
  }

  async #write(facts: readonly Fact[]): Promise<void> {
    await this.#parts.states.write(this.#stream, () => exclusiveDrafts(this.#stream, facts))
  }
}
