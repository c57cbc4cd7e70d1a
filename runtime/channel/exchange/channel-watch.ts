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
const MAX_CHANNELS = 10_000

/** Signs of a channel's health that are in no log: unproven calls and files that were not taken. Of this node, in memory. */
export class ChannelWatch {
  readonly #unproven = new Map<string, Unproven>()
  readonly #files = new Map<string, number>()
  readonly #checks = new Map<string, TokenCheck>()
  #touched = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  unprovenCall(channel: string): void {
    const now = this.#now()
    const known = this.#unproven.get(channel)
    if (known !== undefined) Object.assign(known, { last: now, count: known.count + 1 })
    else if (this.#unproven.size < MAX_CHANNELS) this.#unproven.set(channel, { first: now, last: now, count: 1 })
  }

  provenCall(channel: string): void {
    this.#unproven.delete(channel)
  }

  fileRefused(channel: string): void {
    if (this.#files.size < MAX_CHANNELS || this.#files.has(channel)) this.#files.set(channel, this.#now())
  }

  /** Keeps whether the provider accepted the stored credentials; `code`: its refusal. */
  tokenChecked(channel: string, code: string | undefined): void {
    if (this.#checks.size >= MAX_CHANNELS && !this.#checks.has(channel)) return
    this.#touched.add(channel)
    const known = this.#checks.get(channel)
    const now = this.#now()
    const refused = code === undefined ? undefined : { code, since: known?.refused?.since ?? now }
    this.#checks.set(channel, { proven: refused === undefined ? now : known?.proven, refused })
  }

  of(channel: string) {
    const { proven, refused: token } = this.#checks.get(channel) ?? {}
    return { unproven: this.#unproven.get(channel), fileRefused: this.#files.get(channel), proven, token }
  }

  /** Keeps that the token of a channel ends at another time than before. */
  tokenChanged(channel: string): void {
    this.#touched.add(channel)
  }

  /** Channels whose token was tested since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched
    this.#touched = new Set()
    return touched
  }

  /** Channels with a sign of a fault. */
  ids(): readonly string[] {
    const refused = [...this.#checks].flatMap(([id, check]) => (check.refused === undefined ? [] : [id]))
    return [...this.#unproven.keys(), ...this.#files.keys(), ...refused]
  }
}
