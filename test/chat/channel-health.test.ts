import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BotMetrics } from '#schemas/api/bot-metrics.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { type Client, discard } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { person } from '#test/api/people.ts'
import { startGraphServer } from '#test/doubles/graph-server.ts'

const SECRET = 'app-secret'

let parley: HostedParley
let admin: Client
let graph: Awaited<ReturnType<typeof startGraphServer>>
let bot: string

const made = (entity: string, fields: object) => admin.create(entity, fields)
/** A WhatsApp channel of Meta with a separate number. */
const channelOf = (number: string, fields: object = {}) =>
  made('channel', {
    ...{ bot, type: 'whatsapp_meta', name: number, account_id: number },
    ...{ auth_token: 'EAAx', app_secret: SECRET, channel_verify_token: 'handshake' },
    ...fields,
  })

beforeAll(async () => {
  graph = await startGraphServer()
  parley = await openParley({
    env: { ALLOW_PRIVATE_ADDRESSES: 'true', GRAPH_URL: `${graph.url}/v99.0` },
    limits: { channelLookMs: 1_000 },
  })
  admin = await parley.signIn()
  bot = (await makeChatBot(admin)).bot
}, 120_000)
afterAll(async () => {
  graph.close()
  await discard(parley)
})

const stamp = () => String(Math.floor(Date.now() / 1000))
/** Meta calls a channel about a number. */
const hook = async (channel: string, number: string, change: object, expected = 200) => {
  const metadata = { display_phone_number: '5511', phone_number_id: number }
  const value = { messaging_product: 'whatsapp', metadata, ...change }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  })
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const { status } = await fetch(`${parley.origin}/channel/${channel}`, { method: 'POST', headers, body })
  expect(status).toBe(expected)
}
/** A person writes to a number. */
const says = (channel: string, number: string, from: string) =>
  hook(channel, number, {
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [{ from, id: `wamid.${from}`, timestamp: stamp(), type: 'text', text: { body: 'oi' } }],
  })
const healthOf = async (channel: string) =>
  (await admin.get(`/channel/${channel}/health`)).body as unknown as AnswerOf<'GET /channel/{id}/health'>
const isShown = (channel: string, expected: object, ms = 15_000) =>
  vi.waitFor(async () => expect(await healthOf(channel)).toMatchObject(expected), { timeout: ms, interval: 50 })

test('adds the prices of receipts to the cost of conversations, each message once [P-2880]', async () => {
  const { hierarchylevel } = (await admin.get(`/bot/${bot}`)).body
  const rows = [{ category: 'utility', country: 'BR', price: '0.05' }]
  await made('pricelist', { name: 'Meta', currency: 'BRL', valid_from: '2026-01-01', rows, hierarchylevel })
  const id = await channelOf('1045', { url: graph.url })
  const to = '5511910000009'
  const ofPerson = () => graph.sent.findIndex(one => one.to === to)
  await says(id, '1045', to)
  await vi.waitFor(() => expect(ofPerson()).toBeGreaterThanOrEqual(0), { timeout: 15_000 })
  await isShown(id, { state: 'ok' })
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
  const priced = (status: string) => ({
    ...{ id: `wamid.${ofPerson() + 1}`, status, timestamp: stamp(), recipient_id: to, pricing },
    biz_opaque_callback_data: graph.sent[ofPerson()]?.biz_opaque_callback_data,
  })
  for (const status of ['sent', 'delivered', 'read']) await hook(id, '1045', { statuses: [priced(status)] })
  const metrics = async () => (await admin.get(`/bot/${bot}/metrics`)).body as unknown as BotMetrics
  await vi.waitFor(async () => expect((await metrics()).total.priced).toBe(1), { timeout: 10_000 })
  const { from, to: last, total } = await metrics()
  expect(total.closed).toBe(0)
  const none = { reported: [], unpriced: 0, free: 0, open: 0 }
  expect(total.cost).toEqual({ ...none, computed: [{ currency: 'BRL', amount: '0.05', count: 1, each: null }] })
  const days = `firstday=${from}&lastday=${last}`
  const { items, total: listed } = (await admin.get(`/conversation?bot=${bot}&measure=priced&${days}`)).body
  expect(listed).toBe(1)
  const forget = `/conversation/${String(items[0]?.id)}/forget`
  expect((await admin.post(forget, { confirm: 'CONFIRM' })).status).toBe(200)
  await vi.waitFor(async () => expect((await metrics()).total.closed).toBe(1), { timeout: 10_000 })
  expect((await metrics()).total.cost.computed).toMatchObject([{ amount: '0.05', each: '0.05' }])
})

