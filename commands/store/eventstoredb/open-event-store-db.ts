import { randomUUID } from 'node:crypto'
import {
  BACKWARDS,
  END,
  jsonEvent,
  KurrentDBClient,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client'
import type { EventStore } from '../port.ts'
import { EventStoreDb, type Timing } from './event-store-db.ts'
import { isNotFound, known } from './failure.ts'
import { Patience } from './patience.ts'
import { patiently } from './patiently.ts'

export interface EventStoreDbOptions extends Partial<Timing> {
  /** `esdb://…` or `kurrentdb://…`. */
  readonly url: string
}

/** Somebody whose rights were taken must be out within a second, also when the server no longer says so by itself. */
const SILENCE = 250

/** The store's id is the first event of a stream of its own. */
const ID_STREAM = 'parley-store'

/**
 * Connects, and gives the store its id at the first time.
 * @throws StoreUnavailable when it does not answer in time, StoreReadOnly when it denies access
 */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const { url, deadline = 5000, silence = SILENCE } = options
  const client = KurrentDBClient.connectionString(url.replace(/^esdb/, 'kurrentdb'))
  try {
    const id = await storeId(client, new Patience(deadline))
    return new EventStoreDb(id, client, { deadline, silence })
  } catch (error) {
    await client.dispose().catch(() => undefined)
    throw error
  }
}

async function storeId(client: KurrentDBClient, patience: Patience): Promise<string> {
  for (;;) {
    try {
      const id = await readId(client, patience)
      if (id !== undefined) return id
      const event = jsonEvent({ type: 'StoreOpened', data: { id: randomUUID() } })
      await patience.within(client.appendToStream(ID_STREAM, event, { streamState: NO_STREAM, requiresLeader: true }))
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
    for await (const { event } of patiently(client.readStream(ID_STREAM, options), patience)) {
      return String(Object(event?.data).id)
    }
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return undefined
}
