import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#test/nodes/cluster.ts'
import { randomOf } from '#test/realtime/random.ts'
import { Buyer } from './buyer.ts'
import { makeBuyingBot, startShop } from './buying-bot.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const CONVERSATIONS = sizeOf('TALKS', { short: 30, full: 1000 })
const KILLS = sizeOf('NODE_KILLS', { short: 1, full: 20 })
/** Conversations that begin together. */
const TOGETHER = 25
const AT_ONCE = 3
const GOES_ON_MS = 35_000
/** For a busy machine: a late node is not stuck. */
const SETTLED_MS = 10 * 60_000
const ENV = { ALLOW_PRIVATE_ADDRESSES: 'true' }

const random = randomOf(SEED)
let cluster: Cluster
let shop: Awaited<ReturnType<typeof startShop>>
let channel: string
beforeAll(async () => {
  shop = await startShop(20)
  cluster = await startCluster(ENV)
  channel = await makeBuyingBot(cluster.nodes[0].admin, shop.url)
}, 2 * TIMEOUT_MS)
afterAll(async () => {
  await cluster.close()
  shop.close()
})

const noneTwice = () => [...shop.orders.byKey, ...shop.orders.byPath].filter(([, orders]) => orders > 1)

test.each([2, 3])(
  `three messages at once in each conversation, on %i nodes: one turn each, in their order [P-691] [R-12] [R-64] [R-67]`,
  async nodes => {
    const began = performance.now()
    let asked = 0
    const origin = () => cluster.nodes[asked++ % nodes]?.parley.origin ?? ''
    const faults: string[] = []
    for (let first = 0; first < CONVERSATIONS; first += TOGETHER) {
      const count = Math.min(TOGETHER, CONVERSATIONS - first)
      const buyers = Array.from({ length: count }, () => new Buyer(origin))
      await Promise.all(buyers.map(buyer => buyer.begin(channel)))
      await Promise.all(buyers.map(buyer => buyer.send(AT_ONCE)))
      for (const buyer of buyers) {
        if ((await buyer.settle(SETTLED_MS)) > SETTLED_MS) faults.push(`${buyer.conversation} stands still`)
        faults.push(...(await buyer.faults()))
      }
    }
    expect({ faults, twice: noneTwice() }).toEqual({ faults: [], twice: [] })
    report('messages at once', {
      nodes,
      conversations: CONVERSATIONS,
      messages: CONVERSATIONS * AT_ONCE,
      seconds: Math.round((performance.now() - began) / 1000),
    })
  },
  3 * TIMEOUT_MS,
)

test(
  `continues turns of a node killed at any point (${KILLS} times) within 35 s, and places no order twice [P-692] [R-65] [R-66]`,
  async () => {
    const [{ parley }] = cluster.nodes
    const faults: string[] = []
    let longest = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const doomed = await cluster.join()
      let origin = doomed.parley.origin
      const buyers = Array.from({ length: 10 }, () => new Buyer(() => origin))
      await Promise.all(buyers.map(buyer => buyer.begin(channel)))
      const sending = buyers.map(buyer => buyer.send(AT_ONCE))
      await pause(20 + random(400))
      await doomed.parley.end('SIGKILL')
      origin = parley.origin
      await Promise.all(sending)
      const times = await Promise.all(buyers.map(buyer => buyer.settle(2 * GOES_ON_MS)))
      longest = Math.max(longest, ...times)
      for (const buyer of buyers) faults.push(...(await buyer.faults()))
    }
    expect({ faults, twice: noneTwice() }).toEqual({ faults: [], twice: [] })
    expect(longest).toBeLessThan(GOES_ON_MS)
    report('a node killed in conversation', { kills: KILLS, 'ms until all go on, longest': Math.round(longest) })
  },
  3 * TIMEOUT_MS,
)
