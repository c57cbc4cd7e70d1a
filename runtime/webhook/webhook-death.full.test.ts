import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openWebhookWorld, SECRET } from './fixture/webhook-world.ts'

/** In order, each event waits for the one before. */
const EVENTS = { inOrder: 2_000, atOnce: 10_000 }
const KILLS = 50
const SECOND_MS = 1_000

// A linear congruential generator: the same run each time.
let seed = 42
const chance = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

test.each([false, true])(
  'brings every event to a receiver that fails one time in five, while its node is killed (ordered: %s) [P-2731]',
  async ordered => {
    const world = await openWebhookWorld({ status: () => (chance() < 0.2 ? 500 : 200), fields: { ordered } })
    const count = ordered ? EVENTS.inOrder : EVENTS.atOnce
    let node = world.open()
    try {
      world.wake()
      while ((await world.store.revision('webhooksent-w1')) === 0) await new Promise(resolve => setTimeout(resolve, 20))
      const events = (await world.add(count)).map(id => `evt_${id}`)
      const arrived = () =>
        new Set(
          world.receiver.received.flatMap(({ status, headers }) => (status === 200 ? [headers['webhook-id']] : [])),
        )
      for (let kills = 0, before = -1; arrived().size < count; before = arrived().size) {
        // In order, each failed attempt is waited for alone.
        await new Promise(resolve => setTimeout(resolve, ordered ? 40 : 300))
        // Pauses between attempts pass at once, long ones too once nothing else is left.
        world.clock.now += (arrived().size === before ? 3_600 : 6) * SECOND_MS
        world.wake()
        if (kills === KILLS || arrived().size < (kills * count) / (KILLS + 1)) continue
        kills += 1
        node.kill()
        node = world.open()
        // Its lease ends.
        world.clock.now += 31 * SECOND_MS
      }
      expect([...arrived()].sort()).toEqual([...events].sort())
      const verifier = new Webhook(SECRET)
      const late = world.clock.now - Date.now()
      for (const { headers, body } of world.receiver.received) {
        // The library compares with its own clock, which stood elsewhere.
        const seconds = Number(headers['webhook-timestamp'])
        expect(seconds * SECOND_MS).toBeLessThanOrEqual(Date.now() + late)
        const signed = verifier.sign(String(headers['webhook-id']), new Date(seconds * SECOND_MS), body)
        expect(String(headers['webhook-signature']).split(' ')).toContain(signed)
      }
      if (ordered) {
        const first = new Map<unknown, number>()
        for (const [at, { status, headers }] of world.receiver.received.entries())
          if (status === 200 && !first.has(headers['webhook-id'])) first.set(headers['webhook-id'], at)
        const order = [...first].sort(([, one], [, other]) => one - other).map(([id]) => id)
        expect(order).toEqual(events)
      }
    } finally {
      await node.webhooks.close()
      await world.close()
    }
  },
  1_800_000,
)
