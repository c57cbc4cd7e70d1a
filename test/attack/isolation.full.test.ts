import { afterAll, beforeAll, expect, test } from 'vitest'
import { discard } from '#test/api/harness.ts'
import { nluProjectOf, trainedProject } from '#test/api/nlu-project.ts'
import { openFloodWorld, p95, script } from './flood-world.ts'
import { livenessDuring } from './liveness.ts'

/** ms: time of an answer to a visitor beside a flood, and of `/health/live`. */
const ANSWER_MS = 1_000
const LIVE_MS = 200
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

test(
  'drops the waiting jobs of a bot that is stopped [P-1612]',
  async () => {
    const b = await world.botWith(world.levels.b, script('for (;;) {}'))
    const chats = await world.flood(b.channel, 24)
    expect((await world.admin.post(`/bot/${b.bot}/stop`)).status).toBe(200)
    const began = performance.now()
    await Promise.all(chats.map(world.textsOf))
    expect(performance.now() - began).toBeLessThan(8_000)
  },
  LONG,
)

test(
  'parses texts of a level within 1 s beside six slow patterns of another level [P-1613]',
  async () => {
    const lines = { oi: ['oi', 'olá'], tchau: ['tchau', 'até logo'] }
    const projectIn = async (hierarchylevel: string, pattern: string) => {
      const project = await nluProjectOf(world.admin, `P ${pattern}`, lines, { hierarchylevel })
      await world.made('regex', { nluproject: project, name: 'r', entity: 'r', pattern })
      const { id: model } = await trainedProject(world.admin, project)
      return { project, model }
    }
    const a = await projectIn(world.levels.a, 'oi')
    const b = await projectIn(world.levels.b, '\\d*\\d*\\d*\\d*\\d*\\d*x')
    const parse = ({ project, model }: typeof a, words: string) =>
      world.admin.post(`/nluproject/${project}/parse`, { text: words, model })
    expect((await parse(a, 'oi')).status).toBe(200)
    const times: number[] = []
    const slow = Array.from({ length: 6 }, () => parse(b, '1'.repeat(3_990)))
    for (let place = 0; place < 20; place += 1) {
      if (place % 4 === 0) slow.push(...Array.from({ length: 6 }, () => parse(b, '1'.repeat(3_990))))
      const began = performance.now()
      const { status, body } = await parse(a, 'oi')
      times.push(performance.now() - began)
      expect(status).toBe(200)
      expect(body.entities).toHaveLength(1)
    }
    expect(p95(times.toSorted((one, other) => one - other))).toBeLessThan(ANSWER_MS)
    await Promise.all(slow)
  },
  LONG,
)

test(
  'reads tests, stories and compose files with many keys apart from the main thread [P-1616]',
  async () => {
    const bot = await world.made('bot', { name: 'Chaves', hierarchylevel: world.levels.b })
    const keys = (count: number) => Array.from({ length: count }, (_, place) => `k${place}: 1`).join(', ')
    const file = `format: parley-test\nversion: 1\nname: t\ngiven: { ${keys(17_000)} }\nsteps:\n  - user: oi\n`
    const stories = `stories:\n- story: a\n  steps:\n  - user: oi\n    intent: a\n    x: { ${keys(80_000)} }\n`
    const compose = `services:\n  a:\n    image: x\n    labels: { ${keys(30_000)} }\n`
    const kept = world.admin.post('/conversationtest', { bot, name: 't', file })
    expect(await livenessDuring(world.parley, kept)).toBeLessThan(LIVE_MS)
    expect((await kept).status).toBe(422)
    const began = performance.now()
    const read = world.admin.post(`/bot/${bot}/readtests`, { name: 's.yml', text: stories })
    expect(await livenessDuring(world.parley, read)).toBeLessThan(LIVE_MS)
    expect([200, 413]).toContain((await read).status)
    expect(performance.now() - began).toBeLessThan(10_000)
    const { body: settings } = await world.admin.get('/deploymentsettings/deploymentsettings')
    const checked = world.admin.patch(
      '/deploymentsettings/deploymentsettings',
      { compose_file: compose },
      settings.revision,
    )
    expect(await livenessDuring(world.parley, checked)).toBeLessThan(LIVE_MS)
    expect((await checked).status).toBe(200)
  },
  LONG,
)
