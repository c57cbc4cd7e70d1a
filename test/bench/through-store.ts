import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { NewEvent } from '#schemas/event.ts'
import { costOf } from './processor-time.ts'

export const WRITERS = 64
const HASH = 'a'.repeat(64)

export const eventOf = (n: number): NewEvent => ({
  id: randomUUID(),
  type: 'CodeSampleChanged',
  version: 1,
  data: { fields: { description: `what is written ${n} times`.repeat(6) } },
  time: '2026-01-01T12:00:00.000Z',
  actor: 'user',
  correlation: 'correlation',
  causation: null,
  level: 'level',
  hash: HASH,
})

export interface Throughput {
  readonly perSecond: number
  /** Processor time of this process for 1,000 appends, ms. */
  readonly cpu: number
}

/** Parts that work on the log beside the writers. Read models follow it as `follows` does; a sealer is opened by its caller. */
interface Company {
  readonly follows?: true
  readonly openSealer?: (store: EventStore) => { close(): Promise<void> }
}

/** Durable appends through the store, each writer waiting for its own before the next; sealing included. */
export const throughStore = async (each: number, { follows, openSealer }: Company = {}): Promise<Throughput> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const store = await openEmbeddedStore({ folder })
  const follower = follows && store.subscribe(START, { event: () => undefined })
  const sealer = openSealer?.(store)
  let seconds = Number.NaN
  const { cpu } = await costOf(async () => {
    const writing = await costOf(() =>
      Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let n = 0; n < each; n++) await store.append(`bench-${writer}`, n, [eventOf(n)])
        }),
      ),
    )
    seconds = writing.seconds
    await sealer?.close()
  })
  await follower?.stop()
  await store.close()
  rmSync(folder, { recursive: true })
  const appends = WRITERS * each
  return { perSecond: appends / seconds, cpu: (cpu / appends) * 1000 }
}
