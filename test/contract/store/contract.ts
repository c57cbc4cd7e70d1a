import { afterAll, beforeAll, describe } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { appendContract } from './append-contract.ts'
import { readContract } from './read-contract.ts'
import { removeContract } from './remove-contract.ts'
import type { Contract, StoreUnderTest } from './store-under-test.ts'
import { subscribeContract } from './subscribe-contract.ts'

/**
 * Behaviour common to all stores. Differences: - An append repeated with the same ids but another expected revision is
 * `WrongRevision` in all of them. - Events of a soft-deleted, limited or tombstoned stream may or may not appear in
 * `readAll` and in catching up (until scavenged, unless removed at once): do not rely on either. - A store may or may
 * not require event ids unique over all streams: they are derived so that they are. - A tombstone repeated with another
 * revision is refused where the store remembers the first (embedded), and succeeds where only the tombstone is known
 * (EventStoreDB). - An append repeated after `StoreUnavailable` is written once in both. The embedded store knows the
 * outcome at once; EventStoreDB may have to be queried until the server is back. - In EventStoreDB a deletion between
 * two appends hides the events up to its own revision; an event appended meanwhile stays. The embedded store then
 * refuses the deletion. - At a position of another log, where this one has no event, the embedded store continues with
 * the next event; EventStoreDB fails the read and interrupts the subscription. Read models compare the event at their
 * checkpoint before they follow the log from it.
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
