import type { Commands } from '#commands/command-handler.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isSameSecret } from '../../same-secret.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { field } from '../shared/json-reader.ts'
import { isForeignPhone } from '../shared/own-address.ts'
import type { EventRoute } from './inbox.ts'

const WHATSAPP = 'whatsapp_meta'
/** Longest wait for the provider's answer; providers repeat a call that is not answered soon. */
const ADDRESSES_MS = 3_000
/** Changes after which an address may lead elsewhere. */
const ROUTED: ReadonlySet<string> = new Set(['channel', 'metaaccount', 'metaapp', 'bot'])

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
  family: channel.type,
  secret: channelType(channel.type)?.isSignedByApp ? field(channel.fields, 'app_secret') : '',
  channel,
})

export const appEndpoint = (app: string, secret: string): WebhookEndpoint => ({ family: WHATSAPP, secret, app })

interface TableParts {
  readonly read: Pick<ReadModels, 'list' | 'detail' | 'onApplied'>
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
 * Finds the destination of an event by the address that it was written to (R3). The door proves the call, the table
 * routes: a signature of an app leads to any number of that app, a token only to the door's own channel (R4).
 */
export class NumberTable {
  readonly #parts: TableParts
  readonly #tables = new Map<string, Promise<Table>>()
  readonly #stop: () => void

  constructor(parts: TableParts) {
    this.#parts = parts
    this.#stop = parts.read.onApplied(({ touched }) => {
      if (touched.some(({ entity }) => ROUTED.has(entity))) this.#tables.clear()
    })
  }

  close(): void {
    this.#stop()
  }

  /** Undefined: no channel and no account has the number. */
  async route(door: WebhookEndpoint, event: ProviderEvent): Promise<EventRoute | undefined> {
    const { family, channel } = door
    const { to } = event
    if (channelType(family)?.isSignedByApp)
      return family === WHATSAPP ? this.#number(door, event) : this.#page(door, event)
    if (channel === undefined || isForeign(channel, event)) return undefined
    return this.#withLevel({ family, to: to === '' ? '' : channelAddress(channel, to), channel })
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
    return this.#withLevel(route, account?.row.hierarchylevel)
  }

  /** A page or an Instagram account: its id is what Meta answers to the channel's token. */
  async #page(door: WebhookEndpoint, { to }: ProviderEvent): Promise<EventRoute | undefined> {
    const { family, channel, secret } = door
    if (channel === undefined) return undefined
    const own = to === '' ? undefined : await addressesOf(channel)
    if (own === undefined || own.includes(to)) return this.#withLevel({ family, to, channel })
    const { channels } = await this.#table(family)
    for (const other of channels) {
      const isOfApp = other.id !== channel.id && isSameSecret(field(other.fields, 'app_secret'), secret)
      if (isOfApp && (await addressesOf(other))?.includes(to) === true)
        return this.#withLevel({ family, to, channel: other })
    }
    return undefined
  }

  async #withLevel(route: EventRoute, otherwise: string | null = null): Promise<EventRoute> {
    const bot =
      route.channel === undefined ? undefined : await this.#parts.read.detail(SYSTEM_SCOPE, 'bot', route.channel.bot)
    return { ...route, level: bot?.hierarchylevel ?? otherwise }
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
    const rows = await allRows(read, SYSTEM_SCOPE, 'channel', { type: family })
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

const isOfDoor = ({ app, secret }: WebhookEndpoint, account: TableAccount): boolean =>
  app === undefined ? secret !== '' && isSameSecret(account.secret, secret) : account.row.metaapp === app

/**
 * Whether an event that a channel's own credentials prove was written to another number than the channel's. False when
 * the provider or the channel does not name one (R3).
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
