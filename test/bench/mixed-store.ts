import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { NewEvent } from '#schemas/event.ts'
import { MixedLog } from './mixed-log.ts'

/** Appended before the next are made: what the store writes as a few transactions. */
const AT_ONCE = 4000

/** Fills a new store with a given number of events, the same ones at every call. */
export const writeMixedStore = async (folder: string, count: number): Promise<void> => {
  const store = await openEmbeddedStore({ folder })
  const log = new MixedLog()
  for (let left = count; left > 0; left -= AT_ONCE) {
    await appendAll(store, log.take(Math.min(left, AT_ONCE)))
  }
  await store.close()
}

async function appendAll(
  store: EventStore,
  facts: readonly { readonly stream: string; readonly revision: number; readonly event: NewEvent }[],
): Promise<void> {
  await Promise.all(facts.map(({ stream, revision, event }) => store.append(stream, revision - 1, [event])))
}
