import { createHmac, randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { NO_STREAM } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ALERT_FRESH_MS, type AlertOutcome, alertFamily, isAlert, isSameAlert, nextAlertPause } from '#domain/alert.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { ALERT_KEPT_MS, ALERT_PREFIX, alertStream, noticeGivenSchema } from '#schemas/events/notification.ts'
import { textOf } from '#schemas/json.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { retryAfter } from '../channel/shared/provider-call.ts'
import { levelChain } from '../conversation/effect/turn-settings.ts'
import { noticeText } from '../localized-text.ts'
import { LeaseTerm } from '../log/lease.ts'
import { appendAtEnd, appendIfFirst, endOf, exclusiveDrafts, removeStream } from '../log/stream-aggregate.ts'
import type { Call } from '../outbound/call.ts'
import { AlertIndex, type StoredAlert } from './alert-index.ts'

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 10_000
const TICK_MS = 1_000
const MAX_AT_ONCE = 20
const SECOND_MS = 1_000
/** Longest wait at shutdown for attempts under way; another node, or the next start, repeats them. */
const STOP_MS = 2_000
/** Longest time of one attempt; a node that dies in it leaves the alert to the others. */
const TERM = new LeaseTerm(30_000)

interface AlertParts {
  /** Console log, which contains notices. */
  readonly store: EventStore
  readonly read: Pick<ReadModels, 'detail' | 'levels'>
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  /** Base of links into the console, without a trailing slash. */
  readonly publicUrl: () => string
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly node: string
  readonly failed: (error: unknown) => void
  readonly now?: () => number
  readonly tickMs?: number
}

/** A level that has an address, for its own alerts and those of the levels below without one. */
interface AlertLevel {
  readonly id: string
  readonly name: string
  readonly url: string
}

/** Result of one attempt. */
interface AlertTry extends AlertOutcome {
  readonly ms: number
}

const NO_ADDRESS: AlertOutcome = { status: null, refusal: { code: 'level.noalert' } }

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 of the time, a point and the body, under the secret of the level. */
const alertSignature = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

