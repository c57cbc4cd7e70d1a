import { setTimeout as pause } from 'node:timers/promises'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { signatureHeaders } from '#commands/webhook/webhook-secret.ts'
import { SEND_PERSONAL } from '#domain/people/permission.ts'
import { DEAD_MS, MAX_RETRY_AFTER_MS, nextWebhookPause, sendsPersonal } from '#domain/webhook.ts'
import type { RowOf } from '#projections/port.ts'
import type { Json } from '#schemas/event.ts'
import { webhookLeaseStream, webhookSentStream } from '#schemas/events/webhook.ts'
import type { PublicEvent } from '#schemas/public-event.ts'
import { retryAfter } from '../channel/shared/provider-call.ts'
import {
  type EventCursor,
  type EventFilter,
  type Hearer,
  type LogEnds,
  type PublicEvents,
  withPersonalIn,
} from '../event/public-events.ts'
import { LeaseTerm, StreamLease } from '../log/lease.ts'
import { exclusiveDrafts, type StreamAggregate } from '../log/stream-aggregate.ts'
import type { Call } from '../outbound/call.ts'
import type { Meters } from '../parts.ts'
import type { Delivery, DeliveryRing } from './delivery-ring.ts'
import { entityOfBody, openBody, sealBody, type WebhookState } from './webhook-state.ts'

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
/** Stored events without one for this receiver, after which the position is written. */
const SAVE_SKIPPED = 2_000
/** Longest time after which it is written when there were such events alone, ms: a restart looks at them again. */
const SAVE_SKIPPED_MS = 3_600_000
/** Longest time until what people and other nodes wrote is known here, ms. */
const REFRESH_MS = 5_000
/** Attempts that are due again, of one look: new events follow. */
const RETRIED = 100
/** Failed events that wait for another attempt; later ones stay in the log until there is room. */
const MAX_FAILED = 10_000
const FIRST_SLOW_MS = 250
const MAX_SLOW_MS = 60_000
const GONE = 410
/** Failures alone for so long are shown, ms. */
const FAILING_MS = 60_000
/** Interval at which a replay that waits for the receiver checks whether it has to end, ms. */
const WAIT_MS = 500
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
  readonly keys: Pick<NodeKeys, 'personal'>
  /** Writes to the audit that so many events with personal values are about to leave. */
  readonly disclose: (row: RowOf<'webhook'>, count: number) => Promise<void>
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
  /** Entity of its subject. */
  readonly entity: string
  readonly body: string
  /** The body as it is stored; undefined before the first attempt. */
  readonly kept?: string
  readonly isPersonal?: boolean
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

interface Attempt {
  readonly message: Message
  readonly outcome: Outcome
}

interface Page {
  readonly ends: LogEnds
  readonly most: number
  readonly isOver: () => boolean
}

type Fact = { readonly type: string; readonly data: Readonly<Record<string, Json>> }

const messageOf = (event: PublicEvent): Message => ({
  event: event.id,
  type: event.type,
  entity: event.data.entity,
  body: JSON.stringify(event),
  isPersonal: event.data.personal !== undefined,
  tries: 0,
})

type HeaderPairs = readonly (readonly [string, string])[]
const REPLAYED: HeaderPairs = [['parley-replay', '1']]

/** Which events a webhook wants. */
export const webhookFilter = ({ types, bots, values, personal }: RowOf<'webhook'>): EventFilter => ({
  ...{ types: types ?? [], bots: bots ?? [] },
  ...{ withValues: values === true, withPersonal: sendsPersonal({ values, personal }) },
})

const laterOf = (one: string, other: string): string => (one < other ? other : one)

/** Sends the events of one webhook. Any node reads them; the one that has the lease sends. */
export class WebhookSender {
  readonly #id: string
  readonly #parts: SenderParts
  readonly #lease: StreamLease
  readonly #stream: string
  #cursor: EventCursor | undefined
  /** Events since the stored position: those that were sent, those that are none for the receiver, those that arrived. */
  #unsaved = 0
  #skipped = 0
  #arrived = 0
  #savedAt = 0
  #refreshedAt = Number.NEGATIVE_INFINITY
  #slowMs = 0
  #notBefore = 0