describe('the settings of a channel', () => {
  const sentTo = (to: string) => graph.sent.filter(one => one.to === to)
  const isSent = (to: string, count: number) =>
    vi.waitFor(() => expect(sentTo(to)).toHaveLength(count), { timeout: 15_000, interval: 50 })
  const change = async (channel: string, fields: object) => {
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    expect((await admin.patch(`/channel/${channel}`, fields, revision)).status).toBe(200)
  }

  test('a disabled one neither receives nor sends, and the page of the conversation says so [D-4.01]', async () => {
    const to = '5511910000008'
    const id = await channelOf('1046', { url: graph.url })
    // Meta's limit of one person: the question waits for its second attempt.
    const limited = { error: { code: 131_056, message: 'pair rate limit' } }
    graph.answers.push({ status: 400, body: limited, headers: { 'retry-after': '3' } })
    await says(id, '1046', to)
    await isSent(to, 1)
    await change(id, { enable: false })
    const messages = [{ from: to, id: 'wamid.off', timestamp: stamp(), type: 'text', text: { body: 'alô' } }]
    await hook(id, '1046', { messages }, 404)
    const [conversation] = (await admin.get(`/conversation?bot=${bot}&channel=${id}`)).body.items
    const transcript = async () => (await admin.get(`/conversation/${String(conversation?.id)}/transcript`)).text
    await vi.waitFor(async () => expect(await transcript()).toContain('"code":"disabled"'), {
      timeout: 15_000,
      interval: 100,
    })
    expect(await transcript()).not.toContain('alô')
    expect(sentTo(to)).toHaveLength(1)
    const test = await admin.post(`/channel/${id}/testmessage`, { to, text: 'Teste' })
    expect([test.status, test.body.code]).toEqual([409, 'channel.disabled'])
    await change(id, { enable: true })
    await hook(id, '1046', { messages: [{ ...messages[0], id: 'wamid.on' }] })
    await vi.waitFor(() => expect(sentTo(to).length).toBeGreaterThan(1), { timeout: 15_000, interval: 50 })
  }, 40_000)

  test('bound how many messages are worked off in a round, and the time between rounds [D-3.1.04]', async () => {
    const fields = { parallel_execution_processes: 2, jobinterval: 2500 }
    const id = await channelOf('1047', { url: graph.url, ...fields })
    const people = [1, 2, 3, 4].map(n => `551191000010${n}`)
    await Promise.all(people.map(person => says(id, '1047', person)))
    for (const person of people) await isSent(person, 1)
    const times = people.map(person => graph.times[graph.sent.findIndex(({ to }) => to === person)] ?? 0).sort()
    // A round has at most two of them.
    for (const at of [0, 1]) expect(Number(times[at + 2]) - Number(times[at])).toBeGreaterThan(1000)
  }, 40_000)
})

describe('a channel whose provider fails', () => {
  let channel: string
  beforeAll(async () => {
    channel = await channelOf('1050', { url: graph.url })
  })

  test.each([
    ['throttles', '5511910000041', 429, 130429, 'limit', '130429'],
    ['is not available', '5511910000042', 503, undefined, 'provider', 'http.503'],
    ['locks the account', '5511910000043', 400, 131031, 'account', '131031'],
    ['answers 502', '5511910000044', 502, undefined, 'provider', 'http.502'],
  ])(
    'is failing with its cause once the provider %s, and ok after the next accepted message [P-1964]',
    async (_, person, status, told, code, detail) => {
      const before = Date.now()
      const body = told === undefined ? {} : { error: { code: told } }
      graph.answers.push({ status, body }, { status, body }, { status, body })
      await says(channel, '1050', person)
      await isShown(channel, { state: 'failing', code, detail }, 5_000)
      expect(Date.parse((await healthOf(channel)).since ?? '')).toBeGreaterThanOrEqual(before - 1_000)
      graph.answers.length = 0
      await says(channel, '1050', `${person}9`)
      await isShown(channel, { state: 'ok', code: '', since: null })
    },
    30_000,
  )

  test('is failing while the provider takes no connection, and stopped with its bot [P-1960] [P-1964]', async () => {
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    // Nothing listens on the port of discard.
    const moved = await admin.patch(`/channel/${channel}`, { url: 'http://127.0.0.1:9' }, revision)
    await says(channel, '1050', '5511910000045')
    await isShown(channel, { state: 'failing', code: 'unreachable', detail: 'ECONNREFUSED', title: '' }, 5_000)
    await admin.patch(`/channel/${channel}`, { url: graph.url }, moved.body.revision)
    await isShown(channel, { state: 'ok', waiting: 0 }, 60_000)
    await admin.post(`/bot/${bot}/stop`)
    await isShown(channel, { state: 'stopped' })
    await admin.post(`/bot/${bot}/start`)
    await isShown(channel, { state: 'ok' })
  }, 90_000)
})

