import type { Commands } from '#commands/command-handler.ts'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { type Tracer, traced } from '#commands/tracer.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { channelType, isWhatsapp, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { noticeDrafts } from '../../alert/give-notice.ts'
import type { BotLog } from '../../service/bot-log.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { isForeignPhone } from '../shared/own-address.ts'
import { field } from '../shared/provider-call.ts'
import { isSameSecret } from '../shared/signature.ts'
import type { EventRoute, Heard, ReceiptEvent } from './inbox.ts'
import type { Exchange } from './open-exchange.ts'
import { messageId } from './read-content.ts'

const WHATSAPP = 'whatsapp_meta'
/** Longest wait for the provider's answer; providers repeat a call that is not answered soon. */
const ADDRESSES_MS = 3_000

/** An address at which a provider called, and what proved the call. */
export interface WebhookEndpoint {
  readonly family: string
  /** Secret that signed the call; empty for a door proven by a token. */
  readonly secret: string
  readonly channel?: ProviderChannel
  /** App at Meta, if it is the app's door. */
  readonly app?: string
}

export const channelEndpoint = (channel: ProviderChannel): WebhookEndpoint => ({
  family: channel.type === SIMULATED_TYPE ? WHATSAPP : channel.type,
  secret: channelType(channel.type)?.isSignedByApp ? field(channel.fields, 'app_secret') : '',
  channel,
})

export const appEndpoint = (app: string, secret: string): WebhookEndpoint => ({ family: WHATSAPP, secret, app })

interface TableParts {
  readonly read: Pick<ReadModels, 'list' | 'onTouched'>
  readonly commands: Pick<Commands, 'openFields'>
  readonly channels: Pick<Channels, 'get'>
}

/** A Meta account with the secret of its app. */
interface TableAccount {
  readonly row: RowOf<'metaaccount'>
  readonly secret: string
}

/** Channels of one type, enabled and older ones first, and the accounts of Meta. */
interface Table {
  readonly channels: readonly ProviderChannel[]
  readonly accounts: readonly TableAccount[]
}

const byEnabled = (one: ProviderChannel, other: ProviderChannel) => Number(other.isEnabled) - Number(one.isEnabled)

/**
 * Finds the destination of an event by the address that it was written to. The door proves the call, the table
 * routes: a signature of an app leads to any number of that app, a token only to the door's own channel.
 */
export class NumberTable {
  readonly #parts: TableParts
  readonly #tables = new Map<string, Promise<Table>>()
  readonly #stop: () => void

  constructor(parts: TableParts) {
    this.#parts = parts
    this.#stop = parts.read.onTouched(['channel', 'metaaccount', 'metaapp'], () => this.#tables.clear())
  }

  close(): void {
    this.#stop()
  }

  /** Undefined: no channel and no account has the number. */
  async route(door: WebhookEndpoint, event: ProviderEvent): Promise<EventRoute | undefined> {
    const { family, channel } = door
    if (channelType(family)?.isSignedByApp)
      return family === WHATSAPP ? this.#number(door, event) : this.#page(door, event)
    // News of a business account name no number.
    const to = event.to === event.waba ? '' : event.to
    if (channel === undefined || isForeign(channel, { ...event, to })) return undefined
    return withLevel({ family, to: to === '' ? '' : channelAddress(channel, to), channel })
  }

  /** Accounts that news of a business account are about, of the app whose secret signed them. */
  async accountsOf(door: WebhookEndpoint, waba: string): Promise<readonly RowOf<'metaaccount'>[]> {
    const { accounts } = await this.#table(WHATSAPP)
    return accounts.filter(account => account.row.waba_id === waba && isOfDoor(door, account)).map(({ row }) => row)
  }

