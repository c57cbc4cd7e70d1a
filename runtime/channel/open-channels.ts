import type { Commands } from '#commands/command-handler.ts'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { channelType, isBrought, isPushed, missingFields, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { optionalText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { callerOf, openEvaluator } from '../isolation/pooled-work.ts'
import type { WorkPool } from '../isolation/work.ts'
import type { Call } from '../outbound/call.ts'
import { ExpiringValues } from '../outbound/expiring-values.ts'
import { ADAPTERS } from './adapters.ts'
import type { ChannelAdapter, ProviderValues } from './channel-port.ts'
import { SIMULATED_GRAPH_URL } from './shared/graph.ts'
import { field, openValues } from './shared/provider-call.ts'

/** Maximum channels per node whose secrets are cached in clear, and cached adapter tokens. */
const MAX_CHANNELS = 1_000
const MAX_VALUES = 10_000

/** A channel of a provider, with decrypted secrets. */
export interface ProviderChannel {
  readonly id: string
  readonly bot: string
  /** Of its bot. */
  readonly level: string | null
  readonly type: string
  readonly isEnabled: boolean
  readonly fields: JsonObject
  /** Undefined when no adapter supports the type. */
  readonly adapter: ChannelAdapter | undefined
  readonly values: ProviderValues
}

/** Parts of a connection test: the settings, the webhook address, and the provider. */
export interface ChannelCheck {
  readonly part: 'settings' | 'address' | 'provider'
  readonly result: Result<string>
  /** Names of missing fields. */
  readonly missing?: readonly string[]
  /** Duration of the calls to the provider, ms. */
  readonly ms?: number
}

/** Answer of a provider about the credentials of a channel. */
interface TokenState {
  /** Undefined when nothing was proven: the provider did not answer, or cannot be asked. */
  readonly isAccepted: boolean | undefined
  /** Code of a refusal. */
  readonly code: string
  /** ms since 1970; null: the token does not end. Undefined when the provider does not say. */
  readonly ends: number | null | undefined
}

/** Channels whose messages are pushed to a provider or a callback. */
export interface Channels {
  /** Returns enabled and disabled channels; undefined for other ids. */
  get(id: string): Promise<ProviderChannel | undefined>
  /** Runs the connection test of a channel of any type; undefined when it does not exist. */
  check(id: string): Promise<readonly ChannelCheck[] | undefined>
  /** Registers the webhook of an enabled channel at its provider; undefined where there is nothing to register. */
  connect(id: string): Promise<Result<string> | undefined>
  /** Asks the provider whether it accepts the credentials, and when they end. */
  checkToken(id: string): Promise<TokenState | undefined>
}

interface ChannelsParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly work: WorkPool
  /** Meta's Graph API with its version, for channels without an address of their own. */
  readonly graphUrl: string
  /** Base of the bots' public addresses, as given to providers. */
  readonly baseUrl: () => string
}

/** Providers only call public addresses over TLS. */
const addressCheck = (base: string): Result<string> =>
  base.startsWith('https://') ? accepted(base) : refused('channel.address', { params: { address: base } })

const providerCheck = async ({ adapter, fields, values }: ProviderChannel): Promise<Result<string>> => {
  if (adapter === undefined) return refused('channel.unsupported')
  return adapter.check === undefined ? refused('channel.untestable') : adapter.check(fields, values)
}

const tokenState = async (channel: ProviderChannel): Promise<TokenState> => {
  const { adapter, fields, values } = channel
  const checked = await providerCheck(channel)
  const ends = await adapter?.tokenEnds?.(fields, values)
  const refusal = [checked, ends].find(result => result?.ok === false && result.refusal.code === 'channel.token')
  const params = refusal?.ok === false ? refusal.refusal.params : undefined
  return {
    isAccepted: refusal === undefined ? checked.ok || ends?.ok === true || undefined : false,
    code: params?.status === undefined ? String(params?.error ?? '') : `http.${String(params.status)}`,
    ends: ends?.ok === true ? (ends.value ?? null) : undefined,
  }
}

const accountIn = (fields: JsonObject): string | undefined => {
  const { account } = channelType(String(fields.type)) ?? {}
  return account === undefined ? undefined : optionalText(fields[account.field])
}

/** Revisions of everything that a channel's fields come from, and its level, which changes with its bot's. */
const revisionOf = async (read: ReadModels, row: RowOf<'channel'>): Promise<string> => {
  const account = accountIn(row)
  if (account === undefined) return `${row.revision} ${row.hierarchylevel}`
  const found = await read.detail(SYSTEM_SCOPE, 'metaaccount', account)
  const app = found && (await read.detail(SYSTEM_SCOPE, 'metaapp', found.metaapp))
  return [...[row, found, app].map(each => each?.revision ?? 0), row.hierarchylevel].join(' ')
}

/** The fields of a channel, with number, token and secret of its account if it names one. */
const withAccount = async (commands: Pick<Commands, 'openFields'>, fields: JsonObject): Promise<JsonObject> => {
  const id = accountIn(fields)
  if (id === undefined) return fields
  const account = (await commands.openFields('metaaccount', id)) ?? {}
  const app = (await commands.openFields('metaapp', field(account, 'metaapp'))) ?? {}
  return {
    ...fields,
    account_id: field(account, 'phone_number_id'),
    auth_token: field(account, 'access_token'),
    app_secret: field(app, 'app_client_secret'),
    // The token of a simulated account leaves the gateway under no type of channel.
    ...(isSimulated(account) ? { url: null, graph_version: null, isSimulated: true } : {}),
  }
}

/** The webhook address, ending with the verify token for types that are authenticated by it. */
const webhookAddress = (base: string, { webhook, channel_verify_token: token, type }: JsonObject): string => {
  const isTokened = typeof token === 'string' && token !== '' && channelType(String(type))?.isSignedByApp !== true
  return `${base}${typeof webhook === 'string' ? webhook : ''}${isTokened ? `/${encodeURIComponent(token)}` : ''}`
}

export const openChannels = ({ read, commands, call, work, graphUrl, baseUrl }: ChannelsParts): Channels => {
  const values = new ExpiringValues(MAX_VALUES)
  const kept = new Map<string, { readonly revision: string; readonly channel: ProviderChannel }>()
  /** Channels until a row that they come from changes. */
  const unchanged = new Map<string, Promise<ProviderChannel | undefined>>()
  read.onTouched(['channel', 'metaaccount', 'metaapp'], () => unchanged.clear())

  const readChannel = async (id: string): Promise<ProviderChannel | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'channel', id)
    if (row === undefined || !isBrought(row.type)) return undefined
    const known = kept.get(id)
    const revision = await revisionOf(read, row)
    if (known?.revision === revision) return known.channel
    const own = await commands.openFields('channel', id)
    if (own === undefined) return undefined
    const fields = await withAccount(commands, own)
    const type = String(fields.type)
    const evaluator = openEvaluator(work, callerOf(row, String(fields.bot)))
    const channel: ProviderChannel = {
      id,
      bot: String(fields.bot),
      level: row.hierarchylevel,
      type,
      isEnabled: fields.enable !== false,
      fields: {
        ...fields,
        webhook: webhookAddress(baseUrl(), fields),
        graph_url: type === SIMULATED_TYPE || fields.isSimulated === true ? SIMULATED_GRAPH_URL : graphUrl,
      },
      adapter: await ADAPTERS[type]?.(),
      values: openValues({ call, values, evaluator }, `${id} ${revision}`),
    }
    if (kept.size >= MAX_CHANNELS) kept.clear()
    kept.set(id, { revision, channel })
    return channel
  }
  const get = (id: string): Promise<ProviderChannel | undefined> => {
    const known = unchanged.get(id)
    if (known !== undefined) return known
    const found = readChannel(id)
    if (unchanged.size >= MAX_CHANNELS) unchanged.clear()
    unchanged.set(id, found)
    const evict = () => unchanged.get(id) === found && unchanged.delete(id)
    found.then(channel => channel === undefined && evict(), evict)
    return found
  }
  return {
    get,
    async connect(id) {
      const channel = await get(id)
      if (channel?.adapter?.connect === undefined || !channel.isEnabled) return undefined
      const [address, missing] = [addressCheck(baseUrl()), missingFields(channel.fields)]
      if (missing.length > 0) return refused('channel.incomplete')
      return address.ok ? channel.adapter.connect(channel.fields, channel.values) : address
    },
    async checkToken(id) {
      const channel = await get(id)
      const isTestable = channel !== undefined && isPushed(channel.type) && missingFields(channel.fields).length === 0
      return isTestable ? tokenState(channel) : undefined
    },
    async check(id) {
      const own = await commands.openFields('channel', id)
      if (own === undefined) return undefined
      const fields = await withAccount(commands, own)
      const replaced = channelType(String(fields.type))?.account?.replaces ?? []
      const missing = fields === own ? missingFields(own) : replaced.filter(name => field(fields, name) === '')
      const settings: ChannelCheck = {
        part: 'settings',
        result: missing.length === 0 ? accepted('') : refused('channel.incomplete'),
        missing,
      }
      if (channelType(String(fields.type))?.carrier === 'none')
        return [{ part: 'provider', result: refused('channel.unsupported') }]
      const channel = await get(id)
      // The client of a REST channel may be on a private network, and a test never calls its callback.
      if (channel === undefined || !isPushed(channel.type)) return [settings]
      const address: ChannelCheck = { part: 'address', result: addressCheck(baseUrl()) }
      // Not tested without a key: the provider's refusal would be less precise.
      if (missing.length > 0) return [settings, address]
      const started = performance.now()
      const result = await providerCheck(channel)
      return [settings, address, { part: 'provider', result, ms: Math.round(performance.now() - started) }]
    },
  }
}

