import { setTimeout as pause } from 'node:timers/promises'
import { newestSeal, openSealer } from '#commands/integrity/sealer.ts'
import type { Signer } from '#commands/integrity/signing.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { NewEvent } from '#schemas/event.ts'
import { MixedLog } from './mixed-log.ts'

/** Appended before the next are made; written in a few transactions. */
const BATCH_SIZE = 4000
/** As a gateway does by default. */
const SEALED = { events: 5000, milliseconds: 600_000 }
const POLL_INTERVAL_MS = 5

/** Fills a new store with a given number of events, the same ones at every call; with a signer, sealed all along. */
export const writeMixedStore = async (folder: string, count: number, signer?: Signer): Promise<void> => {
  const store = await openEmbeddedStore({ folder })
  const sealer = signer && openSealer({ store, signer, every: SEALED })
  const sealedAll = async (written: number) => {
    while (sealer !== undefined && ((await newestSeal(store))?.seal.total ?? 0) + sealer.unsealed < written)
      await pause(POLL_INTERVAL_MS)
  }
  const log = new MixedLog()
  for (let written = 0; written < count; written += BATCH_SIZE) {
    await appendAll(store, log.take(Math.min(count - written, BATCH_SIZE)))
    await sealedAll(Math.min(count, written + BATCH_SIZE))
  }
  await sealer?.close()
  await store.close()
}

async function appendAll(
  store: EventStore,
  facts: readonly { readonly stream: string; readonly revision: number; readonly event: NewEvent }[],
): Promise<void> {
  await Promise.all(facts.map(({ stream, revision, event }) => store.append(stream, revision - 1, [event])))
}