/** Sends notices of the system to the addresses of levels: signed, at least once, each with its own id. */
export class Alerts {
  readonly #parts: AlertParts
  readonly #index: AlertIndex
  readonly #sending = new Map<string, Promise<void>>()
  #planning: Promise<void> | undefined
  #ticking: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: AlertParts) {
    this.#parts = parts
    this.#index = new AlertIndex(parts.file)
  }

  /** Follows the log, and sends what is due. */
  async begin(): Promise<void> {
    const { store, failed, tickMs = TICK_MS } = this.#parts
    this.#ticking = setInterval(() => this.#look(), tickMs).unref()
    await this.#index.follow(store, {
      name: 'alerts',
      prefixes: ['notice-', ALERT_PREFIX],
      heard: event => {
        if (event.type === 'NoticeGiven') this.#look()
      },
      failed,
    })
  }

  /** The level whose address gets the alerts of a level: its own, else that of the nearest level above with one. */
  async levelFor(level: string): Promise<AlertLevel | undefined> {
    const chain = await levelChain(this.#parts.read as ReadModels, level)
    for (const id of chain.toReversed()) {
      const row = await this.#parts.read.detail(SYSTEM_SCOPE, 'hierarchy', id)
      if (row?.alert_url) return { id, name: row.name, url: row.alert_url }
    }
    return undefined
  }

  /** The newest alerts of a level's address. */
  ofLevel(level: string, limit: number): readonly StoredAlert[] {
    return this.#index.ofLevel(level, limit)
  }

  /** Sends a test alert to a level's own address, once. */
  async test(level: string): Promise<AlertTry> {
    const { store, read } = this.#parts
    const row = await read.detail(SYSTEM_SCOPE, 'hierarchy', level)
    const id = randomUUID()
    const data = {
      ...{ level, entity: 'hierarchy', entityid: level, name: row?.name ?? '', message: 'alert.test', kind: 'info' },
      ...{ params: {}, time: this.#now(), isTest: true },
    }
    const queued = { type: 'AlertQueued', data }
    const taken = { type: 'AlertTaken', data: { ...TERM.grant(this.#parts.node, this.#now()) } }
    const stream = alertStream(id)
    const { position } = await appendAtEnd(store, stream, exclusiveDrafts(stream, [queued, taken]))
    await this.#index.reached(position)
    const alert = this.#index.get(id)
    return alert === undefined ? { ...NO_ADDRESS, ms: 0 } : this.#attempt(alert)
  }

  /** Removes alerts that are no longer shown. */
  async sweep(): Promise<void> {
    for (;;) {
      const old = this.#index.older(this.#now() - ALERT_KEPT_MS, MAX_AT_ONCE)
      for (const id of old) {
        await removeStream(this.#parts.store, alertStream(id))
        this.#index.forget(id)
      }
      if (old.length === 0) return
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#ticking)
    const late = new Promise(resolve => setTimeout(resolve, STOP_MS).unref())
    await Promise.race([Promise.all([this.#planning, ...this.#sending.values()]), late])
    await this.#index.close()
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }

  #look(): void {
    if (this.#isClosed) return
    this.#planning ??= this.#plan()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#planning = undefined
      })
    for (const id of this.#index.due(this.#now(), MAX_AT_ONCE)) {
      if (this.#sending.has(id)) continue
      const sending = this.#send(id)
        .catch(error => {
          if (!this.#isClosed) this.#parts.failed(error)
        })
        .finally(() => this.#sending.delete(id))
      this.#sending.set(id, sending)
    }
  }

  /** Makes alerts of the waiting notices, in their order: a repeated one joins the one before. */
  async #plan(): Promise<void> {
    for (let next = this.#index.nextNotice(); next !== undefined; next = this.#index.nextNotice()) {
      if (this.#isClosed) return
      const position = await this.#queue(next.event)
      // Later notices must find this alert.
      if (position !== undefined) await this.#index.reached(position)
      this.#index.dropNotice(next.n)
    }
  }

  /** Returns the position of the last written event; undefined when nothing was written. */
  async #queue(event: StoredEvent): Promise<string | undefined> {
    const { store, read } = this.#parts
    const { entity, id, message, kind, params } = noticeGivenSchema.parse(event.data)
    const time = Date.parse(event.time)
    if (this.#now() - time > ALERT_FRESH_MS || !isAlert(message) || !isEntityName(entity)) return undefined
    const row = await read.detail(SYSTEM_SCOPE, entity, id)
    const level = typeof row?.hierarchylevel === 'string' ? await this.levelFor(row.hierarchylevel) : undefined
    if (level === undefined || this.#index.has(event.id)) return undefined
    const last = this.#index.lastAbout(entity, id, alertFamily(message))
    if (last !== undefined && isSameAlert(last, { message, params, time })) return this.#join(last.id, event.id)
    const name = String(row?.name ?? '')
    const data = { level: level.id, entity, entityid: id, name, message, kind, params, time, isTest: false }
    const stream = alertStream(event.id)
    const drafts = exclusiveDrafts(stream, [{ type: 'AlertQueued', data }])
    const end = (await appendIfFirst(store, stream, NO_STREAM, drafts)) ?? (await endOf(store, stream))
    setImmediate(() => this.#look())
    return end.position
  }

  async #join(alert: string, notice: string): Promise<string | undefined> {
    const { store } = this.#parts
    const stream = alertStream(alert)
    for (;;) {
      const end = await endOf(store, stream)
      if (end.revision === 0) return undefined
      for await (const { type, data } of store.read(stream))
        if (type === 'AlertJoined' && data.notice === notice) return end.position
      const drafts = exclusiveDrafts(stream, [{ type: 'AlertJoined', data: { notice } }])
      const written = await appendIfFirst(store, stream, end, drafts)
      if (written !== undefined) return written.position
    }
  }

  /** Sends an alert that is due, unless another node was first. */
  async #send(id: string): Promise<void> {
    const { store, node } = this.#parts
    const stream = alertStream(id)
    const end = await endOf(store, stream)
    await this.#index.reached(end.position)
    const alert = this.#index.get(id)
    if (alert === undefined || alert.due === null || alert.due > this.#now()) return
    const claim = { type: 'AlertTaken', data: { ...TERM.grant(node, this.#now()) } }
    if ((await appendIfFirst(store, stream, end, exclusiveDrafts(stream, [claim]))) === undefined) return
    await this.#attempt(alert)
  }

  /** Calls the address, and stores the outcome. */
  async #attempt(alert: StoredAlert): Promise<AlertTry> {
    const { store } = this.#parts
    const started = performance.now()
    const outcome = await this.#post(alert)
    const ms = Math.round(performance.now() - started)
    const tries = alert.tries + 1
    const pause = alert.isTest ? undefined : nextAlertPause(outcome, tries)
    const { status, refusal } = outcome
    const told = refusal === undefined ? null : { code: refusal.code, params: refusal.params ?? {} }
    const data = { tries, status, refusal: told, ms, due: pause === undefined ? null : this.#now() + pause }
    const stream = alertStream(alert.id)
    const { position } = await appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type: 'AlertTried', data }]))
    await this.#index.reached(position)
    return { ...outcome, ms }
  }

  async #post(alert: StoredAlert): Promise<AlertOutcome> {
    const fields: JsonObject = (await this.#parts.commands.openFields('hierarchy', alert.level)) ?? {}
    const { alert_url: url, alert_secret: secret, name } = fields
    if (typeof url !== 'string' || typeof secret !== 'string') return NO_ADDRESS
    const body = JSON.stringify(this.#body(alert, String(name ?? '')))
    const answer = await this.#parts.call({
      ...{ method: 'POST', url, body, timeout: TIMEOUT_MS, most: MAX_BODY_BYTES, maxRedirects: 0 },
      headers: [
        ['content-type', 'application/json'],
        ['x-parley-alert', alert.id],
        ['x-parley-signature', alertSignature(secret, Math.floor(this.#now() / SECOND_MS), body)],
      ],
    })
    if (!answer.ok) return { status: null, refusal: answer.refusal }
    return { status: answer.value.status, retryAfter: retryAfter(answer.value) }
  }

  #body({ id, level, entity, entityid, name, message, kind, params, time, times, isTest }: StoredAlert, of: string) {
    const texts = LANGUAGES.map(language => [language, noticeText(language, message, { ...params, name })] as const)
    return {
      ...{ id, time: new Date(time).toISOString(), test: isTest, level: { id: level, name: of } },
      ...{ kind, message, about: { entity, id: entityid, name }, params, times, text: Object.fromEntries(texts) },
      link: `${this.#parts.publicUrl()}/botadmin${textOf(params.page) || `/${entity}/${entityid}`}`,
    }
  }
}
