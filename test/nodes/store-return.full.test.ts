import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { report, SEED, sizeOf, TIMEOUT_MS } from '#test/fault/size.ts'
import { randomOf } from '#test/realtime/random.ts'
import { becomeReady, HEARD_MS, hear, READY_MS } from './recovery.ts'
import { startStoreWorld } from './store-world.ts'
import { Talker, userOf } from './talker.ts'

const RETURNS = sizeOf('RETURNS', { short: 12, full: 100 })
/** A probe reads its first 200 messages. */
const ROUNDS_OF_PROBE = 20

test(
  `every gateway is ready within 10 s of each of ${RETURNS} returns of the store, and hears the others within 1 s [P-2231]`,
  async () => {
    const world = await startStoreWorld()
    const { store, gateways } = world
    const random = randomOf(SEED)
    const faults: Readonly<Record<string, () => Promise<void>>> = {
      async killed() {
        await store.kill()
        await pause(random(8000))
        await store.start()
      },
      suspended: () => store.suspend(1000 + random(14_000)),
      async 'leader changed'() {
        const silentMs = 500 + random(3500)
        await store.call('changeLeader', silentMs)
        await pause(silentMs)
      },
    }
    const names = Object.keys(faults)
    const times = { ready: [] as number[], heard: [] as number[] }
    const late: string[] = []
    try {
      let probe: Talker | undefined
      for (let round = 0; round < RETURNS; round += 1) {
        if (probe === undefined || round % ROUNDS_OF_PROBE === 0) {
          probe = new Talker(world, 'webchat', userOf('webchat', round))
          await probe.begin(() => gateways[0]?.origin ?? '')
        }
        const name = names[round % names.length] as string
        await faults[name]?.()
        const ready = await becomeReady(gateways)
        const heard = await hear(gateways, probe)
        times.ready.push(ready.ms)
        times.heard.push(heard.ms)
        if (ready.ms > READY_MS) late.push(`${name}: ready after ${Math.round(ready.ms)} ms (${ready.reason})`)
        if (heard.ms > HEARD_MS) late.push(`${name}: heard after ${Math.round(heard.ms)} ms`)
      }
    } finally {
      await world.close()
    }
    const longest = (all: readonly number[]) => Math.round(Math.max(...all))
    report('returns of the store', {
      returns: RETURNS,
      'ms until ready': longest(times.ready),
      'ms until heard': longest(times.heard),
    })
    expect(late).toEqual([])
  },
  Math.max(TIMEOUT_MS, RETURNS * 30_000),
)
