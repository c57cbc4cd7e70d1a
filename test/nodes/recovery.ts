import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MortalGateway } from './store-world.ts'
import { insist, type Talker } from './talker.ts'

/** Longest time until every gateway is ready after a fault. */
export const READY_MS = 10_000
/** Longest time until a gateway shows what another one writes, 10 s after a fault at the latest. */
export const HEARD_MS = 1000
/** Nothing is judged by this time; it ends a wait that would fail anyway. */
export const GIVE_UP_MS = 120_000
const LOOK_MS = 100
const CLOSE_MS = 20

/** Writes on each gateway. Resolves with the longest time until the others showed it, in ms, and the ids of the messages. */
export const hear = async (gateways: readonly MortalGateway[], probe: Talker) => {
  const ids: string[] = []
  const times = gateways.map(async (writer, place) => {
    const id = randomUUID()
    await insist(
      () => writer.origin,
      origin => probe.send(origin, id, `probe-${place}-${id}`),
    )
    ids.push(id)
    const began = performance.now()
    const others = gateways.filter(gateway => gateway !== writer)
    await Promise.all(
      others.map(async ({ origin }) => {
        while (performance.now() - began < GIVE_UP_MS && !(await probe.shown(origin)).includes(id))
          await pause(CLOSE_MS)
      }),
    )
    return performance.now() - began
  })
  return { ms: Math.max(...(await Promise.all(times))), ids }
}

/** ms until every gateway is ready, and the last reason why one was not. */
export const becomeReady = async (gateways: readonly MortalGateway[]) => {
  const began = performance.now()
  let reason = ''
  const isReady = async (gateway: MortalGateway) => {
    const unready = await gateway.unreadyReason()
    reason = unready ?? reason
    return unready === undefined
  }
  await Promise.all(
    gateways.map(async gateway => {
      while (performance.now() - began < GIVE_UP_MS && !(await isReady(gateway))) await pause(LOOK_MS)
    }),
  )
  return { ms: performance.now() - began, reason: reason.trim() }
}