  async #number(door: WebhookEndpoint, event: ProviderEvent): Promise<EventRoute | undefined> {
    const { channels, accounts } = await this.#table(WHATSAPP)
    const { waba } = event
    // News of a business account name no number.
    const to = event.to === waba ? '' : event.to
    const own = accounts.filter(account => isOfDoor(door, account))
    const isOwnNumber = door.channel !== undefined && (to === '' || field(door.channel.fields, 'account_id') === to)
    const account =
      own.find(({ row }) => to !== '' && row.phone_number_id === to) ??
      // An account whose number nobody entered yet.
      own.find(({ row }) => row.waba_id === waba && (to === '' || !row.phone_number_id)) ??
      (isOwnNumber && to !== '' ? accounts.find(({ row }) => row.phone_number_id === to) : undefined)
    const channel =
      isOwnNumber && (to === '' || door.channel?.isEnabled === true)
        ? door.channel
        : channels.find(
            ({ fields }) =>
              to !== '' && field(fields, 'account_id') === to && isSameSecret(field(fields, 'app_secret'), door.secret),
          )
    if (channel === undefined && account === undefined) return undefined
    const route = { family: WHATSAPP, to, channel, account: account?.row.id }
    return withLevel(route, account?.row.hierarchylevel)
  }

  /** A page or an Instagram account: its id is what Meta answers to the channel's token. */
  async #page(door: WebhookEndpoint, { to }: ProviderEvent): Promise<EventRoute | undefined> {
    const { family, channel, secret } = door
    if (channel === undefined) return undefined
    const own = to === '' ? undefined : await addressesOf(channel)
    if (own === undefined || own.includes(to)) return withLevel({ family, to, channel })
    const { channels } = await this.#table(family)
    for (const other of channels) {
      const isOfApp = other.id !== channel.id && isSameSecret(field(other.fields, 'app_secret'), secret)
      if (isOfApp && (await addressesOf(other))?.includes(to) === true) return withLevel({ family, to, channel: other })
    }
    return undefined
  }

  #table(family: string): Promise<Table> {
    const known = this.#tables.get(family)
    if (known !== undefined) return known
    const made = this.#read(family)
    this.#tables.set(family, made)
    made.catch(() => this.#tables.delete(family))
    return made
  }

  async #read(family: string): Promise<Table> {
    const { read, channels, commands } = this.#parts
    // Simulated numbers use the webhook of their app too.
    const types = family === WHATSAPP ? [family, SIMULATED_TYPE] : [family]
    const rows = (await Promise.all(types.map(type => allRows(read, SYSTEM_SCOPE, 'channel', { type })))).flat()
    const sorted = [...rows].sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
    const found = await Promise.all(sorted.map(({ id }) => channels.get(id)))
    const accounts = family === WHATSAPP ? await allRows(read, SYSTEM_SCOPE, 'metaaccount', {}) : []
    const secrets = new Map<string, string>()
    for (const app of new Set(accounts.map(({ metaapp }) => metaapp))) {
      const fields: JsonObject = (await commands.openFields('metaapp', app)) ?? {}
      secrets.set(app, field(fields, 'app_client_secret'))
    }
    return {
      channels: found.filter(channel => channel !== undefined).sort(byEnabled),
      accounts: accounts.map(row => ({ row, secret: secrets.get(row.metaapp) ?? '' })),
    }
  }
}

const withLevel = (route: EventRoute, otherwise: string | null = null): EventRoute => ({
  ...route,
  level: route.channel?.level ?? otherwise,
})

const isOfDoor = ({ app, secret }: WebhookEndpoint, account: TableAccount): boolean =>
  app === undefined ? secret !== '' && isSameSecret(account.secret, secret) : account.row.metaapp === app

/**
 * Whether an event that a channel's own credentials prove was written to another number than the channel's. False when
 * the provider or the channel does not name one.
 */
const isForeign = ({ adapter, fields }: ProviderChannel, event: ProviderEvent): boolean =>
  event.to !== '' && (adapter?.isForeign ?? isForeignPhone)(event, fields)

/** One address has one spelling, so that the same event is stored once. */
const channelAddress = ({ type }: ProviderChannel, to: string): string =>
  isWhatsapp(type) ? to.replace(/^\+/u, '') : to

/** Ids of a page or account; undefined when they cannot be read now, so that the door decides. */
const addressesOf = async ({ adapter, fields, values }: ProviderChannel): Promise<readonly string[] | undefined> => {
  const late = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), ADDRESSES_MS).unref())
  const found = await Promise.race([adapter?.addresses?.(fields, values), late])
  return found?.ok === true ? [...found.value, field(fields, 'account_id')] : undefined
}

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
  /** Called with the first events of messages that arrive for an account. */
  readonly seen: (account: string) => Promise<void>
  readonly senders: SenderLimit
  readonly tracer?: Tracer | undefined
}

/**
 * Takes the events of all doors: finds the destination of each, and stores it. Followers interpret events
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
      else retryAfter = Math.max(retryAfter, await this.#traced(route, event, followed))
    }
    for (const waba of wabas)
      for (const { id, webhook_received: isKnown } of await this.#parts.numbers.accountsOf(door, waba))
        if (!isKnown) await this.#parts.seen(id)
    if (receipts.length > 0) await (await this.#parts.exchange()).receipts(receipts)
    const late = new Promise(resolve => setTimeout(resolve, FOLLOWED_MS).unref())
    if (followed.length > 0) await Promise.race([Promise.allSettled(followed), late])
    return retryAfter
  }

  /** Returns the seconds after which a person's message is taken; 0: it was. */
  #traced(route: EventRoute, event: ProviderEvent, followed: Promise<unknown>[]): Promise<number> {
    if (event.kind !== 'message') return this.#one(route, event, followed)
    const { id, type = route.family } = route.channel ?? {}
    const attributes = { 'parley.channel.type': type, 'parley.provider': route.family }
    return traced(this.#parts.tracer, 'parley.receive', { trace: 'joins', attributes }, async span => {
      span.keep(`${id} ${messageId(event.id)}`)
      const wait = await this.#one(route, event, followed)
      span.set({ 'parley.outcome': wait === 0 ? 'stored' : 'request.toomany' })
      return wait
    })
  }

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
    const data = { ...of, message: 'channel.unrouted', kind: 'warn', params: { number, family } } as const
    await appendAtEnd(this.#parts.store, noticeStream(of.entity, of.id), noticeDrafts(data))
  }
}