test('a throttle holds all people of its number back, and nobody of another number, until its token is replaced [P-2706]', async () => {
  const [slow, other] = [await channelOf('1052', { url: graph.url }), await channelOf('1053', { url: graph.url })]
  const peopleOf = (number: string) =>
    graph.sent.flatMap(({ to }, at) => (graph.paths[at]?.endsWith(`/${number}/messages`) === true ? [to] : []))
  const soon = { timeout: 20_000, interval: 20 }
  const first = '5511910000090'
  graph.answers.push({ status: 429, body: { error: { code: 130429 } }, headers: { 'retry-after': '600' } })
  await says(slow, '1052', first)
  await isShown(slow, { state: 'failing', code: 'limit' })
  const people = ['5511910000091', '5511910000092', '5511910000093']
  for (const from of people) await says(slow, '1052', from)
  await isShown(slow, { waiting: 4 })
  await says(other, '1053', '5511910000099')
  await vi.waitFor(() => expect(peopleOf('1053')).toContain('5511910000099'), soon)
  expect(peopleOf('1052')).toEqual([first])
  const { revision } = (await admin.get(`/channel/${slow}`)).body
  expect((await admin.patch(`/channel/${slow}`, { auth_token: 'EAAy' }, revision)).status).toBe(200)
  await vi.waitFor(() => expect(new Set(peopleOf('1052').slice(1))).toEqual(new Set(people)), soon)
  // The message that was refused still waits as long as the provider asked for.
  await isShown(slow, { waiting: 1 })
}, 60_000)

test('a channel without an address calls the Graph API of the setting, which says when its token ends [P-1965] [P-1966]', async () => {
  const id = await channelOf('1060')
  await says(id, '1060', '5511910000051')
  await vi.waitFor(() => expect(graph.paths).toContain('/v99.0/1060/messages'), { timeout: 15_000 })

  const ends = Math.floor(Date.now() / 1000) + 5 * 86_400 - 60
  graph.token.data = { is_valid: true, expires_at: ends, data_access_expires_at: ends + 86_400 }
  expect((await admin.post(`/channel/${id}/test`, {})).status).toBe(200)
  const time = new Date(ends * 1000).toISOString()
  expect((await admin.get(`/channel/${id}`)).body.token_ends).toBe(time)
  expect(await healthOf(id)).toMatchObject({ state: 'warning', code: 'token', detail: '5', tokenends: time })
  const told = async () => {
    const { items } = (await admin.get('/notification?size=50')).body
    return items.filter(({ entityid }) => entityid === id).map(({ message: code }) => code)
  }
  await vi.waitFor(async () => expect(await told()).toEqual(['channel.token']), { timeout: 25_000, interval: 500 })

  graph.token.data = { is_valid: false }
  await admin.post(`/channel/${id}/test`, {})
  expect(await healthOf(id)).toMatchObject({ state: 'error', code: 'unauthorized', detail: '190' })
  graph.token.data = { is_valid: true, expires_at: 0 }
  await admin.post(`/channel/${id}/test`, {})
  graph.token.data = undefined
  expect((await admin.get(`/channel/${id}`)).body.token_ends).toBe(null)
  expect(await healthOf(id)).toMatchObject({ state: 'ok', tokenends: null })
}, 60_000)

