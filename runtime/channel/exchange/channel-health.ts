import type { Commands } from '#commands/command-handler.ts'
import { appendIfFirst, endOf } from '#commands/pipeline/append.ts'
import { systemCommand } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import { numberOf } from '#domain/channel.ts'
import {
  type ChannelHealth,
  channelHealth,
  channelStanding,
  type HealthSlot,
  hasEnded,
  type NumberStanding,
  restrictionIn,
  standingOf,
} from '#domain/channel-health.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { type HealthState, missingFields } from '#schemas/channel-type.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { noticeDrafts } from '../../alert/give-notice.ts'
import type { ChannelWatch } from '../open-channels.ts'
import { codeTitle } from '../shared/code-title.ts'
import type { InboxFollower } from './inbox.ts'
import type { Exchange } from './open-exchange.ts'
import { PeriodicLook } from './periodic-look.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

/** Health of a channel with the figures beside it. */
interface ChannelReport extends Omit<ChannelHealth, 'since'> {
  readonly id: string
  /** Begin of an error; null for other states. */
  readonly since: string | null
  /** Title of the provider's code; empty when it is not known. */
  readonly title: string
  /** Messages of people and of the bot, and failed attempts, hour by hour, the newest last. */
  readonly hours: readonly { readonly in: number; readonly out: number; readonly failed: number }[]
  readonly lastin: string | null
  readonly lastout: string | null
  /** Conversations whose messages wait for the provider. */
  readonly waiting: number
  /** End of the token; null: it has none, or the provider does not say. */
  readonly tokenends: string | null
  /** The account of Meta with its number; null: none. */
  readonly account: string | null
}

interface HealthParts {
  readonly read: Pick<ReadModels, 'list' | 'detail'>
  readonly watch: Pick<ChannelWatch, 'of'>
  /** Undefined before the first conversation. */
  readonly exchange: () => Exchange | undefined
  readonly now?: () => number
}

const digits = (text: string): string => text.replaceAll(/\D/gu, '')

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString())

const countsOf = (slots: readonly HealthSlot[]) => {
  const count = (...kinds: readonly HealthSlot['kind'][]) =>
    slots.reduce((total, slot) => total + (kinds.includes(slot.kind) ? slot.count : 0), 0)
  return { in: count('in'), out: count('sent'), failed: count('failed', 'retried') }
}

const hoursOf = (slots: readonly HealthSlot[], now: number) =>
  Array.from({ length: HOURS }, (_, at) => {
    const from = now - (HOURS - at) * HOUR_MS
    return countsOf(slots.filter(slot => slot.at > from && slot.at <= from + HOUR_MS))
  })

/** Counts of a channel from a moment on, in whole and by hours. Events are counted in slots of ten minutes. */
export const channelActivity = (slots: readonly HealthSlot[], from: number, now: number) => {
  const hours = Array.from({ length: Math.max(1, Math.ceil((now - from) / HOUR_MS)) }, (_, at) => {
    const begin = from + at * HOUR_MS
    return countsOf(slots.filter(slot => slot.at >= begin && slot.at < begin + HOUR_MS))
  })
  return { ...countsOf(slots.filter(slot => slot.at >= from)), hours }
}

interface Account {
  readonly id: string
  readonly number: NumberStanding
}

/** Accounts of Meta by their own id, and by the id of the number for channels that name that themselves. */
const accountsOf = async (
  read: HealthParts['read'],
  rows: readonly RowOf<'channel'>[],
): Promise<ReadonlyMap<string, Account>> => {
  if (!rows.some(({ type }) => type === 'whatsapp_meta')) return new Map()
  const accounts = await allRows(read, SYSTEM_SCOPE, 'metaaccount')
  return new Map(
    accounts.flatMap(row => {
      const account = { id: row.id, number: standingOf(row) }
      return row.phone_number_id ? [[row.phone_number_id, account] as const, [row.id, account] as const] : []
    }),
  )
}

const stoppedBots = async (
  read: HealthParts['read'],
  rows: readonly RowOf<'channel'>[],
): Promise<ReadonlySet<string>> => {
  const bots = [...new Set(rows.map(({ bot }) => bot))]
  const found = await Promise.all(bots.map(id => read.detail(SYSTEM_SCOPE, 'bot', id)))
  return new Set(found.flatMap(bot => (bot?.runningstatus === 'stopped' ? [bot.id] : [])))
}

