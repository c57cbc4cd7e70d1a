import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSealer } from '#commands/integrity/sealer.ts'
import { signerOf } from '#commands/integrity/signing.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { START } from '#commands/store/port.ts'
import type { NewEvent } from '#schemas/event.ts'

export const WRITERS = 64
/** Seal settings of a gateway. */
const SEALED = { events: 5000, milliseconds: 600_000 }
const HASH = 'a'.repeat(64)
const signer = signerOf({ index: { hmac: text => createHmac('sha256', 'bench').update(text).digest('hex') } })

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

/** `followed`: a subscriber receives each event, as read models do. `sealed`: also with a sealer on the log. */
type Company = 'alone' | 'followed' | 'sealed'

/** Durable appends through the store, each writer waiting for its own before the next; sealing included. */
export const throughStore = async (each: number, company: Company): Promise<Throughput> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const store = await openEmbeddedStore({ folder })
  const follower = company === 'alone' ? undefined : store.subscribe(START, { event: () => undefined })
  const sealer = company === 'sealed' ? openSealer({ store, signer, every: SEALED }) : undefined
  const before = process.cpuUsage()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < each; n++) await store.append(`bench-${writer}`, n, [eventOf(n)])
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await sealer?.close()
  const { user, system } = process.cpuUsage(before)
  await follower?.stop()
  await store.close()
  rmSync(folder, { recursive: true })
  const appends = WRITERS * each
  return { perSecond: appends / seconds, cpu: ((user + system) / 1000 / appends) * 1000 }
}
