import { afterAll, beforeAll, expect, test } from 'vitest'
import { discard } from '#test/api/harness.ts'
import { openFloodWorld, script } from './flood-world.ts'

const LONG = 180_000

let world: Awaited<ReturnType<typeof openFloodWorld>>
beforeAll(async () => {
  world = await openFloodWorld()
}, LONG)
afterAll(() => discard(world.parley))

test(
  'says to a person that the bot is busy after 10 s in the queue [P-1708]',
  async () => {
    const { bot, channel } = await world.botWith(world.levels.b, script('for (;;) {}'))
    const chats = await world.flood(channel, 24)
    const said = (await Promise.all(chats.map(world.textsOf))).flat()
    expect(said.filter(words => words.startsWith('Há muita procura')).length).toBeGreaterThan(0)
    await world.admin.post(`/bot/${bot}/stop`)
  },
  LONG,
)
