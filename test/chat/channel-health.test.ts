import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { type Client, discard } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { startGraphServer } from '#test/doubles/graph-server.ts'

const SECRET = 'app-secret'

let parley: HostedParley
let admin: Client
let graph: Awaited<ReturnType<typeof startGraphServer>>
let bot: string

const made = async (entity: string, fields: object): Promise<string> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  expect(status, text).toBe(201)
  return body.id
}
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

/** A person writes to a number. */
const says = async (channel: string, number: string, from: string) => {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '5511', phone_number_id: number },
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [
      {
        from,
        id: `wamid.${from}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: 'oi' },
      },
    ],
  }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  })
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const { status } = await fetch(`${parley.origin}/channel/${channel}`, { method: 'POST', headers, body })
  expect(status).toBe(200)
}
const healthOf = async (channel: string) =>
  (await admin.get(`/channel/${channel}/health`)).body as unknown as AnswerOf<'GET /channel/{id}/health'>
const isShown = (channel: string, expected: object, ms = 15_000) =>
  vi.waitFor(async () => expect(await healthOf(channel)).toMatchObject(expected), { timeout: ms, interval: 50 })

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