test('the account of a number has the time of its last message [P-1968]', async () => {
  const id = await channelOf('1070')
  const metaapp = await made('metaapp', { name: 'Lume', app_id: '900' })
  const account = await made('metaaccount', { metaapp, name: 'Loja', waba_id: '1', phone_number_id: '1070' })
  const seen = async () =>
    ((await admin.get(`/metaaccount/${account}/seen`)).body as unknown as AnswerOf<'GET /metaaccount/{id}/seen'>).last
  expect(await seen()).toBe(null)
  await says(id, '1070', '5511910000061')
  await vi.waitFor(async () => expect(Date.now() - Date.parse((await seen()) ?? '')).toBeLessThan(60_000), {
    timeout: 10_000,
  })
})

describe('the page of a channel', () => {
  const person = '5511910000101'
  let id: string
  const sends = (text: string, to = '+55 11 91000-0101') => admin.post(`/channel/${id}/testmessage`, { to, text })
  const activity = async () =>
    (await admin.get(`/channel/${id}/activity?from=${new Date(Date.now() - 3_600_000).toISOString()}`)).body
  const own = () => graph.paths.filter(path => path.endsWith('/1090/messages')).length
  beforeAll(async () => {
    id = await channelOf('1090', { url: graph.url })
  })

  test('sends a test message only to recent writers, and shows its receipts [P-2707] [P-2708]', async () => {
    const stranger = await sends('Teste')
    expect([stranger.status, stranger.body.errors]).toMatchObject([
      422,
      [{ path: 'to', code: 'format', params: { rule: 'testrecipient' } }],
    ])
    expect(await activity()).toMatchObject({ in: 0, out: 0, failed: 0 })
    await says(id, '1090', person)
    await vi.waitFor(() => expect(own()).toBe(1), { timeout: 10_000 })
    await isShown(id, { state: 'ok' })

    const { body: sent } = await sends('Teste')
    expect(sent).toMatchObject({ state: 'sent', after: null, detail: '' })
    const message = graph.sent.at(-1)
    expect(message).toMatchObject({ to: person, type: 'text', text: { body: 'Teste' } })
    const read = async () => (await admin.get(`/channel/${id}/testmessage/${sent.id}`)).body
    const receipt = (status: string) => ({
      ...{ id: `wamid.${graph.sent.length}`, status, timestamp: stamp(), recipient_id: person },
      biz_opaque_callback_data: message?.biz_opaque_callback_data,
    })
    await hook(id, '1090', { statuses: [receipt('delivered')] })
    expect(await read()).toMatchObject({ state: 'delivered' })
    await hook(id, '1090', { statuses: [receipt('read'), receipt('sent')] })
    expect(await read()).toMatchObject({ id: sent.id, state: 'read' })
    expect(Number((await read()).after)).toBeGreaterThanOrEqual(0)
    // It belongs to no conversation, and no figure counts it.
    expect(await activity()).toMatchObject({ in: 1, out: 1, failed: 0 })

    graph.answers.push({ status: 400, body: { error: { code: 131026 } } })
    expect((await sends('De novo')).body).toMatchObject({
      ...{ id: null, state: 'refused', detail: '131026 Message undeliverable' },
    })
    const { items } = (await admin.get(`/audit?entity=channel&entityid=${id}&action=tested`)).body
    expect(items).toHaveLength(2)

    const { revision } = (await admin.get(`/channel/${id}`)).body
    await admin.patch(`/channel/${id}`, { enable: false }, revision)
    expect((await sends('Teste')).body.code).toBe('channel.disabled')
  }, 60_000)

  test('has the duration of each step that calls the provider [P-2709]', async () => {
    const { body } = await admin.post(`/channel/${id}/test`, {})
    const steps = body.checks as unknown as AnswerOf<'POST /channel/{id}/test'>['checks']
    expect(steps.map(({ part, time }) => [part, time === null])).toEqual([
      ['settings', true],
      ['address', true],
      ['provider', false],
    ])
    expect(steps.reduce((sum, { time }) => sum + (time ?? 0), 0)).toBeLessThanOrEqual(Number(body.time) + 1)
  })
})

