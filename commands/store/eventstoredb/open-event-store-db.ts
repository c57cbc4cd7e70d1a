import { KurrentDBClient } from '@kurrent/kurrentdb-client'
import type { EventStore } from '../port.ts'
import { ReplaceableClient, storeId } from './connection.ts'
import { EventStoreDb, type Timing } from './event-store-db.ts'
import type { CutReason } from './live-feed.ts'
import { Patience } from './retry-deadline.ts'

interface EventStoreDbOptions extends Partial<Timing> {
  /** `esdb://…` or `kurrentdb://…`. */
  readonly url: string
  readonly on?: ConnectionEvents
}

/** Faults of the connection that heal without a call. */
export interface ConnectionEvents {
  /** A client without answers was replaced by a new one. */
  replaced(): void
  /** A subscription of the server ended although it has subscribers. */
  cut(reason: CutReason): void
}

const UNOBSERVED: ConnectionEvents = { replaced: () => undefined, cut: () => undefined }

/** A user with revoked rights must be disconnected within a second, even when the server stops sending. */
const SILENCE = 250

/** ms between the pings of a connection, as the library has it. */
const KEEP_ALIVE_MS = 10_000
const KEEP_ALIVE = /([?&]keepAliveInterval=)(-?\d+)/i

let connections = 0

/**
 * The address for one more client. The library shares the connection of clients with equal settings, a dead one included,
 * so each client has its own interval between pings.
 */
export const addressOfClient = (url: string, place: number): string => {
  const own = url.replace(/^esdb/, 'kurrentdb')
  const [, , interval] = KEEP_ALIVE.exec(own) ?? []
  if (interval === undefined) return `${own}${own.includes('?') ? '&' : '?'}keepAliveInterval=${KEEP_ALIVE_MS + place}`
  // Negative: no pings.
  return Number(interval) < 0 ? own : own.replace(KEEP_ALIVE, `$1${Number(interval) + place}`)
}

/**
 * Connects, and gives the store its id at the first time.
 * @throws StoreUnavailable when it does not answer in time, StoreReadOnly when it denies access
 */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const { url, deadline = 5000, silence = SILENCE, on = UNOBSERVED } = options
  const connect = () => {
    connections += 1
    return KurrentDBClient.connectionString(addressOfClient(url, connections))
  }
  const connection = new ReplaceableClient(connect, undefined, on.replaced)
  try {
    const id = await storeId(connection.client, new Patience(deadline))
    return new EventStoreDb(id, connection, { deadline, silence }, on.cut)
  } catch (error) {
    await connection.dispose().catch(() => undefined)
    throw error
  }
}
