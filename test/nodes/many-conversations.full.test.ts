import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { report, sizeOf } from '#test/fault/size.ts'
import { ConversationLedger } from './conversation-ledger.ts'
import { becomeReady, HEARD_MS, READY_MS } from './recovery.ts'
import { type MortalGateway, type StoreWorld, startStoreWorld } from './store-world.ts'
import { insist, Talker, userOf } from './talker.ts'

const PAIRS = sizeOf('PAIRS', { short: 200, full: 1000 })
const RETURNS = sizeOf('RETURNS', { short: 12, full: 100 })
const AT_ONCE = 8
const LOOK_MS = 20
const GIVE_UP_MS = 60_000

let world: StoreWorld
let ledger: ConversationLedger
const accepted = new Set<string>()
beforeAll(async () => {
  world = await startStoreWorld()
  ledger = await ConversationLedger.open(world.store.url)
}, 120_000)
afterAll(async () => {
  await ledger?.close()
  await world?.close()
})

const gatewayAt = (place: number): MortalGateway => world.gateways[place % world.gateways.length] as MortalGateway

const untilTrue = async (isTrue: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (performance.now() - began < GIVE_UP_MS && !(await isTrue())) await pause(LOOK_MS)
  return performance.now() - began
}

const untilAnswered = () =>
  untilTrue(async () => {
    await ledger.read()
    return [...accepted].every(id => ledger.isAnswered(id))
  })

/** Two calls at once to two gateways: two first messages of a person, or one message twice. */
const pair = async (n: number): Promise<void> => {
  const protocol = n % 2 === 0 ? 'rest' : 'webhook'
  const talker = new Talker(world, protocol, userOf(protocol, n))
  const isSame = n % 4 < 2
  const first = randomUUID()
  const ids = isSame ? [first, first] : [first, randomUUID()]
  const send = (id: string, place: number) =>
    insist(
      () => gatewayAt(n + place).origin,
      origin => talker.send(origin, id, isSame ? `p${n}` : `p${n}-${place}`),
    )
  await Promise.all(ids.map(send))
  for (const id of ids) accepted.add(talker.storedId(id))
}

test('a person whose first messages come to two gateways at once has one conversation, with a turn for each message', async () => {
  let come = 0
  const one = async () => {
    while (come < PAIRS) await pair(come++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  await untilAnswered()
  const { rest, webhook } = world.channels
  const found = ledger.faults(accepted, [rest, webhook])
  report('pairs of first messages', {
    pairs: PAIRS,
    conversations: ledger.size,
    turns: ledger.turns,
    'several conversations': found.severalOpen.length,
    'stored twice': found.storedTwice.length,
    'answered twice': found.answeredTwice.length,
  })
  expect(found).toEqual({
    ...{ lost: [], storedTwice: [], answeredTwice: [], unanswered: [], derailed: [], severalOpen: [] },
  })
  expect(ledger.size).toBe(PAIRS)
}, 1_800_000)

test('gateways hear each other again each time that the store returns', async () => {
  const { store, gateways } = world
  const late: string[] = []
  const longest = { ready: 0, heard: 0 }
  const absences = [
    () => store.suspend(3000),
    () => store.kill().then(() => store.start()),
    () => store.call('changeLeader', 1000).then(() => pause(1000)),
    () => store.call('cutSubscriptions'),
  ]
  for (let n = 0; n < RETURNS; n++) {
    const probe = new Talker(world, 'webchat', userOf('webchat', n))
    await probe.begin(() => gatewayAt(n).origin)
    await absences[n % absences.length]?.()
    const ready = (await becomeReady(gateways)).ms
    const id = randomUUID()
    await insist(
      () => gatewayAt(n).origin,
      origin => probe.send(origin, id, `r${n}`),
    )
    accepted.add(id)
    const others = gateways.filter(gateway => gateway !== gatewayAt(n))
    const heard = await untilTrue(async () => {
      const shown = await Promise.all(others.map(({ origin }) => probe.shown(origin)))
      return shown.every(ids => ids.includes(id))
    })
    longest.ready = Math.max(longest.ready, Math.round(ready))
    longest.heard = Math.max(longest.heard, Math.round(heard))
    if (ready > READY_MS) late.push(`${n}: ready after ${Math.round(ready)} ms`)
    if (heard > HEARD_MS) late.push(`${n}: heard after ${Math.round(heard)} ms`)
  }
  await untilAnswered()
  report('returns of the store', { returns: RETURNS, 'ms until ready': longest.ready, 'ms until heard': longest.heard })
  const { rest, webhook } = world.channels
  expect({ late, ...ledger.faults(accepted, [rest, webhook]) }).toEqual({
    late: [],
    ...{ lost: [], storedTwice: [], answeredTwice: [], unanswered: [], derailed: [], severalOpen: [] },
  })
}, 3_600_000)
