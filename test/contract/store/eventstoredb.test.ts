import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { storeContract } from './contract.ts'

const url = process.env.EVENTSTORE_URL

if (url === undefined) {
  storeContract('The EventStoreDB adapter, before a double of the server,', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-esdb-'))
    const double = await startEventStoreDouble({ folder })
    return {
      open: () => openEventStoreDb({ url: double.url }),
      dispose: async () => {
        await double.stop()
        await rm(folder, { recursive: true })
      },
    }
  })
} else {
  storeContract('The EventStoreDB adapter, before the server at EVENTSTORE_URL,', async () => ({
    open: () => openEventStoreDb({ url }),
    dispose: async () => undefined,
  }))
}
