import { afterAll, expect, test, vi } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { PROFILE_HOOK, profileFields, profileOf, startProfileServer } from '#test/doubles/agent/profile-server.ts'
import { done, handTo, makeHandingBot } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
let agentchannel: string

const server = await startProfileServer({ recognizes: true })
const { bot, web } = await makeHandingBot(admin, handTo('gocontact'))
afterAll(() => server.close())

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const get = async () =>
  (await admin.get(`/agentchannel/${agentchannel}`)).body as JsonObject & { readonly revision: number }
const change = async (fields: object) =>
  done(admin.patch(`/agentchannel/${agentchannel}`, fields, (await get()).revision))
const opened = () => personAt(parley, web)
const call = (body: object, headers: Record<string, string> = {}, path = PROFILE_HOOK) =>
  fetch(`${parley.origin}/agent/${agentchannel}/webhook/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('says what it lacks, and is in no menu before it is complete [D-4.02] [P-2414]', async () => {
  const { close: _, ...unclosed } = profileOf('webhook', true)
  agentchannel = await done(
    admin.post('/agentchannel', { bot, type: 'gocontact', ...given(unclosed), channel_password: null, url: null }),
  )
  await done(admin.post(`/bot/${bot}/start`))
  expect(await get()).toMatchObject({ configured: false, missing: ['url', 'channel_extra_info.close'] })
  await change({
    url: server.url,
    channel_extra_info: { ...unclosed, say: { path: '/x', body: '((', once: false }, close: { path: '/c' } },
  })
  expect(await get()).toMatchObject({ configured: false, missing: ['channel_extra_info.say.body'] })
  await change({ channel_extra_info: profileOf('webhook', true) })
  expect(await get()).toMatchObject({ configured: false, missing: ['channel_password'] })
  const chat = await opened()
  expect(chat.menu).toEqual([])
  await until(async () => expect((await chat.talk()).at(-1)).toBe('bot: Voltei'))
  expect(server.chats).toEqual([])
  await change({ channel_password: given({}).channel_password })
  expect(await get()).toMatchObject({ configured: true, missing: [] })
  const listed = (await admin.get(`/agentchannel?bot=${bot}&configured=true`)).body.items
  expect(listed.map(({ id }) => id)).toEqual([agentchannel])
})

const given = (profile: JsonObject) => {
  const { custom_message_service_url: _, ...fields } = profileFields(server, profile)
  return fields
}

test('a chat goes to a declared system and back, through its webhook [D-3.2.18] [P-2400] [P-2414] [P-2711]', async () => {
  const chat = await opened()
  expect(chat.menu).toEqual([{ id: 'agent' }])
  await until(() => expect(server.chats).toHaveLength(1))
  const key = server.chats[0]?.key ?? ''
  const queue = async () => (await admin.get(`/agentchannel/${agentchannel}/queue`)).body
  await change({ queue_tracker_enabled: true })
  expect((await call({ key, events: [{ type: 'queued', id: 'q1', position: 3 }] })).status).toBe(200)
  await until(async () => expect(await queue()).toMatchObject({ waiting: 1, items: [{ place: 3 }] }))
  await chat.say('Olá?')
  await chat.send({ type: 'location', data: { name: 'Loja', latitude: -23.56, longitude: -46.65 } })
  await until(() => expect(server.said).toEqual(['Olá?', 'Loja\nhttps://www.google.com/maps?q=-23.56,-46.65']))
  const message = { type: 'message', id: 'm1', agent: 'Joao', text: 'Pois não?' }
  expect((await call({ key, events: [message] })).status).toBe(200)
  expect((await call({ key, events: [message] })).status).toBe(200)
  expect((await call({ key: 'nobody', events: [message] })).status).toBe(200)
  await until(async () => expect((await chat.talk()).at(-1)).toBe('agent: Pois não?'))
  expect(await queue()).toMatchObject({ waiting: 0, talking: 1, items: [{ waiting: null, place: null }] })
  expect((await call({ key, events: [{ type: 'closed', id: 'c' }] })).status).toBe(200)
  const end = ['agent: Pois não?', 'bot: Joao encerrou o atendimento.', 'bot: Voltei']
  await until(async () => expect((await chat.talk()).slice(-3)).toEqual(end))
})

test('takes no call without the proof, or from a page of another origin [P-2416]', async () => {
  expect((await call({}, {}, 'guessed')).status).toBe(401)
  await change({ channel_origin: 'https://agents.example' })
  expect((await call({}, { origin: 'https://agents.example' })).status).toBe(200)
  expect((await call({}, { origin: 'https://evil.example' })).status).toBe(401)
  expect((await call({})).status).toBe(200)
})

test('tests the sign-in and the availability of agents, and opens no chat [P-1181] [P-2403]', async () => {
  const before = server.chats.length
  const { body } = await admin.post(`/agentchannel/${agentchannel}/test`, {})
  expect(body).toMatchObject({
    ok: true,
    checks: [
      { part: 'profile', ok: true },
      { part: 'credentials', ok: true },
      { part: 'system', ok: true },
      { part: 'agents', ok: true },
    ],
  })
  expect(server.chats).toHaveLength(before)
})

test('opens a chat that was surely not taken again, and one of unknown fate not [P-2401] [P-2417]', async () => {
  const once = profileOf('webhook', false)
  await change({ channel_extra_info: once })
  const before = server.chats.length
  server.is.status = 429
  const calls = () => server.calls.filter(({ path, method }) => path === '/chats' && method === 'POST').length
  const asked = calls()
  await change({ channel_extra_info: { ...once, available: undefined } })
  const waiting = await opened()
  await until(() => expect(calls()).toBeGreaterThan(asked + 1))
  server.is.status = undefined
  await until(() => expect(server.chats).toHaveLength(before + 1))
  await waiting.send({ type: 'menu', value: 'bot' })
  server.is.status = 500
  const lost = await opened()
  await until(async () => expect((await lost.talk()).at(-1)).toBe('bot: Voltei'))
  expect(server.chats).toHaveLength(before + 1)
  server.is.status = undefined
})
