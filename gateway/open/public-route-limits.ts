import type { Settings } from '#schemas/settings.ts'
import type { RateLimit, RateLimits } from '../http/rate-limit.ts'

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