/** Reads the health of channels. The number of reads does not depend on the number of channels, but on that of bots. */
export const openHealth =
  ({ read, watch, exchange: opened, now: clock = Date.now }: HealthParts) =>
  async (rows: readonly RowOf<'channel'>[]): Promise<readonly ChannelReport[]> => {
    if (rows.length === 0) return []
    const exchange = opened()
    const now = clock()
    const since = now - HOURS * HOUR_MS
    const [accounts, stopped] = await Promise.all([accountsOf(read, rows), stoppedBots(read, rows)])
    const pulses = exchange?.index.pulses(
      since,
      rows.map(({ id }) => id),
    )
    const troubles = exchange?.index.troubles()
    const waiting = exchange?.index.waiting()
    const strangers = (exchange?.index.unrouted() ?? []).filter(({ last }) => last > since)
    return rows.map(row => {
      const { id, type } = row
      const slots = pulses?.get(id) ?? []
      const number = numberOf(row)
      const account = type === 'whatsapp_meta' ? accounts.get(row.metaaccount ?? number) : undefined
      const own = [number, digits(row.sender_number ?? '')].filter(each => each !== '')
      const unrouted = strangers.filter(each => each.family === type && own.includes(digits(each.number)))
      const ends = row.token_ends === null ? undefined : Date.parse(row.token_ends)
      const { since: from = 0, ...health } = channelHealth({
        ...{ now, type, slots, ...watch.of(id), isEnabled: row.enable, missing: missingFields(row) },
        isStopped: stopped.has(row.bot),
        refused: exchange?.deliveries.breakers.of(id),
        trouble: troubles?.get(id),
        tokenEnds: ends,
        number: account?.number ?? channelStanding(row.restriction),
        unrouted: unrouted.reduce((total, { count }) => total + count, 0),
      })
      const last = (kind: string) => Math.max(0, ...slots.filter(slot => slot.kind === kind).map(slot => slot.last))
      return {
        ...{ id, ...health, since: iso(from), title: codeTitle(health.detail), hours: hoursOf(slots, now) },
        ...{ lastin: iso(last('in')), lastout: iso(last('sent')), waiting: waiting?.get(id) ?? 0 },
        tokenends: iso(ends ?? 0),
        account: account?.id ?? null,
      }
    })
  }

interface RestrictionParts {
  readonly read: Pick<ReadModels, 'reached'>
  readonly commands: Pick<Commands, 'execute'>
  readonly watch: Pick<ChannelWatch, 'restricted'>
}

/** Stores what a provider announces about the page or number of a channel. Meta's accounts have theirs. */
export const restrictionFollower = ({ read, commands, watch }: RestrictionParts): InboxFollower => ({
  name: 'restrictions',
  async news({ route: { family, channel, account }, event: { name, data } }) {
    // News of a business account name no number: at the door of an app they may be about any account.
    if (account !== undefined || family === 'whatsapp_meta') return
    const restriction = restrictionIn(name, data, new Date().toISOString())
    if (channel === undefined || restriction === undefined) return
    const command = { entity: 'channel', action: 'record', id: channel.id, input: { restriction } }
    const outcome = await commands.execute(systemCommand(command))
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') throw new Error(`not kept: ${outcome.refusal.code}`)
    if (outcome.ok && outcome.position !== undefined) await read.reached(outcome.position)
    watch.restricted(channel.id)
  },
})

const LOOK_MS = 15_000
/** Time after which channels without new events are read too: tokens, ratings and missing receipts. */
const FULL_MS = 600_000
/** Failures that are retried cause a notification after this time: a short limit needs no person. */
const LASTING_MS = 60_000
/** The same change within this time causes no second notification. */
const JOINED_MS = 30 * 60_000

const MESSAGES: Partial<Readonly<Record<HealthState, keyof typeof KINDS>>> = {
  error: 'channel.error',
  failing: 'channel.error',
  warning: 'channel.warning',
  ok: 'channel.ok',
}
const KINDS = {
  'channel.error': 'alert',
  'channel.warning': 'warn',
  'channel.token': 'warn',
  'channel.ok': 'info',
} as const
/** Days before the end of a token with a notification each. */
const TOKEN_DAYS = [1, 3, 7, 14]

const tokenMark = (days: number): string => `token.${TOKEN_DAYS.find(each => days <= each) ?? ''}`

