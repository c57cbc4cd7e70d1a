import { afterAll, beforeAll, describe } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { appendContract } from './append-contract.ts'
import { readContract } from './read-contract.ts'
import { removeContract } from './remove-contract.ts'
import type { Contract, StoreUnderTest } from './store-under-test.ts'
import { subscribeContract } from './subscribe-contract.ts'

/**
 * Every store keeps this, unchanged. Where stores may differ:
 * - An append that is repeated with the same ids but another expected revision is `WrongRevision` in all of them.
 * - Whether the events of a soft-deleted, limited or tombstoned stream still come up in `readAll` and in catching up is
 *   the store's own affair (until scavenged, unless removed at once): nobody may rely on either.
 * - Whether event ids are unique over all streams is the store's own affair: they are derived so that they are.
 * - Repeating a tombstone with another revision is refused where the store remembers the first (embedded), and answered
 *   as done where only the tombstone is known (EventStoreDB).
 * - An append repeated after `StoreUnavailable` is written once in both. The embedded store knows the outcome at once; of
 *   EventStoreDB it may have to be asked for until the server is back.
 * - In EventStoreDB a deletion that comes between two appends hides what was there at its own revision; one that was
 *   appended meanwhile stays. The embedded store refuses the deletion then.
 * - A position of another log, at which no event of this one lies: the embedded store goes on with the next event after
 *   it; EventStoreDB fails the read and interrupts the subscription. Read models compare the event at their checkpoint
 *   before they follow the log from it.
 */
export function storeContract(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the event store's contract`, () => {
    let place: StoreUnderTest
    let store: EventStore
    let streams = 0
    beforeAll(async () => {
      place = await start()
      store = await place.open()
    })
    afterAll(async () => {
      await store.close()
      await place.dispose()
    })
    const contract: Contract = {
      store: () => store,
      reopen: async () => {
        await store.close()
        store = await place.open()
        return store
      },
      stream: (entity = 'bot') => `${entity}-${process.pid}x${++streams}`,
    }
    appendContract(contract)
    readContract(contract)
    removeContract(contract)
    subscribeContract(contract)
  })
}
