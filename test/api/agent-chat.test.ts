import { afterAll, expect, test, vi } from 'vitest'
import { ROCKETCHAT_SECRET, startRocketChatServer } from '#test/doubles/agent/rocketchat-server.ts'
import { done, handTo, makeAgentBot } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })

const rocketchat = await startRocketChatServer()
const made = await makeAgentBot(admin, handTo('rocketchat'), rocketchat.url)
const { bot } = made
const web = made.web
const agentchannel = made.agentchannel
await done(admin.post(`/bot/${bot}/start`))
rocketchat.is.webhook = `${parley.origin}/agent/${agentchannel}/webhook`
afterAll(() => rocketchat.close())

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

test('a chat goes over the wire to an agent of Rocket.Chat and back, and its page says who the person is with [D-3.2.18] [P-1196]', async () => {
  const ana = await personAt(parley, web)
  await until(() => expect(rocketchat.rooms.size).toBe(1))
  expect((await ana.page()).agent).toMatchObject({ isWaiting: true })
  const queue = async () => (await admin.get(`/agentchannel/${agentchannel}/queue`)).body
  await until(async () =>
    expect(await queue()).toMatchObject({
      enabled: true,
      waiting: 1,
      talking: 0,
      items: [{ conversation: ana.conversation }],
    }),
  )
  await ana.say('Olá?')
  await until(() => expect(rocketchat.said()).toEqual(['Olá?']))
  expect(await rocketchat.tell('in-webhook-livechat-session-taken')).toBe(200)
  expect(await rocketchat.write('Pois não?')).toBe(200)
  expect(await rocketchat.write('Pois não?')).toBe(200)
  await until(async () => expect((await ana.page()).agent).toMatchObject({ name: 'Joao', isWaiting: false }))
  expect(await queue()).toMatchObject({ waiting: 0, talking: 1, places: null })
  expect((await ana.page()).messages).toMatchObject([
    { from: 'user', text: 'Olá?' },
    { from: 'agent', text: 'Pois não?', name: 'Joao' },
  ])
  expect(await rocketchat.tell('in-webhook-session-closed')).toBe(200)
  await until(async () => expect((await ana.page()).messages.at(-1)).toMatchObject({ from: 'bot', text: 'Voltei' }))
  expect((await ana.page()).agent).toBeNull()
})

test('the page of the queue has the waits of today, and the text that people read [P-2063]', async () => {
  const path = `/agentchannel/${agentchannel}`
  const queue = async () => (await admin.get(`${path}/queue`)).body
  expect(await queue()).toMatchObject({ today: { waited: 1, givenup: 0 }, reads: [{ queue: null }] })
  const bia = await personAt(parley, web)
  await until(async () => expect(await queue()).toMatchObject({ waiting: 1 }))
  await bia.send({ type: 'menu', value: 'bot' })
  await until(async () => expect(await queue()).toMatchObject({ waiting: 0, today: { waited: 2, givenup: 1 } }))
  const { today } = (await queue()) as never as { readonly today: { readonly mean: number } }
  expect(today.mean).toBeGreaterThan(0)
})

test('calls without the token are refused, and those of other chats are passed over [P-1193] [P-1196]', async () => {
  rocketchat.is.secret = 'guessed'
  expect(await rocketchat.tell('in-webhook-agent-message')).toBe(401)
  rocketchat.is.secret = ROCKETCHAT_SECRET
  expect(await rocketchat.tell('in-webhook-agent-message', { visitor: { token: 'somebody-else' } })).toBe(200)
})

test('removes a waiting person from the queue with the permission [D-3.2.02] [P-1188] [P-1196]', async () => {
  const ana = await personAt(parley, web)
  const path = `/agentchannel/${agentchannel}`
  await until(async () => expect((await admin.get(`${path}/queue`)).body).toMatchObject({ waiting: 1 }))
  expect((await admin.post(`${path}/clearqueue`, { conversation: 'nobody' })).body).toEqual({ cleared: 0 })
  expect((await admin.post(`${path}/clearqueue`, {})).body).toEqual({ cleared: 1 })
  await until(async () => expect((await ana.page()).messages.at(-1)).toMatchObject({ text: 'Voltei' }))
  await until(() => expect([...rocketchat.rooms.values()].at(-1)?.isOpen).toBe(false))
  await done(admin.patch(path, { queue_tracker_clear_enabled: false }, 1))
  expect((await admin.post(`${path}/clearqueue`, {})).status).toBe(409)
})