/** Whether the last notification says the same: lately, or for a token, of the same number of days. */
const isTold = ({ data, time }: StoredEvent, message: string, mark: string, now: number): boolean => {
  if (data.message !== message) return false
  const told = (data.params as { readonly mark?: string } | undefined)?.mark
  return message === 'channel.token' ? told === mark : now - Date.parse(time) < JOINED_MS
}

interface NoticeParts extends HealthParts {
  /** Console log, which contains notifications. */
  readonly store: EventStore
  readonly commands: Pick<Commands, 'execute'>
  readonly watch: Pick<ChannelWatch, 'of' | 'ids' | 'takeTouched'>
  readonly failed: (error: unknown) => void
  readonly lookMs?: number
}

/** Notifies the readers of a channel of each change of its health to error, warning, and back to ok. */
export class HealthNotices extends PeriodicLook {
  readonly #parts: NoticeParts
  readonly #healthOf: ReturnType<typeof openHealth>
  /** Last notified states. Unproven calls are counted per node, so each node notifies their end itself. */
  readonly #told = new Map<string, string>()
  /** Failing channels without a notification so far. */
  readonly #recent = new Set<string>()
  #fullAt = Number.NEGATIVE_INFINITY

  constructor(parts: NoticeParts) {
    super(parts.lookMs ?? LOOK_MS, parts.failed)
    this.#parts = parts
    this.#healthOf = openHealth(parts)
  }

  protected override async lookOnce(): Promise<void> {
    const rows = await this.#changed()
    const reports = await this.#healthOf(rows)
    for (const [at, { id, state, code, detail, since, lastout }] of reports.entries()) {
      // Figures are kept for a day: later ones would not show that it ended.
      if (hasEnded(channelStanding(rows[at]?.restriction), Date.parse(lastout ?? ''))) await this.#clearRestriction(id)
      const before = this.#told.get(id)
      const isRecent = state === 'failing' && this.#now() - Date.parse(since ?? '') < LASTING_MS
      if (isRecent) this.#recent.add(id)
      else this.#recent.delete(id)
      const mark = code === 'token' ? tokenMark(Number(detail)) : state
      const isWorse = state === 'error' || state === 'failing' || state === 'warning'
      if (isRecent || mark === before || (!isWorse && before === undefined) || (!isWorse && state !== 'ok')) continue
      await this.#tell(id, { from: before ?? 'ok', to: state, code, detail, mark })
      if (isWorse) this.#told.set(id, mark)
      else this.#told.delete(id)
    }
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }

  async #clearRestriction(id: string): Promise<void> {
    const command = { entity: 'channel', action: 'record', id, input: { restriction: null } }
    await this.#parts.commands.execute(systemCommand(command))
  }

  /** Channels whose health may have changed since the last look: without events none is read, but all now and then. */
  async #changed(): Promise<readonly RowOf<'channel'>[]> {
    const { read, watch, exchange } = this.#parts
    const touched = exchange()?.index.takeTouched() ?? []
    if (this.#now() - this.#fullAt >= FULL_MS) {
      this.#fullAt = this.#now()
      return allRows(read, SYSTEM_SCOPE, 'channel', { enable: true })
    }
    const ids = [
      ...new Set([...touched, ...watch.takeTouched(), ...watch.ids(), ...this.#told.keys(), ...this.#recent]),
    ]
    const rows = await Promise.all(ids.map(id => read.detail(SYSTEM_SCOPE, 'channel', id)))
    return rows.filter(row => row !== undefined).filter(({ enable }) => enable)
  }

  async #tell(
    id: string,
    change: {
      readonly from: string
      readonly to: HealthState
      readonly code: string
      readonly detail: string
      readonly mark: string
    },
  ): Promise<void> {
    const { store } = this.#parts
    const message = change.code === 'token' ? 'channel.token' : MESSAGES[change.to]
    if (message === undefined) return
    const stream = noticeStream('channel', id)
    const tail = await endOf(store, stream)
    for await (const last of store.read(stream, { direction: 'backwards', limit: 1 }))
      if (isTold(last, message, change.mark, this.#now())) return
    const data = { entity: 'channel', id, message, kind: KINDS[message], params: { ...change } }
    // Of several nodes that see the change one tells it.
    await appendIfFirst(store, stream, tail, noticeDrafts(data))
  }
}
