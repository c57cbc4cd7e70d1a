import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { Settings } from '#schemas/settings.ts'

const TOPIC = 'counts'
const MINUTE_MS = 60_000
/** Keys of one limit that are kept, of this node and of the others. */
const MAX_KEYS = 100_000
/** Calls within this time are sent to the other nodes in one message. */
const BATCH_MS = 150
/** Keys of one message. */
const MAX_BATCH = 1_000
const KEY_LENGTH = 22

/** Parts of a window. Calls of one part count until one window after the first of them. */
const STEPS = 12

interface LimitOptions {
  readonly most: number
  readonly windowMs: number
  readonly now: () => number
  readonly counted: (key: string, amount: number) => void
}

interface Step {
  /** Time of its first call. */
  readonly start: number
  amount: number
}

/** Amounts of a window by key. The keys that were not used for the longest time are evicted. */
class WindowCounts {
  readonly #steps = new Map<string, readonly Step[]>()
  readonly #windowMs: number

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  get size(): number {
    return this.#steps.size
  }

  /** Steps within the window, oldest first. */
  recent(key: string, now: number): readonly Step[] {
    const steps = this.#steps.get(key)
    if (steps === undefined) return []
    const recent = steps.filter(({ start }) => start > now - this.#windowMs)
    if (recent.length === 0) this.#steps.delete(key)
    else if (recent.length < steps.length) this.#steps.set(key, recent)
    return recent
  }

  add(key: string, amount: number, now: number): void {
    const recent = this.recent(key, now)
    const last = recent.at(-1)
    const isNew = last === undefined || now - last.start >= this.#windowMs / STEPS
    if (!isNew) last.amount += amount
    // The newest keys come last.
    this.#steps.delete(key)
    this.#steps.set(key, isNew ? [...recent, { start: now, amount }] : recent)
    const [first] = this.#steps.keys()
    if (this.#steps.size > MAX_KEYS && first !== undefined) this.#steps.delete(first)
  }
}

/** Bounds the calls, failures or other amounts of each key within a window, those on other nodes included. */
export class RateLimit {
  readonly #options: LimitOptions
  readonly #own: WindowCounts
  /** Apart from those of this node, so that messages of other nodes evict none of them. */
  readonly #others: WindowCounts

  constructor(options: LimitOptions) {
    this.#options = options
    this.#own = new WindowCounts(options.windowMs)
    this.#others = new WindowCounts(options.windowMs)
  }

  /** Seconds until this key may use the amount; undefined when it may now. */
  wait(key: string, amount = 1): number | undefined {
    return this.#wait(hashOf(key), amount)
  }

  count(key: string, amount = 1): void {
    this.#count(hashOf(key), amount)
  }

  /** Counts an amount, or returns the seconds to wait. Refused amounts do not count. */
  take(key: string, amount = 1): number | undefined {
    const hashed = hashOf(key)
    const wait = this.#wait(hashed, amount)
    if (wait === undefined) this.#count(hashed, amount)
    return wait
  }

  /** Adds an amount of another node. */
  hear(hashed: string, amount: number): void {
    this.#others.add(hashed, Math.min(amount, this.#options.most), this.#options.now())
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#own.size + this.#others.size
  }

  #wait(hashed: string, amount: number): number | undefined {
    const { most, windowMs, now } = this.#options
    const time = now()
    const steps = [...this.#own.recent(hashed, time), ...this.#others.recent(hashed, time)]
    let above = steps.reduce((sum, step) => sum + step.amount, amount) - most
    if (above <= 0) return undefined
    for (const step of steps.sort((one, other) => one.start - other.start)) {
      above -= step.amount
      if (above <= 0) return Math.max(1, Math.ceil((step.start + windowMs - time) / 1000))
    }
    return Math.ceil(windowMs / 1000)
  }

  #count(hashed: string, amount: number): void {
    this.#own.add(hashed, amount, this.#options.now())
    this.#options.counted(hashed, amount)
  }
}

const hashOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, KEY_LENGTH)

interface RateLimitsOptions {
  /** Undefined: no other node is heard. */
  readonly hints?: Pick<Hints, 'connected' | 'listen' | 'send'>
  readonly now?: () => number
}

/**
 * The limits of a node by name. Each node sends what it counts to the others over the bus, which add it to the limit of
 * the same name. A message that is lost is not sent again: without the bus each node counts alone.
 */
