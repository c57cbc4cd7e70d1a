import { expect, test } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { makeChatBot } from './chat-bot.ts'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const make = async (fields: object = {}) => (await admin.post('/bot', { name: crypto.randomUUID(), ...fields })).body.id
const statusOf = async (bot: string) => (await admin.get(`/bot/${bot}`)).body.runningstatus

test('stops, starts and stops a bot again; refuses or ignores other transitions [C-4.01] [C-4.02]', async () => {
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

test('notifies other readers of the bot who started and stopped it, but not the author [C-4.28]', async () => {
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

interface Services {
  readonly runningstatus: string
  readonly up: number
  readonly items: readonly {
    readonly systemid: string
    readonly state: string
    readonly status: string
    readonly nodes: readonly { readonly status: string }[]
  }[]
}
const servicesOf = async (bot: string) => (await admin.get(`/bot/${bot}/services`)).body as unknown as Services
const until = (read: () => unknown) => expect.poll(read, { timeout: 10_000, interval: 50 })

test('its runtime and each enabled channel are services that are up, and make it run once enough are [C-3.10] [C-3.18] [C-3.30] [R-94]', async () => {
  const set = {
    channel_service_endpoint: 'https://channels.example',
    botendpoint: 'https://bot.example',
    agentendpoint: 'https://agents.example',
    internal_endpoints: ['http://10.0.0.7:9000'],
    stepdelay: 500,
  }
  const bot = await make({ minservicesneeded: 2, ...set })
  expect(await servicesOf(bot)).toMatchObject({ up: 0, needed: 2, items: [] })
  await admin.post(`/bot/${bot}/start`)
  await until(async () => (await servicesOf(bot)).up).toBe(1)
  expect(await statusOf(bot)).toBe('pending')
  const channel = (await admin.post('/channel', { bot, type: 'rest', name: 'Loja' })).body.id
  await until(() => statusOf(bot)).toBe('running')
  const { items } = (await admin.get(`/botservice?bot=${bot}&sort=name`)).body
  expect(items).toMatchObject([
    { name: 'Loja', systemid: `rest:${channel}`, state: 'up', status: 'ready', buildversion: expect.any(String) },
    {
      name: 'runtime',
      systemid: 'runtime',
      state: 'up',
      created_at: expect.any(String),
      modified_at: expect.any(String),
    },
  ])
  expect((await servicesOf(bot)).items[0]?.nodes).toMatchObject([{ status: 'ready' }])
  const row = (await admin.get(`/bot/${bot}`)).body
  const { revision } = row
  expect(row).toMatchObject({ ...set, runningstatus: 'running', minservicesneeded: 2, servicesup: 2 })
  expect((await admin.get('/bot?runningstatus=running&size=100')).body.items.map(({ id }) => id)).toContain(bot)
  const channelRevision = (await admin.get(`/channel/${channel}`)).body.revision
  await admin.patch(`/channel/${channel}`, { enable: false }, channelRevision)
  await until(() => statusOf(bot)).toBe('pending')
  await admin.patch(`/bot/${bot}`, { minservicesneeded: 1 }, revision)
  expect(await statusOf(bot)).toBe('running')
  await admin.post(`/bot/${bot}/stop`)
  await until(async () => (await servicesOf(bot)).items.map(({ state }) => state)).toEqual(['stopped', 'stopped'])
  expect(await statusOf(bot)).toBe('stopped')
  const history = (await admin.get(`/botservice/${items[1]?.id}/history`)).body.items.map(({ type }) => type)
  expect(history).toEqual(['BotServiceCreated', 'BotServiceChanged'])
})

test('fix says per service what it did, and a bot without services up stays pending [R-95]', async () => {
  const bot = await make({ minservicesneeded: 9 })
  await admin.post('/channel', { bot, type: 'rest', name: 'Loja' })
  await admin.post(`/bot/${bot}/start`)
  await until(async () => (await servicesOf(bot)).up).toBe(2)
  const fixed = await admin.post(`/bot/${bot}/fix`)
  expect([fixed.status, fixed.body]).toMatchObject([
    200,
    {
      revision: 3,
      claims: 0,
      services: [
        { systemid: 'runtime', before: 'ready', after: 'ready', did: 'nothing' },
        { name: 'Loja', before: 'ready', after: 'ready', did: 'nothing' },
      ],
    },
  ])
  expect(await statusOf(bot)).toBe('pending')
})

test('refuses writes of services, and removes the services of a removed channel [C-2.68] [R-94]', async () => {
  const bot = await make()
  const channel = (await admin.post('/channel', { bot, type: 'webchat' })).body.id
  await admin.post(`/bot/${bot}/start`)
  await until(async () => (await servicesOf(bot)).up).toBe(2)
  const [{ id = '' } = {}] = (await admin.get(`/botservice?bot=${bot}&systemid=webchat:${channel}`)).body.items as {
    id?: string
  }[]
  expect((await admin.post('/botservice', { bot })).status).toBe(405)
  expect((await admin.patch(`/botservice/${id}`, {}, 1)).status).toBe(405)
  expect((await admin.delete(`/botservice/${id}`)).status).toBe(405)
  expect((await admin.delete(`/channel/${channel}`)).status).toBe(200)
  await until(async () => (await servicesOf(bot)).items.map(({ systemid }) => systemid)).toEqual(['runtime'])
  expect((await admin.delete(`/bot/${bot}`, { confirm: 'CONFIRM' })).status).toBe(200)
  expect((await admin.get(`/bot/${bot}/services`)).status).toBe(404)
})

test('returns its log to every reader of the bot', async () => {
  const bot = await make()
  const { status, body } = await admin.get(`/bot/${bot}/logs?level=error&size=5`)
  expect([status, body]).toMatchObject([
    200,
    {
      items: [],
      newest: expect.any(String),
      older: null,
      counts: { info: 0, warn: 0, error: 0 },
      silent: [],
      heard: true,
    },
  ])
  expect((await admin.get(`/bot/${bot}/logs?level=loud`)).status).toBe(422)
  expect((await admin.get('/bot/none/logs')).status).toBe(404)
})

test('applies a publish, stop, start, restart or setting to the next message [P-1505] [R-4] [R-5]', async () => {
  const { bot, channel, dialog } = await makeChatBot(admin)
  const publish = async (text: string) => {
    const flow = {
      operators: {
        start: plainBlock('start', 0),
        hello: plainBlock('text', 100, { text }),
        name: plainBlock('prompt', 200, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
        bye: plainBlock('text', 300, { text: `Tchau da ${text}` }),
      },
      links: { a: link('start', 'hello'), b: link('hello', 'name'), c: link('name', 'bye') },
    }
    const { status } = await admin.put(`/dialog/${dialog}/flow`, flow)
    expect([status, (await admin.post(`/dialog/${dialog}/publish`)).status]).toEqual([200, 200])
  }
  const ask = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(parley.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const open = async () => (await ask(`/chat/${channel}/conversations`, {})).body
  const send = ({ conversation, token }: Record<string, string>) =>
    ask(`/chat/conversations/${conversation}/messages`, { id: crypto.randomUUID(), type: 'text', text: 'oi' }, token)
  const said = async ({ conversation, token }: Record<string, string>) => {
    const headers = { authorization: `Bearer ${token}` }
    const page = await fetch(`${parley.origin}/chat/conversations/${conversation}/messages?after=`, { headers })
    return ((await page.json()) as { messages: { from: string; text?: string }[] }).messages
      .filter(({ from }) => from === 'bot')
      .map(({ text }) => text)
  }
  for (let at = 0; at < 8; at += 1) {
    await publish(`Versão ${at}`)
    const chat = await open()
    await until(async () => (await said(chat))[0]).toBe(`Versão ${at}`)
  }

  const chat = await open()
  await until(async () => (await said(chat)).at(-1)).toBe('Seu nome?')
  await publish('nova')
  await admin.post(`/bot/${bot}/restart`)
  await send(chat)
  await until(async () => (await said(chat)).at(-1)).toBe('Tchau da nova')

  for (let at = 0; at < 4; at += 1) {
    await admin.post(`/bot/${bot}/stop`)
    expect(await send(chat)).toMatchObject({ status: 409, body: { code: 'bot.stopped' } })
    await admin.post(`/bot/${bot}/start`)
    expect((await send(chat)).status).toBe(202)
  }
})
