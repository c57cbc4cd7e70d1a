import { createHmac, randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { appendAtEnd, appendIfFirst, endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ALERT_FRESH_MS, type AlertOutcome, alertFamily, isAlert, isSameAlert, nextAlertPause } from '#domain/alert.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import {
  ALERT_KEPT_MS,
  ALERT_PREFIX,
  alertStream,
  NOTICE_GIVEN,
  noticeGivenSchema,
} from '#schemas/events/notification.ts'
import { textOf } from '#schemas/json.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { retryAfter } from '../channel/shared/provider-call.ts'
import { levelChain } from '../conversation/effect/turn-settings.ts'
import { noticeText } from '../localized-text.ts'
import { LeaseTerm } from '../log/lease.ts'
import { Outbox } from '../log/outbox.ts'
import { exclusiveDrafts } from '../log/stream-aggregate.ts'
import type { Call } from '../outbound/call.ts'
import { AlertIndex, type StoredAlert } from './alert-index.ts'

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 10_000
const MAX_AT_ONCE = 20
const SECOND_MS = 1_000
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
  readonly #outbox: Outbox<StoredAlert>

  constructor(parts: AlertParts) {
    this.#parts = parts
    this.#index = new AlertIndex(parts.file)
    this.#outbox = new Outbox({
      ...{ store: parts.store, node: parts.node, failed: parts.failed, now: parts.now, tickMs: parts.tickMs },
      ...{ index: this.#index, streamOf: alertStream, term: TERM, keptMs: ALERT_KEPT_MS },
      types: { queued: 'AlertQueued', taken: 'AlertTaken' },
      plan: () => this.#plan(),
      due: () => this.#index.due(this.#now(), MAX_AT_ONCE).map(id => ({ key: id, id })),
      send: async alert => void (await this.#attempt(alert)),
    })
  }

  /** Follows the log, and sends what is due. */
  async begin(): Promise<void> {
    const { store, failed } = this.#parts
    this.#outbox.begin()
    await this.#index.follow(store, {
      name: 'alerts',
      prefixes: ['notice-', ALERT_PREFIX],
      heard: event => {
        if (event.type === NOTICE_GIVEN) this.#outbox.look()
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
  sweep(): Promise<void> {
    return this.#outbox.sweep()
  }

  close(): Promise<void> {
    return this.#outbox.close()
  }

  #now(): number {
    return this.#outbox.now()
  }

  /** Makes alerts of the waiting notices, in their order: a repeated one joins the one before. */
  async #plan(): Promise<void> {
    for (let next = this.#index.nextNotice(); next !== undefined; next = this.#index.nextNotice()) {
      if (this.#outbox.isClosed) return
      const position = await this.#queue(next.event)
      // Later notices must find this alert.
      if (position !== undefined) await this.#index.reached(position)
      this.#index.dropNotice(next.n)
    }
  }

  /** Returns the position of the last written event; undefined when nothing was written. */
  async #queue(event: StoredEvent): Promise<string | undefined> {
    const { read } = this.#parts
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
    return this.#outbox.queue(event.id, data)
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

  /** Calls the address, and stores the outcome. */
  async #attempt(alert: StoredAlert): Promise<AlertTry> {
    const started = performance.now()
    const outcome = await this.#post(alert)
    const ms = Math.round(performance.now() - started)
    const tries = alert.tries + 1
    const pause = alert.isTest ? undefined : nextAlertPause(outcome, tries)
    const { status, refusal } = outcome
    const told = refusal === undefined ? null : { code: refusal.code, params: refusal.params ?? {} }
    const data = { tries, status, refusal: told, ms, due: pause === undefined ? null : this.#now() + pause }
    await this.#outbox.store(alert.id, 'AlertTried', data)
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