export class RateLimits {
  readonly #hints: RateLimitsOptions['hints']
  readonly #now: () => number
  readonly #limits = new Map<string, RateLimit>()
  readonly #stop: (() => void) | undefined
  #waiting = new Map<string, { readonly limit: string; readonly key: string; calls: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor({ hints, now = () => performance.now() }: RateLimitsOptions = {}) {
    this.#hints = hints
    this.#now = now
    this.#stop = hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind !== 'counts') return
      for (const { limit, key, calls } of hint.counts) this.#limits.get(limit)?.hear(key, calls)
    })
  }

  /** @param name unique within a node, and equal on all nodes */
  add(name: string, most: number, windowMs = MINUTE_MS): RateLimit {
    if (this.#limits.has(name)) throw new Error(`there is a limit ${name} already`)
    const counted = (key: string, amount: number) => this.#counted(name, key, amount)
    const limit = new RateLimit({ most, windowMs, now: this.#now, counted })
    this.#limits.set(name, limit)
    return limit
  }

  /** A limit of this node alone. */
  addOwn(most: number, windowMs = MINUTE_MS): RateLimit {
    return new RateLimit({ most, windowMs, now: this.#now, counted: () => undefined })
  }

  close(): void {
    this.#send()
    this.#stop?.()
  }

  #counted(limit: string, key: string, amount: number): void {
    if (this.#hints?.connected !== true) return
    const id = `${limit} ${key}`
    const known = this.#waiting.get(id)
    if (known === undefined) this.#waiting.set(id, { limit, key, calls: amount })
    else known.calls += amount
    if (this.#waiting.size >= MAX_BATCH) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), BATCH_MS).unref()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#hints?.send(TOPIC, { kind: 'counts', counts: [...this.#waiting.values()] })
    this.#waiting = new Map()
  }
}

const DAY_MS = 86_400_000
const MEGABYTE = 1_000_000

/** Origin and target of a call without a session: each has its own limits. */
export interface Place {
  /** The address; an IPv6 network of 64 bits is one. */
  readonly address?: string | undefined
  readonly channel?: string | undefined
  readonly bot?: string | undefined
}

const SCOPES = ['address', 'channel', 'bot', 'node'] as const
export type Scope = (typeof SCOPES)[number]

/** Undefined: no limit in this scope. */
type Most = Readonly<Partial<Record<Scope, number>>>

/** Counted within a window, and held until it is released. */
export type Counted = 'message' | 'conversation' | 'file' | 'filebytes' | 'read'
type HeldKind = 'request' | 'bodybytes'

type LimitSettings = Pick<Settings, Extract<keyof Settings, `LIMIT_${string}`>>

const countedOf = (
  settings: LimitSettings,
): Readonly<Record<Counted, { readonly most: Most; readonly ms?: number }>> => ({
  message: {
    most: {
      address: settings.LIMIT_MESSAGES,
      channel: settings.LIMIT_MESSAGES_BOT,
      bot: settings.LIMIT_MESSAGES_BOT,
      node: settings.LIMIT_MESSAGES_NODE,
    },
  },
  conversation: {
    most: {
      address: settings.LIMIT_CONVERSATIONS,
      channel: settings.LIMIT_CONVERSATIONS_BOT,
      bot: settings.LIMIT_CONVERSATIONS_BOT,
      node: settings.LIMIT_CONVERSATIONS_NODE,
    },
  },
  read: {
    most: {
      address: settings.LIMIT_READS,
      channel: settings.LIMIT_READS_BOT,
      bot: settings.LIMIT_READS_BOT,
      node: settings.LIMIT_READS_NODE,
    },
  },
  file: {
    most: { address: settings.LIMIT_FILES, channel: settings.LIMIT_FILES_BOT, bot: settings.LIMIT_FILES_BOT },
    ms: DAY_MS,
  },
  filebytes: {
    most: {
      address: settings.LIMIT_FILE_MB * MEGABYTE,
      channel: settings.LIMIT_FILE_MB_BOT * MEGABYTE,
      bot: settings.LIMIT_FILE_MB_BOT * MEGABYTE,
      node: settings.LIMIT_FILE_MB_NODE * MEGABYTE,
    },
    ms: DAY_MS,
  },
})

const heldOf = (settings: LimitSettings): Readonly<Record<HeldKind, Most>> => ({
  request: {
    address: settings.LIMIT_REQUESTS,
    channel: settings.LIMIT_REQUESTS_BOT,
    bot: settings.LIMIT_REQUESTS_BOT,
    node: settings.LIMIT_REQUESTS_NODE,
  },
  bodybytes: {
    address: settings.LIMIT_BODY_MB * MEGABYTE,
    channel: settings.LIMIT_BODY_MB_BOT * MEGABYTE,
    bot: settings.LIMIT_BODY_MB_BOT * MEGABYTE,
    node: settings.LIMIT_BODY_MB_NODE * MEGABYTE,
  },
})

const keyOf = (scope: Scope, place: Place): string | undefined => (scope === 'node' ? 'node' : place[scope])

interface Bound {
  readonly scope: Scope
  readonly most: number
  readonly id: string
}

/** An amount that one caller holds in several scopes. */
export class Hold {
  readonly #held: Map<string, number>
  readonly #bounds: readonly Bound[]
  readonly #refused: (scope: Scope) => void
  #amount = 0
  #isReleased = false

  constructor(held: Map<string, number>, bounds: readonly Bound[], refused: (scope: Scope) => void) {
    this.#held = held
    this.#bounds = bounds
    this.#refused = refused
  }

  /** Adds an amount in all scopes; false, adding nothing, when one of them is full, or after its release. */
  take(amount: number): boolean {
    if (this.#isReleased) return false
    const full = this.#bounds.find(({ id, most }) => (this.#held.get(id) ?? 0) + amount > most)
    if (full !== undefined) {
      this.#refused(full.scope)
      return false
    }
    for (const { id } of this.#bounds) this.#held.set(id, (this.#held.get(id) ?? 0) + amount)
    this.#amount += amount
    return true
  }

  release(): void {
    this.#isReleased = true
    for (const { id } of this.#bounds) {
      const left = (this.#held.get(id) ?? 0) - this.#amount
      if (left > 0) this.#held.set(id, left)
      else this.#held.delete(id)
    }
    this.#amount = 0
  }
}

interface OpenLimitsOptions {
  readonly rates: RateLimits
  /** A call was refused. */
  readonly refused?: (kind: Counted | HeldKind, scope: Scope | 'sender') => void
}

/** Limits the messages of one person on a channel, from any address. */
export interface SenderLimit {
  /** Seconds to wait; undefined for a message that may be stored. */
  wait(channel: string, person: string): number | undefined
  count(channel: string, person: string): void
  /** Counts a message, or returns the seconds to wait. */
  take(channel: string, person: string): number | undefined
}

/** Limits of calls without a session per address, channel, bot and node. */
export class PublicRouteLimits {
  readonly #rates: RateLimits
  readonly #refused: NonNullable<OpenLimitsOptions['refused']>
  readonly #counted = new Map<string, RateLimit>()
  readonly #most: ReturnType<typeof heldOf>
  readonly #held = new Map<string, number>()
  readonly sender: SenderLimit

  constructor(settings: LimitSettings, { rates, refused = () => undefined }: OpenLimitsOptions) {
    this.#rates = rates
    this.#refused = refused
    this.#most = heldOf(settings)
    this.sender = this.#senderLimit(settings.LIMIT_MESSAGES_SENDER)
    for (const [kind, { most, ms }] of Object.entries(countedOf(settings)))
      for (const [scope, bound] of Object.entries(most))
        this.#counted.set(
          `${kind} ${scope}`,
          scope === 'node' ? rates.addOwn(bound, ms) : rates.add(`open ${kind} ${scope}`, bound, ms),
        )
  }

  /** Counts an amount in all scopes, or returns the seconds to wait and counts it in none. */
  take(kind: Counted, place: Place, amount = 1): number | undefined {
    const taken: { readonly limit: RateLimit; readonly key: string }[] = []
    for (const scope of SCOPES) {
      const [limit, key] = [this.#counted.get(`${kind} ${scope}`), keyOf(scope, place)]
      if (limit === undefined || key === undefined) continue
      const wait = limit.wait(key, amount)
      if (wait !== undefined) {
        this.#refused(kind, scope)
        return wait
      }
      taken.push({ limit, key })
    }
    for (const { limit, key } of taken) limit.count(key, amount)
    return undefined
  }

  /** Holds nothing until `take`. `scopes`: an amount of one request counts once in each of them. */
  hold(kind: HeldKind, place: Place, scopes: readonly Scope[] = SCOPES): Hold {
    const bounds = scopes.flatMap(scope => {
      const [most, key] = [this.#most[kind][scope], keyOf(scope, place)]
      return most === undefined || key === undefined ? [] : [{ scope, most, id: `${kind} ${scope} ${key}` }]
    })
    return new Hold(this.#held, bounds, scope => this.#refused(kind, scope))
  }

  /** Amount held in the whole node. */
  heldInNode(kind: HeldKind): number {
    return this.#held.get(`${kind} node node`) ?? 0
  }

  #senderLimit(most: number): SenderLimit {
    const limit = this.#rates.add('open message sender', most)
    const keyOf = (channel: string, person: string) => JSON.stringify([channel, person])
    const wait: SenderLimit['wait'] = (channel, person) => {
      const seconds = limit.wait(keyOf(channel, person))
      if (seconds !== undefined) this.#refused('message', 'sender')
      return seconds
    }
    const count: SenderLimit['count'] = (channel, person) => limit.count(keyOf(channel, person))
    return {
      wait,
      count,
      take(channel, person) {
        const seconds = wait(channel, person)
        if (seconds === undefined) count(channel, person)
        return seconds
      },
    }
  }

  /** A limit of calls of one key within a minute. */
  limit(name: string, most: number): RateLimit {
    return this.#rates.add(name, most)
  }
}

/** Whether an address is one of these, or in one of these networks. */
export const addressList = (listed: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const each of listed) {
    const [address = '', prefix] = each.split('/')
    const family = familyOf(address)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Address that an upgrade came from, as Fastify finds it for a request: behind trusted proxies, the nearest one that is not theirs. */
export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const isTrusted = addressList(proxies)
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    let address = unmapped(socket.remoteAddress ?? '')
    for (let next = forwarded.pop(); next !== undefined && isTrusted(address); next = forwarded.pop()) {
      if (next.trim() !== '') address = unmapped(next.trim())
    }
    return address
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** An IPv4 address that is written as IPv6 in its usual form. */
export const unmapped = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Key of an address for limits: an IPv6 network of 64 bits is one source, an IPv4 address written as IPv6 is itself. */
export const sourceOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const all =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