/** Calls since the last proven one. */
interface Unproven {
  first: number
  last: number
  count: number
}

/** Result of the last test of a channel's credentials. */
interface TokenCheck {
  readonly proven: number | undefined
  /** The provider's refusal, since the first test that was refused. */
  readonly refused: { readonly code: string; readonly since: number } | undefined
}

/** Limit of channels that are watched. */
const MAX_WATCHED = 10_000

/** Signs of a channel's health that are in no log: unproven calls and files that were not taken. Of this node, in memory. */
export class ChannelWatch {
  readonly #unproven = new Map<string, Unproven>()
  readonly #files = new Map<string, number>()
  readonly #checks = new Map<string, TokenCheck>()
  readonly #unconnected = new Map<string, { readonly reason: string; readonly since: number }>()
  #touched = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  unprovenCall(channel: string): void {
    const now = this.#now()
    const known = this.#unproven.get(channel)
    if (known !== undefined) Object.assign(known, { last: now, count: known.count + 1 })
    else if (this.#unproven.size < MAX_WATCHED) this.#unproven.set(channel, { first: now, last: now, count: 1 })
  }

  provenCall(channel: string): void {
    this.#unproven.delete(channel)
  }

  fileRefused(channel: string): void {
    if (this.#files.size < MAX_WATCHED || this.#files.has(channel)) this.#files.set(channel, this.#now())
  }

  /** Keeps whether the provider accepted the stored credentials; `code`: its refusal. */
  tokenChecked(channel: string, code: string | undefined): void {
    if (this.#checks.size >= MAX_WATCHED && !this.#checks.has(channel)) return
    this.#touched.add(channel)
    const known = this.#checks.get(channel)
    const now = this.#now()
    const refused = code === undefined ? undefined : { code, since: known?.refused?.since ?? now }
    this.#checks.set(channel, { proven: refused === undefined ? now : known?.proven, refused })
  }

  /** Keeps whether the provider took the channel's address; `reason`: why it did not. */
  connectTried(channel: string, reason: string | undefined): void {
    this.#touched.add(channel)
    if (reason === undefined) this.#unconnected.delete(channel)
    else if (this.#unconnected.size < MAX_WATCHED || this.#unconnected.has(channel))
      this.#unconnected.set(channel, { reason, since: this.#unconnected.get(channel)?.since ?? this.#now() })
  }

  of(channel: string) {
    const { proven, refused: token } = this.#checks.get(channel) ?? {}
    const [unproven, unconnected] = [this.#unproven.get(channel), this.#unconnected.get(channel)]
    return { unproven, unconnected, fileRefused: this.#files.get(channel), proven, token }
  }

  /** Keeps that the token of a channel ends at another time than before. */
  tokenChanged(channel: string): void {
    this.#touched.add(channel)
  }

  /** Keeps that the provider announced a restriction of a channel, or its end. */
  restricted(channel: string): void {
    this.#touched.add(channel)
  }

  /** Channels whose token was tested, or whose provider announced something, since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched
    this.#touched = new Set()
    return touched
  }

  /** Channels with a sign of a fault. */
  ids(): readonly string[] {
    const refused = [...this.#checks].flatMap(([id, check]) => (check.refused === undefined ? [] : [id]))
    return [...this.#unproven.keys(), ...this.#files.keys(), ...this.#unconnected.keys(), ...refused]
  }
}