describe('alerts of a level', () => {
  const KEY = 'sixteen-characters-or-more'
  const received: { readonly body: string; readonly signature: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['x-parley-signature']) })
      response.writeHead(received.length === 1 ? 503 : 204).end()
    })
  })
  let root: string
  let url: string
  const levelOf = async (id: string) => (await admin.get(`/hierarchy/${id}`)).body
  const alertsOf = async (id: string) =>
    (await admin.get(`/hierarchy/${id}/alerts`)).body as unknown as AnswerOf<'GET /hierarchy/{id}/alerts'>
  beforeAll(async () => {
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`
    root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  })
  afterAll(() => receiver.close())

  test('need a secret with their address, which no answer shows [P-2704]', async () => {
    const { revision } = await levelOf(root)
    const bare = await admin.patch(`/hierarchy/${root}`, { alert_url: url }, revision)
    expect([bare.status, bare.body.errors]).toMatchObject([422, [{ path: 'alert_secret', code: 'required' }]])
    expect((await admin.post(`/hierarchy/${root}/testalert`, {})).body.code).toBe('level.noalert')
    expect(await alertsOf(root)).toMatchObject({ from: null, sent: false, items: [] })
    const both = await admin.patch(`/hierarchy/${root}`, { alert_url: url, alert_secret: KEY }, revision)
    expect(both.status, both.text).toBe(200)
    const row = await levelOf(root)
    expect([row.alert_url, row.alert_secret]).toMatchObject([url, { set: true }])
  })

  test('arrive signed: a test at once, and the error of a channel [P-2700] [P-2704]', async () => {
    const test = (await admin.post(`/hierarchy/${root}/testalert`, {})).body
    expect(test).toMatchObject({ ok: false, status: 503, reason: null })
    expect((await admin.post(`/hierarchy/${root}/testalert`, {})).body).toMatchObject({ ok: true, status: 204 })

    const id = await channelOf('1080')
    await says(id, '1080', '5511910000081')
    await isShown(id, { state: 'ok' })
    graph.token.data = { is_valid: false }
    await admin.post(`/channel/${id}/test`, {})
    graph.token.data = undefined
    // Other channels may send alerts too.
    const arrived = () => received.find(({ body }) => JSON.parse(body).about.id === id)
    const { body, signature } = await vi.waitFor(
      () => {
        const found = arrived()
        expect(found).toBeDefined()
        return found as NonNullable<typeof found>
      },
      { timeout: 25_000, interval: 100 },
    )
    const [, seconds = '', digest] = /^t=(\d+),v1=(.+)$/u.exec(signature) ?? []
    expect(digest).toBe(createHmac('sha256', KEY).update(`${seconds}.${body}`).digest('hex'))
    const name = String((await levelOf(root)).name)
    expect(JSON.parse(body)).toMatchObject({
      ...{ test: false, kind: 'alert', message: 'channel.error', times: 1, level: { id: root, name } },
      about: { entity: 'channel', id, name: '1080' },
      params: { to: 'error', code: 'unauthorized' },
      text: { pt: '1080 não envia nem recebe mensagens' },
    })
    // The receiver has an alert a moment before its outcome is stored.
    const outcomes = async () => {
      const { items } = await alertsOf(root)
      const own = items.filter(({ entityid, test }) => test || entityid === id)
      return own.map(({ message, state, status, tries }) => [message, state, status, tries])
    }
    await expect.poll(outcomes).toEqual([
      ['channel.error', 'delivered', 204, 1],
      ['alert.test', 'delivered', 204, 1],
      ['alert.test', 'failed', 503, 1],
    ])
  }, 60_000)

  test('go to the nearest level above with an address, which its readers alone see [P-2705]', async () => {
    const below = await made('hierarchy', { name: 'Loja de alertas', parent: root })
    expect(await alertsOf(below)).toMatchObject({ from: { id: root }, sent: true, items: [] })
    const { client } = await person(parley, admin, { username: 'alva', level: below, actions: ['readhierarchy'] })
    expect((await client.get(`/hierarchy/${below}/alerts`)).body).toMatchObject({ from: null, sent: true })
    expect((await client.get(`/hierarchy/${root}/alerts`)).status).toBe(404)
    expect((await client.post(`/hierarchy/${below}/testalert`, {})).status).toBe(403)
  })
})
