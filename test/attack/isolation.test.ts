import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { discard } from '#test/api/harness.ts'
import { openFloodWorld, p95, script, text } from './flood-world.ts'
import { livenessDuring } from './liveness.ts'

/** ms: time of an answer to a visitor beside a flood, and of `/health/live`. */
const ANSWER_MS = 1_000
const LIVE_MS = 200
const LONG = 180_000

/** Its search takes longer than any computer lives. */
const ENDLESS = '$match($join([1..60].("a")) & "b", /^(a+)+$/)'

const world = await openFloodWorld()
afterAll(() => discard(world.parley))

test(
  'answers visitors of a level within 1 s beside 24 endless scripts of another level [P-1610]',
  async () => {
    const a = await world.botWith(world.levels.a, script('1 + 1'))
    const b = await world.botWith(world.levels.b, script('for (;;) {}'))
    const chat = await world.opened(a.channel)
    await world.textsOf(chat)
    await world.say(chat)
    await world.textsOf(chat)
    await world.flood(b.channel, 24)
    const took = await world.answerTimes(a.channel)
    expect(p95(took)).toBeLessThan(ANSWER_MS)
    await world.admin.post(`/bot/${b.bot}/stop`)
  },
  LONG,
)

test(
  'answers visitors of a level within 1 s beside 12 visitors with endless JSONata of another level [P-1611]',
  async () => {
    const jsonata = { expressionparser: 'JsonAta' }
    const a = await world.botWith(world.levels.a, text('{{1 + 1}}'), jsonata)
    const b = await world.botWith(world.levels.b, text(`{{${ENDLESS}}} `.repeat(8)), jsonata)
    const chat = await world.opened(a.channel)
    await world.textsOf(chat)
    await world.flood(b.channel, 12)
    const took = await world.answerTimes(a.channel)
    expect(p95(took)).toBeLessThan(ANSWER_MS)
    await world.admin.post(`/bot/${b.bot}/stop`)
  },
  LONG,
)

test(
  'survives a zip of 68 kB with 60 MB of lists, and answers all the while [P-1614]',
  async () => {
    const bomb = strToU8(`{"b":[${'[{}],'.repeat(4_000_000)}0],"a":[${'0,'.repeat(20_000_000)}0]}`)
    const zip = zipSync({ 'b.json': bomb }, { level: 9 })
    expect(zip.length).toBeLessThan(100_000)
    const project = await world.made('nluproject', { name: 'Bomba', locale: 'pt' })
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(zip)]), 'b.zip')
    const upload = world.admin.send('POST', `/nluproject/${project}/upload?dryrun=true`, { body })
    expect(await livenessDuring(world.parley, upload)).toBeLessThan(LIVE_MS)
    expect((await upload).status).toBe(422)
  },
  LONG,
)

test('refuses a pattern whose check would take seconds, and answers all the while [P-1615]', async () => {
  const project = await world.made('nluproject', { name: 'Regex', locale: 'pt' })
  const fields = { nluproject: project, name: 'r', entity: 'r', pattern: `${'.{0,8}'.repeat(12)}x` }
  const asked = world.admin.post('/regex', fields)
  expect(await livenessDuring(world.parley, asked)).toBeLessThan(LIVE_MS)
  expect(await asked).toMatchObject({ status: 422, body: { errors: [{ path: 'pattern', code: 'format' }] } })
})