  constructor(id: string, parts: SenderParts) {
    this.#id = id
    this.#parts = parts
    this.#stream = webhookSentStream(id)
    const { store, node } = parts
    this.#lease = new StreamLease({ store, stream: webhookLeaseStream(id), type: 'WebhookTaken', node, term: TERM })
  }

  /** Sends what is due, until `isOver`, an error, or another node has the lease. */
  async look(row: RowOf<'webhook'>, ends: LogEnds, isOver: () => boolean): Promise<void> {
    try {
      await this.#look(row, ends, isOver)
    } catch (error) {
      // Failures since the stored position may not be stored: the events since then are sent again.
      this.#forget()
      throw error
    }
  }

  async #look(row: RowOf<'webhook'>, ends: LogEnds, isOver: () => boolean): Promise<void> {
    const { states, now } = this.#parts
    if (now() - this.#refreshedAt >= REFRESH_MS) await this.#refresh()
    if (this.#isDue(row, await states.load(this.#stream))) {
      if (!(await this.#holds())) return
      const state = await states.load(this.#stream)
      if (await this.#endDead(row, state)) return
      await this.#retry(row, state, isOver)
    }
    for (;;) {
      const state = await states.load(this.#stream)
      const cursor = await this.#begin(state)
      if (cursor === undefined) return
      const isBehind = cursor.console < ends.now.console || cursor.conversations < ends.now.conversations
      // An ordered one stops at its first failure.
      const isBlocked = row.ordered === true ? state.failed.size > 0 : state.failed.size >= MAX_FAILED
      if (isOver() || !isBehind || isBlocked || now() < this.#notBefore) break
      const most = row.ordered === true ? PAGE : Math.min(PAGE, MAX_FAILED - state.failed.size)
      if (!(await this.#next(row, cursor, { ends, most, isOver }))) break
    }
    if (this.#isSaveDue(isOver()) && (await this.#holds())) await this.#save([])
    if (!isOver()) await this.#show(row)
  }

  /** Events that are not sent, and those that are sent again, about; 0 before the first node began. */
  async behind(): Promise<number> {
    const { store, states, events } = this.#parts
    const { position, failed } = await states.load(this.#stream)
    const cursor = this.#cursor ?? (position === undefined ? undefined : events.cursors.decode(position))
    return (cursor === undefined ? 0 : await store.countAfter(cursor.console)) + failed.size
  }

  #isSaveDue(isOver: boolean): boolean {
    const age = this.#parts.now() - this.#savedAt
    if (this.#unsaved > 0) return isOver || age >= SAVE_MS
    return this.#skipped >= SAVE_SKIPPED || (this.#skipped > 0 && this.#savedAt > 0 && age >= SAVE_SKIPPED_MS)
  }

  /** Reads what people and other nodes wrote. A node that does not send follows the one that does. */
  async #refresh(): Promise<void> {
    const { states, events, now } = this.#parts
    this.#refreshedAt = now()
    const { position } = await states.refresh(this.#stream)
    const stored = position === undefined ? undefined : events.cursors.decode(position)
    if (this.#cursor === undefined || stored === undefined) return
    this.#cursor = {
      console: laterOf(this.#cursor.console, stored.console),
      conversations: laterOf(this.#cursor.conversations, stored.conversations),
    }
  }

  /** Whether something but new events is to be done. */
  #isDue(row: RowOf<'webhook'>, state: WebhookState): boolean {
    const isRetryDue = [...state.failed.values()].some(entry => this.#isRetryDue(entry))
    return isRetryDue || this.#isDead(state) || this.#shown(row, state) !== row.state
  }

  /** The retry of a person ignores the pace of the receiver. */
  #isRetryDue({ next, isAsked }: { readonly next: number; readonly isAsked: boolean }): boolean {
    const now = this.#parts.now()
    return next <= now && (isAsked || now >= this.#notBefore)
  }

  /** One attempt at a message that is in no log. */
  async ping(row: RowOf<'webhook'>, message: Pick<Message, 'event' | 'body'>): Promise<Outcome> {
    return this.#post(row, message, [])
  }

  /**
   * Sends past events again, beside the present ones and at the pace of the receiver. A failed one is tried like any
   * other. Returns how many were sent until `isOver`; undefined: the receiver answered 410, or there is no room for
   * more failed events.
   */
  async replay(
    row: RowOf<'webhook'>,
    events: readonly PublicEvent[],
    isOver: () => boolean,
  ): Promise<number | undefined> {
    await this.#disclose(row, events)
    for (const [at, event] of events.entries()) {
      while (!isOver() && this.#parts.now() < this.#notBefore) await pause(WAIT_MS, undefined, { ref: false })
      if (isOver()) return at
      if ((await this.#parts.states.load(this.#stream)).failed.size >= MAX_FAILED) return undefined
      const attempts = await this.#postAll(row, [messageOf(event)], REPLAYED)
      const facts = await Promise.all(attempts.map(attempt => this.#kept(attempt, true)))
      await this.#write(facts.filter(fact => fact !== undefined))
      if (await this.#turnOffIfGone(row, attempts)) return undefined
    }
    return events.length
  }

  /** Makes a failed or given up event due; false: no bytes of it are kept here. `asked`: it does not wait for the receiver. */
  async again(event: string, asked: boolean): Promise<boolean> {
    const { states, ring, now } = this.#parts
    const known = (await states.refresh(this.#stream)).failed.get(event)
    const kept = known ?? ring.get(this.#id, event)
    if (kept?.body === undefined || kept.body === null || kept.body === '') return false
    const { type, status, body } = kept
    const tries = known === undefined ? 0 : known.tries
    const data = { event, type, tries, status, at: now(), next: now(), body, ...(asked ? { asked } : {}) }
    await this.#write([{ type: 'WebhookFailed', data }])
    return true
  }

  /** Takes or renews the lease. Forgets what this node knows when another one had it. */
  async #holds(): Promise<boolean> {
    const held = await this.#lease.hold(this.#parts.now())
    if (held && !this.#lease.isTakenOver) return true
    if (held) this.#forget()
    await this.#refresh()
    return held
  }

  #forget(): void {
    this.#cursor = undefined
    this.#unsaved = 0
    this.#skipped = 0
    this.#arrived = 0
  }

  /** Position up to which events were sent; a new webhook begins now. Undefined: another node begins. */
  async #begin({ position }: WebhookState): Promise<EventCursor | undefined> {
    const { events } = this.#parts
    if (this.#cursor !== undefined) return this.#cursor
    const known = position === undefined ? undefined : events.cursors.decode(position)
    if (known !== undefined && (await events.isWithin(known))) {
      this.#cursor = known
      return known
    }
    if (!(await this.#holds()) || this.#lease.isTakenOver) return undefined
    this.#cursor = await events.now()
    await this.#save([])
    return this.#cursor
  }

  #isDead({ failingSince }: WebhookState): boolean {
    return failingSince !== undefined && this.#parts.now() - failingSince >= DEAD_MS
  }

  async #endDead(row: RowOf<'webhook'>, state: WebhookState): Promise<boolean> {
    if (!this.#isDead(state)) return false
    await this.#parts.record(row, 'off', 'dead')
    // Enabled again, it has 75 hours more.
    await this.#write([{ type: 'WebhookTurnedOff', data: {} }])
    return true
  }

  /** Attempts that are due again. */
  async #retry(row: RowOf<'webhook'>, { failed }: WebhookState, isOver: () => boolean): Promise<void> {
    const { hearerOf, keys } = this.#parts
    const due = [...failed.values()].filter(entry => this.#isRetryDue(entry)).slice(0, RETRIED)
    const size = this.#atOnce(row)
    for (let at = 0; at < due.length; at += size) {
      const entries = due.slice(at, at + size)
      // The receiver may have asked to wait meanwhile.
      if (isOver() || !entries.every(entry => this.#isRetryDue(entry))) return
      if (!(await this.#holds()) || this.#lease.isTakenOver) return
      const hearer = await hearerOf(row)
      const batch = entries.map(entry => ({ ...entry, entity: entityOfBody(entry.body) }))
      const mayPersonal = sendsPersonal(row) && hearer.permits(SEND_PERSONAL)
      const readable = batch.filter(({ entity }) => hearer.permits(`read${entity}`))
      const messages = await Promise.all(
        readable.map(async entry => ({
          ...{ ...entry, kept: entry.body },
          ...(await openBody(keys.personal, entry.body, mayPersonal)),
        })),
      )
      const attempts = await this.#postAll(row, messages)
      const arrived = (event: string): Fact => ({ type: 'WebhookArrived', data: { event } })
      const sent = attempts.map(async attempt => (await this.#kept(attempt)) ?? arrived(attempt.message.event))
      const dropped = batch.filter(entry => !readable.includes(entry)).map(entry => this.#dropped(entry))
      await this.#write([...(await Promise.all(sent)), ...dropped])
      await this.#turnOffIfGone(row, attempts)
    }
  }

  #atOnce({ ordered }: RowOf<'webhook'>): number {
    return ordered === true ? 1 : AT_ONCE
  }

  /** Sends the next page, of at most so many events. False: there is nothing more to do now. */
  async #next(row: RowOf<'webhook'>, cursor: EventCursor, { ends, most, isOver }: Page): Promise<boolean> {
    const { events, hearerOf, now } = this.#parts
    const page = await events.page(() => hearerOf(row), cursor, webhookFilter(row), most, ends)
    const size = this.#atOnce(row)
    for (let at = 0; at < page.items.length; at += size) {
      if (isOver() || !(await this.#holds())) return false
      // Another node sent until now, from its own position.
      if (this.#lease.isTakenOver) return true
      const batch = page.items.slice(at, at + size)
      const messages = batch.map(messageOf)
      await this.#disclose(row, batch)
      const attempts = await this.#postAll(row, messages)
      const kept = await Promise.all(attempts.map(attempt => this.#kept(attempt)))
      const failures = kept.filter(fact => fact !== undefined)
      const last = batch.at(-1)
      this.#cursor = (last && events.cursors.decode(last.position)) ?? cursor
      this.#unsaved += batch.length
      this.#arrived += batch.length - failures.length
      if (failures.length > 0 || this.#unsaved >= SAVE_EVENTS) await this.#save(failures)
      const isGone = await this.#turnOffIfGone(row, attempts)
      if (isGone || now() < this.#notBefore || (row.ordered === true && failures.length > 0)) return false
    }
    this.#cursor = page.next
    this.#skipped += page.scanned - page.items.length
    return !page.isCaughtUp && page.scanned > 0
  }

  /** Writes to the audit how many events with personal values are about to leave. */
  async #disclose(row: RowOf<'webhook'>, events: readonly PublicEvent[]): Promise<void> {
    const count = withPersonalIn(events)
    if (count > 0) await this.#parts.disclose(row, count)
  }

  /** Gives up an event that the owner may no longer read. */
  #dropped({ event, type, entity, tries, status, body }: Message & Pick<Outcome, 'status'>): Fact {
    const { ring, now } = this.#parts
    const line = {
      event,
      type,
      entity,
      time: now(),
      state: 'givenup',
      tries,
      status,
      reason: 'access.forbidden',
    } as const
    ring.put(this.#id, { ...line, ms: 0, next: null, answer: '', isReplay: false, body })
    return { type: 'WebhookGivenUp', data: { event } }
  }

  /** Keeps the line of an attempt. Returns the fact of a failure. */
  async #kept({ message, outcome }: Attempt, isReplay = false): Promise<Fact | undefined> {
    const { ring, now, random, meters, keys } = this.#parts
    const { event, type, entity, body, isPersonal } = message
    const { isArrived, status, reason, ms } = outcome
    // A receiver may answer with what it got.
    const answer = isPersonal ? '' : outcome.answer
    const tries = message.tries + 1
    const pause = isArrived ? undefined : nextWebhookPause(tries, outcome.retryAfter, random())
    const next = pause === undefined ? null : now() + pause
    const state: Delivery['state'] = isArrived ? 'arrived' : next === null ? 'givenup' : 'failing'
    meters?.called(state)
    const line = { event, type, entity, time: now(), state, tries, status, reason, ms, next, answer, isReplay }
    const kept = isArrived ? null : (message.kept ?? (await sealBody(keys.personal, body)))
    ring.put(this.#id, { ...line, body: kept })
    if (isArrived) return undefined
    if (next === null) return { type: 'WebhookGivenUp', data: { event } }
    const more = tries === 1 ? { body: kept } : {}
    return { type: 'WebhookFailed', data: { event, type, tries, status, at: now(), next, ...more } }
  }

  async #postAll(
    row: RowOf<'webhook'>,
    messages: readonly Message[],
    more: HeaderPairs = [],
  ): Promise<readonly Attempt[]> {
    const post = async (message: Message) => ({ message, outcome: await this.#post(row, message, more) })
    const attempts = await Promise.all(messages.map(post))
    for (const { outcome } of attempts) this.#pace(outcome)
    return attempts
  }

  async #turnOffIfGone(row: RowOf<'webhook'>, attempts: readonly Attempt[]): Promise<boolean> {
    const isGone = attempts.some(({ outcome }) => outcome.status === GONE)
    if (isGone) await this.#parts.record(row, 'off', 'gone')
    return isGone
  }

  /** The pace follows the last outcome, from its arrival on. */
  #pace({ isArrived, status, retryAfter: wait }: Outcome): void {
    if (isArrived) this.#slowMs = Math.floor(this.#slowMs / 2)
    else if (BUSY.has(status)) this.#slowMs = Math.min(MAX_SLOW_MS, Math.max(FIRST_SLOW_MS, this.#slowMs * 2))
    if (this.#slowMs > 0 || wait > 0) this.#notBefore = this.#parts.now() + Math.max(this.#slowMs, wait)
  }

  /** Its state as people see it. A few failures among arrivals are none. */
  #shown(row: RowOf<'webhook'>, { failingSince }: WebhookState): RowOf<'webhook'>['state'] {
    if (row.state === 'off') return 'off'
    return failingSince !== undefined && this.#parts.now() - failingSince > FAILING_MS ? 'failing' : 'working'
  }

  async #show(row: RowOf<'webhook'>): Promise<void> {
    const { states, record } = this.#parts
    const state = this.#shown(row, await states.load(this.#stream))
    if (state !== row.state && (state === 'failing' || state === 'working') && (await this.#holds()))
      await record(row, state, null)
  }

  async #post(
    { id, url }: RowOf<'webhook'>,
    { event, body }: Pick<Message, 'event' | 'body'>,
    more: HeaderPairs,
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
    const isArrived = status >= 200 && status < 300
    return {
      isArrived,
      ...{ status, reason: null, ms, retryAfter: isArrived ? 0 : retryAfter(answer.value, 0, MAX_RETRY_AFTER_MS) },
      answer: Buffer.from(bytes).toString().slice(0, MAX_ANSWER),
    }
  }

  async #save(facts: readonly Fact[]): Promise<void> {
    if (this.#cursor === undefined) return
    const position = this.#parts.events.cursors.encode(this.#cursor)
    await this.#write([...facts, { type: 'WebhookAdvanced', data: { position, arrived: this.#arrived } }])
    this.#unsaved = 0
    this.#skipped = 0
    this.#arrived = 0
    this.#savedAt = this.#parts.now()
  }

  async #write(facts: readonly Fact[]): Promise<void> {
    await this.#parts.states.write(this.#stream, () => exclusiveDrafts(this.#stream, facts))
  }
}
