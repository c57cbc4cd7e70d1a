import { randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { systemCommand } from '#commands/port.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { noticeDrafts } from '../alert/give-notice.ts'
import type { Record as AuditRecorder } from '../audit-recorder.ts'
import type { EventCursor, Hearer, PublicEvents } from '../event/public-events.ts'
import type { Call } from '../outbound/call.ts'
import type { Meters } from '../parts.ts'
import { type Delivery, DeliveryRing, type DeliveryState } from './delivery-ring.ts'
import { type Outcome, type SenderParts, WebhookSender, webhookFilter } from './webhook-sender.ts'
import { openWebhookStates } from './webhook-state.ts'

const LOOK_MS = 1_000
/** Earliest next look after a change of this node's read models, ms. */
const SOON_MS = 200
/** Longest wait at shutdown for attempts under way; another node, or the next start, repeats them. */
const STOP_MS = 2_000
const MAX_REPLAYED = 100_000
/** Pages that are open ask for the number of waiting events again and again, ms. */
const BEHIND_MS = 5_000
const REPLAY_PAGE = 100

const NOBODY: Hearer = { permits: () => false, level: '' }

interface WebhookParts {
  readonly store: EventStore
  readonly read: Pick<ReadModels, 'detail' | 'list' | 'onTouched' | 'onApplied'>
  readonly lookup: Pick<Lookup, 'ancestors' | 'permissionsOfUser'>
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  readonly events: PublicEvents
  readonly call: Call
  readonly keys: Pick<NodeKeys, 'personal'>
  /** Recorder of the audit. */
  readonly record: Pick<AuditRecorder, 'personalSent'>
  /** File of the last deliveries, which can be deleted. */
  readonly file: string
  readonly failed: (error: unknown) => void
  readonly meters?: Pick<Meters, 'called'>
  readonly now?: () => number
  readonly random?: () => number
}

interface Replay {
  readonly begin: EventCursor
  /** ms since 1970. */
  readonly to: number
}

type Webhook = RowOf<'webhook'>

/** Sends events to the addresses of webhooks: signed, at least once, from one node each. */
export class Webhooks {
  readonly #parts: WebhookParts
  readonly #ring: DeliveryRing
  readonly #sender: SenderParts
  readonly #senders = new Map<string, WebhookSender>()
  readonly #sending = new Map<string, Promise<void>>()
  readonly #replaying = new Map<string, Promise<void>>()
  /** Last answers of `behindOf`. */
  readonly #behind = new Map<string, { readonly at: number; readonly count: Promise<number | null> }>()
  readonly #stops: (() => void)[] = []
  #rows: Promise<readonly Webhook[]> | undefined
  #ticking: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  #isLooking = false
  #isClosed = false

  constructor(parts: WebhookParts) {
    const { store, read, commands, events, call, now = Date.now, random = Math.random } = parts
    this.#parts = parts
    this.#ring = new DeliveryRing(parts.file)
    this.#sender = {
      ...{ store, events, call, now, random, node: randomUUID(), ring: this.#ring, states: openWebhookStates(store) },
      meters: parts.meters,
      async secretsOf(id) {
        const { secret, secret_until: until } = (await commands.openFields('webhook', id)) ?? {}
        const secrets = textOf(secret).split(' ')
        return typeof until === 'string' && Date.parse(until) > now() ? secrets : secrets.slice(0, 1)
      },
      hearerOf: row => this.#hearerOf(row),
      keys: parts.keys,
      disclose: ({ id, owner, hierarchylevel: level, personal_reason: reason }, count) =>
        parts.record.personalSent({
          ...{ sender: { user: textOf(owner), session: null }, correlation: randomUUID() },
          ...{ level, webhook: id, count, reason: textOf(reason) },
        }),
      record: (row, state, reason) => this.#record(row, state, reason),
    }
    this.#stops.push(
      read.onTouched(['webhook'], () => {
        this.#rows = undefined
      }),
      read.onApplied(() => this.#lookSoon()),
    )
    this.#ticking = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** The last attempts of this node, the newest first. */
  deliveries(webhook: string, query: Parameters<DeliveryRing['list']>[1]): readonly Delivery[] {
    return this.#ring.list(webhook, query)
  }

  /** Events of one webhook that wait, about, as of the last 5 s; null: the store does not answer. */
  behindOf(webhook: string): Promise<number | null> {
    const now = this.#sender.now()
    const known = this.#behind.get(webhook)
    if (known !== undefined && now - known.at < BEHIND_MS) return known.count
    const count = this.#senderOf(webhook)
      .behind()
      .catch(() => null)
    this.#behind.set(webhook, { at: now, count })
    return count
  }

  /** Makes events due. Returns those that it knows. `isAsked`: also before the receiver wants more. */
  async retry(webhook: string, events: readonly string[], isAsked = true): Promise<readonly string[]> {
    const sender = this.#senderOf(webhook)
    const known: string[] = []
    for (const event of events) if (await sender.again(event, isAsked)) known.push(event)
    this.#lookSoon()
    return known
  }

  /** Retries all events of a time that did not arrive. */
  async retryFailed(webhook: string, from: number): Promise<number> {
    const states: readonly DeliveryState[] = ['failing', 'givenup']
    const events = states.flatMap(state => this.#ring.list(webhook, { state, from, limit: MAX_REPLAYED }))
    return (
      await this.retry(
        webhook,
        events.map(({ event }) => event),
        false,
      )
    ).length
  }

  /** Sends past events again, in the background; a restart of this node and turning the webhook off end it. */
  replay({ id, enable }: Webhook, replay: Replay): Result<Readonly<Record<never, never>>> {
    if (enable !== true) return refused('webhook.off')
    if (this.#replaying.has(id)) return refused('entity.busy')
    const running = this.#replay(id, replay)
      .catch(error => this.#failed(error))
      .finally(() => this.#replaying.delete(id))
    this.#replaying.set(id, running)
    return accepted({})
  }

  /** Sends a `parley.ping` once. */
  async test(row: Webhook): Promise<Outcome> {
    const event = randomUUID()
    const timestamp = new Date(this.#sender.now()).toISOString()
    const body = JSON.stringify({ id: event, type: 'parley.ping', timestamp, data: { entity: 'webhook', id: row.id } })
    return this.#senderOf(row.id).ping(row, { event, body })
  }

  /** Of the webhook that is furthest behind, by what this node knows. */
  async behind(): Promise<number> {
    const rows = await this.#enabled()
    return Math.max(0, ...(await Promise.all(rows.map(({ id }) => this.#senders.get(id)?.behind() ?? 0))))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#ticking)
    clearTimeout(this.#soon)
    for (const stop of this.#stops) stop()
    const late = new Promise(resolve => setTimeout(resolve, STOP_MS).unref())
    await Promise.race([Promise.all([...this.#sending.values(), ...this.#replaying.values()]), late])
    this.#ring.close()
  }

  #failed(error: unknown): void {
    if (!this.#isClosed) this.#parts.failed(error)
  }

  #senderOf(id: string): WebhookSender {
    const sender = this.#senders.get(id) ?? new WebhookSender(id, this.#sender)
    this.#senders.set(id, sender)
    return sender
  }

  #lookSoon(): void {
    if (this.#isClosed) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#look()
    }, SOON_MS).unref()
  }

  /** Starts a look of each webhook that is at rest. */
  #look(): void {
    if (this.#isLooking || this.#isClosed) return
    this.#isLooking = true
    this.#begin()
      .catch(error => this.#failed(error))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #begin(): Promise<void> {
    const asked = this.#enabled()
    const rows = await asked
    if (rows.length === 0) return
    const ends = await this.#parts.events.ends()
    for (const row of rows) {
      if (this.#sending.has(row.id) || this.#isClosed) continue
      const sending = this.#senderOf(row.id)
        .look(row, ends, () => this.#isOver(asked))
        .catch(error => this.#failed(error))
        .finally(() => this.#sending.delete(row.id))
      this.#sending.set(row.id, sending)
    }
  }

  /**
   * Ends what is sent by these rows once a webhook was changed: a backlog takes hours, and what was turned off or has
   * another address must not wait for its end.
   */
  #isOver(asked: Promise<readonly Webhook[]>): boolean {
    return this.#isClosed || this.#rows !== asked
  }

  #enabled(): Promise<readonly Webhook[]> {
    if (this.#rows !== undefined) return this.#rows
    const rows = allRows(this.#parts.read, SYSTEM_SCOPE, 'webhook', { enable: true })
    this.#rows = rows
    rows.catch(() => {
      this.#rows = undefined
    })
    return rows
  }

  async #replay(id: string, { begin, to }: Replay): Promise<void> {
    const { events } = this.#parts
    let cursor = begin
    for (let sent = 0; sent < MAX_REPLAYED; ) {
      const asked = this.#enabled()
      const row = (await asked).find(one => one.id === id)
      if (row === undefined || this.#isClosed) return
      const page = await events.page(() => this.#hearerOf(row), cursor, webhookFilter(row), REPLAY_PAGE)
      const wanted = page.items.filter(({ timestamp }) => Date.parse(timestamp) <= to)
      const count = await this.#senderOf(id).replay(row, wanted, () => this.#isOver(asked))
      if (count === undefined) return
      sent += count
      // The others follow by what people have saved meanwhile.
      if (count < wanted.length) cursor = events.cursors.decode(wanted[count - 1]?.position ?? '') ?? cursor
      else if (page.isCaughtUp || wanted.length < page.items.length) return
      else cursor = page.next
    }
  }

  /** Rights of the owner at this moment: a locked or removed person, or one of a level elsewhere, receives nothing. */
  async #hearerOf({ owner, hierarchylevel }: Webhook): Promise<Hearer> {
    const { read, lookup } = this.#parts
    const person = typeof owner === 'string' ? await read.detail(SYSTEM_SCOPE, 'user', owner) : undefined
    if (person === undefined || person.locked === true || hierarchylevel === null) return NOBODY
    const above = await lookup.ancestors(hierarchylevel)
    if (person.hierarchylevel === null || !above.includes(person.hierarchylevel)) return NOBODY
    const permissions = await lookup.permissionsOfUser(person.id)
    return { permits: name => permissions.has(name), level: hierarchylevel }
  }

  async #record({ id, owner }: Webhook, state: 'working' | 'failing' | 'off', reason: string | null): Promise<void> {
    const { commands, store } = this.#parts
    const input = { state, off_reason: reason }
    const outcome = await commands.execute(systemCommand({ entity: 'webhook', action: 'record', id, input }))
    if (!outcome.ok || outcome.position === undefined || state !== 'off') return
    const recipients = typeof owner === 'string' ? [owner] : []
    const about = { entity: 'webhook', id, message: 'webhook.off', kind: 'alert' } as const
    await appendAtEnd(store, noticeStream('webhook', id), noticeDrafts({ ...about, params: { reason }, recipients }))
  }
}

/** Beginning of a replay at a time. */
export const replayFrom = (time: number): EventCursor => ({ console: START, conversations: START, from: time })
