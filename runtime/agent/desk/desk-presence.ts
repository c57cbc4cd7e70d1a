import type { HeartbeatBus } from '../../conversation/index/node-heartbeat.ts'

const TOPIC = 'desk'
const BEAT_MS = 5_000
/** Without a pong within this time a user is not present. */
const PRESENT_MS = 30_000
/** A phone in the background is present for longer. */
const PHONE_MS = 600_000
/** Users of one hint. */
const MAX_USERS = 500
const MINUTE_MS = 60_000

interface Sign {
  readonly at: number
  readonly isOnPhone: boolean
}

/** When each user was last seen at a socket of the desk, on this and the other nodes. */
export class DeskPresence {
  readonly #hints: HeartbeatBus | undefined
  readonly #now: () => number
  readonly #began: number
  readonly #own = new Map<string, Sign>()
  readonly #others = new Map<string, Sign>()
  /** Runs while users are at sockets of this node and there may be other nodes. */
  #timer: NodeJS.Timeout | undefined
  readonly #stop: (() => void) | undefined
  readonly #came: (user: string) => void

  /** `came`: called when a user appears. */
  constructor(hints: HeartbeatBus | undefined, now: () => number, came: (user: string) => void) {
    this.#hints = hints
    this.#now = now
    this.#came = came
    this.#began = now()
    this.#stop = hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind !== 'deskusers') return
      for (const { user, phone, ago } of hint.users) this.#see(this.#others, user, phone, now() - ago)
    })
  }

  /** A socket of this node answered. */
  seen(user: string, isOnPhone: boolean): void {
    const isNew = this.#see(this.#own, user, isOnPhone, this.#now())
    if (this.#hints !== undefined) this.#timer ??= setInterval(() => this.#tell(), BEAT_MS).unref()
    if (isNew) this.#tell()
  }

  isPresent(user: string): boolean {
    const sign = this.#newest(user)
    return sign !== undefined && this.#now() - sign.at <= (sign.isOnPhone ? PHONE_MS : PRESENT_MS)
  }

  /** ms since a user was last present; a node that began a moment ago has seen nobody yet. */
  absence(user: string): number {
    if (this.isPresent(user)) return 0
    return this.#now() - Math.max(this.#newest(user)?.at ?? 0, this.#began)
  }

  /** Whether a user has been away for as long as a queue allows. */
  isAbsent(user: string, { absent_after }: { readonly absent_after: number }): boolean {
    return this.absence(user) >= absent_after * MINUTE_MS
  }

  close(): void {
    clearInterval(this.#timer)
    this.#stop?.()
  }

  #newest(user: string): Sign | undefined {
    const [own, other] = [this.#own.get(user), this.#others.get(user)]
    if (own === undefined || other === undefined) return own ?? other
    return own.at >= other.at ? own : other
  }

  /** Returns whether they were not present before. */
  #see(signs: Map<string, Sign>, user: string, isOnPhone: boolean, at: number): boolean {
    const wasPresent = this.isPresent(user)
    const known = signs.get(user)
    if (known === undefined || known.at <= at) signs.set(user, { at, isOnPhone })
    if (wasPresent || !this.isPresent(user)) return false
    this.#came(user)
    return true
  }

  #tell(): void {
    const now = this.#now()
    for (const [user, { at }] of this.#own) if (now - at > PHONE_MS) this.#own.delete(user)
    if (this.#own.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    if (this.#hints === undefined || this.#own.size === 0) return
    const users = [...this.#own].map(([user, { at, isOnPhone }]) => ({
      user,
      phone: isOnPhone,
      ago: Math.max(0, Math.round(now - at)),
    }))
    for (let from = 0; from < users.length; from += MAX_USERS)
      this.#hints.send(TOPIC, { kind: 'deskusers', users: users.slice(from, from + MAX_USERS) })
  }
}
