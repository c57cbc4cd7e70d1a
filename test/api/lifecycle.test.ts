import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley, startParley } from './harness.ts'
import { level, person } from './people.ts'

let parley: Parley
let admin: Client
beforeAll(async () => {
  parley = await startParley()
  admin = await parley.signIn()
})
afterAll(() => discard(parley))

const make = async (fields: object = {}) => (await admin.post('/bot', { name: crypto.randomUUID(), ...fields })).body.id
const statusOf = async (bot: string) => (await admin.get(`/bot/${bot}`)).body.runningstatus

test('a bot is stopped, started, and stopped again; what makes no sense is refused or changes nothing [C-4.01] [C-4.02]', async () => {
  const bot = await make()
  expect(await statusOf(bot)).toBe('stopped')
  for (const action of ['restart', 'fix']) {
    const refused = await admin.post(`/bot/${bot}/${action}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'bot.transition'])
  }
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  expect(await statusOf(bot)).toBe('started')
  const { revision } = (await admin.get(`/bot/${bot}`)).body
  await admin.post(`/bot/${bot}/start`)
  expect((await admin.get(`/bot/${bot}`)).body.revision).toBe(revision)
  for (const action of ['restart', 'fix']) expect((await admin.post(`/bot/${bot}/${action}`)).status).toBe(200)
  expect((await admin.post(`/bot/${bot}/stop`)).status).toBe(200)
  expect(await statusOf(bot)).toBe('stopped')
  expect((await admin.patch(`/bot/${bot}`, { runningstatus: 'running' }, 1)).status).toBe(422)
})

test('whoever else may read the bot is told who started and who stopped it, and they themselves are not [C-4.28]', async () => {
  const home = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const branch = await level(admin, 'Filial')
  const rights = ['readbot', 'startbot', 'stopbot']
  const { client: ana } = await person(parley, admin, { username: 'ana', level: home, actions: rights })
  const { client: elsewhere } = await person(parley, admin, { username: 'eva', level: branch, actions: rights })
  const bot = await make()
  expect((await ana.post(`/bot/${bot}/start`)).status).toBe(200)
  expect((await ana.post(`/bot/${bot}/stop`)).status).toBe(200)
  const told = async (client: Client) =>
    (await client.get('/notification?size=50')).body.items
      .filter(({ entityid }) => entityid === bot)
      .map(({ message, notificationType }) => [message, notificationType])
  expect(await told(admin)).toEqual([
    ['bot.stopped', 'warn'],
    ['bot.started', 'info'],
  ])
  expect(await told(ana)).toEqual([])
  expect(await told(elsewhere)).toEqual([])
})

test('it waits while fewer services are up than it needs [P-562]', async () => {
  const bot = await make({ minservicesneeded: 50 })
  await admin.post(`/bot/${bot}/start`)
  expect(await statusOf(bot)).toBe('pending')
})

test('its log is read by whoever may read the bot', async () => {
  const bot = await make()
  const { status, body } = await admin.get(`/bot/${bot}/logs?level=error&size=5`)
  expect([status, body]).toEqual([200, { items: [], newest: expect.any(Number) }])
  expect((await admin.get(`/bot/${bot}/logs?level=loud`)).status).toBe(422)
  expect((await admin.get('/bot/none/logs')).status).toBe(404)
})
