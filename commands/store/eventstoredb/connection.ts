import { randomUUID } from 'node:crypto'
import {
  BACKWARDS,
  END,
  jsonEvent,
  type KurrentDBClient,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client'
import { isNotFound, known, type Patience, readWithDeadline } from './retry-deadline.ts'

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

/** The store's id is the first event of a separate stream. */
const ID_STREAM = 'parley-store'

/** The id of the store, given to it at the first time. @throws StoreUnavailable, StoreReadOnly */
export async function storeId(client: KurrentDBClient, patience: Patience): Promise<string> {
  for (;;) {
    try {
      const id = await readId(client, patience)
      if (id !== undefined) return id
      await patience.within(begin(client, randomUUID()))
    } catch (error) {
      const sure = known(error, ID_STREAM)
      if (sure !== undefined) throw sure
      if (!(error instanceof WrongExpectedVersionError)) await patience.after(error)
    }
  }
}

async function readId(client: KurrentDBClient, patience: Patience): Promise<string | undefined> {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const
  try {
    for await (const { event } of readWithDeadline(client.readStream(ID_STREAM, options), patience)) {
      return String(Object(event?.data).id)
    }
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return undefined
}

/**
 * Resolves when the server takes appends: it is offered the id that it has, which it would write a second time for nobody.
 * @throws StoreUnavailable, StoreReadOnly
 */
export async function probe(client: KurrentDBClient, id: string, patience: Patience): Promise<void> {
  for (;;) {
    try {
      await patience.within(begin(client, id))
      return
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return
      const sure = known(error, ID_STREAM)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}

function begin(client: KurrentDBClient, id: string) {
  const event = jsonEvent({ type: 'StoreOpened', data: { id } })
  return client.appendToStream(ID_STREAM, event, { streamState: NO_STREAM, requiresLeader: true })
}
