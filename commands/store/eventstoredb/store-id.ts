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
