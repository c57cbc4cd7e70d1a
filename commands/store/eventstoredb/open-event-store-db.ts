import { KurrentDBClient } from '@kurrent/kurrentdb-client'
import type { EventStore } from '../port.ts'
import { EventStoreDb, type Timing } from './event-store-db.ts'
import { Patience } from './patience.ts'
import { ReplaceableClient } from './replaceable-client.ts'
import { storeId } from './store-id.ts'

export interface EventStoreDbOptions extends Partial<Timing> {
  /** `esdb://…` or `kurrentdb://…`. */
  readonly url: string
}

/** Somebody whose rights were taken must be out within a second, also when the server no longer says so by itself. */
const SILENCE = 250

/**
 * Connects, and gives the store its id at the first time.
 * @throws StoreUnavailable when it does not answer in time, StoreReadOnly when it denies access
 */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const { url, deadline = 5000, silence = SILENCE } = options
  const connect = () => KurrentDBClient.connectionString(url.replace(/^esdb/, 'kurrentdb'))
  const connection = new ReplaceableClient(connect)
  try {
    const id = await storeId(connection.client, new Patience(deadline))
    return new EventStoreDb(id, connection, { deadline, silence })
  } catch (error) {
    await connection.dispose().catch(() => undefined)
    throw error
  }
}
