import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discard } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import { randomOf } from '#test/realtime/random.ts'
import { Buyer } from './buyer.ts'
import { makeBuyingBot, startShop } from './buying-bot.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const KILLS = sizeOf('KILLS', { short: isFull ? 10 : 2, full: 1000 })
const BUYERS = sizeOf('BUYERS', { short: isFull ? 12 : 6, full: 12 })
/** A person writes so many messages; then another one comes. */
const MESSAGES = 40
const GOES_ON_MS = 35_000
const ENV = { ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'fatal' }

const random = randomOf(SEED)
let parley: HostedParley
let shop: Awaited<ReturnType<typeof startShop>>
let channel: string
beforeAll(async () => {
  shop = await startShop(60)
  parley = await openParley({ env: ENV })
  channel = await makeBuyingBot(await parley.signIn(), shop.url)
}, TIMEOUT_MS)
afterAll(async () => {
  await discard(parley)
  shop.close()
})

const arrive = async (): Promise<Buyer> => {
  const buyer = new Buyer(() => parley.origin)
  await buyer.begin(channel)
  return buyer
}

test(
  `a gateway killed at any point of turns (${KILLS} times): each message is answered once, no order is placed twice [P-690] [R-66] [R-67]`,
  async () => {
    const began = performance.now()
    const faults: string[] = []
    const buyers = await Promise.all(Array.from({ length: BUYERS }, arrive))
    const count = { conversations: BUYERS, messages: 0, unknown: 0, longest: 0 }
    let over = false
    const check = async (buyer: Buyer) => {
      if ((await buyer.settle(GOES_ON_MS)) > GOES_ON_MS) faults.push(`${buyer.conversation} stands still`)
      faults.push(...(await buyer.faults()))
      const { messages } = await buyer.page()
      count.messages += buyer.sent
      count.unknown += messages.filter(({ text = '' }) => text.endsWith(' unknown')).length
    }
    const talking = buyers.map(async (_, place) => {
      while (!over) {
        const buyer = buyers[place] as Buyer
        await buyer.send(1 + random(3))
        await buyer.settle(GOES_ON_MS)
        if (buyer.sent < MESSAGES) continue
        await check(buyer)
        buyers[place] = await arrive()
        count.conversations += 1
      }
    })
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(random(500))
      await parley.kill()
      parley = await openParley({ folder: parley.folder, env: ENV })
      // Counted from when it is up, and not beyond the next time that it is killed.
      const times = await Promise.all(buyers.map(buyer => buyer.settle(GOES_ON_MS)))
      count.longest = Math.max(count.longest, ...times)
      expect(faults).toEqual([])
    }
    over = true
    await Promise.all(talking)
    await Promise.all(buyers.map(check))

    const { byKey, byPath } = shop.orders
    const twice = [...byKey, ...byPath].filter(([, orders]) => orders > 1)
    expect({ faults, twice }).toEqual({ faults: [], twice: [] })
    expect(count.longest).toBeLessThan(GOES_ON_MS)
    expect(count.messages).toBeGreaterThan(5 * BUYERS)
    report('kills in conversation', {
      kills: KILLS,
      conversations: count.conversations,
      messages: count.messages,
      orders: byPath.size,
      'with an outcome that is not known': count.unknown,
      'ms until all go on, longest': Math.round(count.longest),
      seconds: Math.round((performance.now() - began) / 1000),
    })
  },
  2 * TIMEOUT_MS,
)
