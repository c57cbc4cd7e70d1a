import type { KurrentDBClient } from '@kurrent/kurrentdb-client'

/** A client that got no answer for this long is replaced, ms. */
const SILENT_MS = 5000

/**
 * A client that is replaced when nothing answers it any more. The library keeps what failed: a cluster that had no leader
 * when it was looked up, or a server that was frozen when its features were asked for, is never asked again.
 */
export class ReplaceableClient {
  /** Calls go to the client of the moment. */
  readonly client: KurrentDBClient
  readonly #connect: () => KurrentDBClient
  readonly #now: () => number
  #current: KurrentDBClient
  #since: number

  constructor(connect: () => KurrentDBClient, now: () => number = () => performance.now()) {
    this.#connect = connect
    this.#now = now
    this.#current = connect()
    this.#since = now()
    this.client = new Proxy(this.#current, {
      get: (_, name) => {
        const value: unknown = Reflect.get(this.#current, name)
        return typeof value === 'function' ? value.bind(this.#current) : value
      },
    })
  }

  answered(): void {
    this.#since = this.#now()
  }

  /** A call was given up. */
  failed(): void {
    if (this.#now() - this.#since < SILENT_MS) return
    const old = this.#current
    this.#current = this.#connect()
    this.#since = this.#now()
    old.dispose().catch(() => undefined)
  }

  dispose(): Promise<void> {
    return this.#current.dispose()
  }
}
