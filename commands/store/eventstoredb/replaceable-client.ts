import type { KurrentDBClient } from '@kurrent/kurrentdb-client'

/** A client that got no answer for this long is replaced, ms. */
const SILENT_MS = 5000

/** The library reads over one connection; appends and subscriptions share another one. */
export type Connection = 'reads' | 'calls'

/**
 * A client that is replaced when one of its connections gets no answer any more. The library keeps what failed: a cluster
 * that had no leader when it was looked up, or a server that was frozen when its features were asked for, is never asked
 * again.
 */
export class ReplaceableClient {
  /** Calls go to the client of the moment. */
  readonly client: KurrentDBClient
  readonly #connect: () => KurrentDBClient
  readonly #replaced: () => void
  readonly #now: () => number
  #current: KurrentDBClient
  /** Time of the last answer on each connection, or of the connection itself. */
  readonly #since: Record<Connection, number>

  constructor(
    connect: () => KurrentDBClient,
    now: () => number = () => performance.now(),
    replaced: () => void = () => undefined,
  ) {
    this.#connect = connect
    this.#now = now
    this.#replaced = replaced
    this.#current = connect()
    this.#since = { reads: now(), calls: now() }
    this.client = new Proxy(this.#current, {
      get: (_, name) => {
        const value: unknown = Reflect.get(this.#current, name)
        return typeof value === 'function' ? value.bind(this.#current) : value
      },
    })
  }

  answered(connection: Connection): void {
    this.#since[connection] = this.#now()
  }

  /** A call on the connection was given up. */
  failed(connection: Connection): void {
    const now = this.#now()
    if (now - this.#since[connection] < SILENT_MS) return
    const old = this.#current
    this.#current = this.#connect()
    this.#since.reads = now
    this.#since.calls = now
    old.dispose().catch(() => undefined)
    this.#replaced()
  }

  dispose(): Promise<void> {
    return this.#current.dispose()
  }
}
