/** Calls since the last proven one. */
interface Unproven {
  first: number
  last: number
  count: number
}

/** Limit of channels that are watched. */
const MAX_CHANNELS = 10_000

/** Signs of a channel's health that are in no log: unproven calls and files that were not taken. Of this node, in memory. */
export class ChannelWatch {
  readonly #unproven = new Map<string, Unproven>()
  readonly #files = new Map<string, number>()
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

  of(channel: string): { readonly unproven: Readonly<Unproven> | undefined; readonly fileRefused: number | undefined } {
    return { unproven: this.#unproven.get(channel), fileRefused: this.#files.get(channel) }
  }
}
