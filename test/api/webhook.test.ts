import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test, vi } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const ACTIONS = ['createwebhook', 'readwebhook', 'updatewebhook', 'rotatewebhook', 'testwebhook', 'readbot']

const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
const server = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) })
  response.writeHead(200).end('obrigado')
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
const north = await level(admin, 'Norte')
const ana = await person(parley, admin, { username: 'ana', level: north, actions: ACTIONS })
afterAll(async () => {
  server.close()
})

let made = 0
const newWebhook = async (fields: object = {}) => {
  made += 1
  const { status, body, text: why } = await ana.client.post('/webhook', { name: `w${made}`, url, ...fields })
  if (status !== 201) throw new Error(why)
  return body as unknown as { readonly id: string; readonly secret: string }
}
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

test('shows the secret once, and makes who saves it its owner [P-2729]', async () => {
  const { id, secret } = await newWebhook({ enable: false })
  expect(secret).toMatch(SECRET)
  const row = (await ana.client.get(`/webhook/${id}`)).body
  expect(row).toMatchObject({ owner: ana.id, secret: { set: true }, state: 'working' })
  expect((await ana.client.get(`/webhook/${id}/history`)).text).not.toContain(secret)

  const rotated = (await ana.client.post(`/webhook/${id}/rotate`)).body as unknown as { readonly secret: string }
  expect(rotated.secret).toMatch(SECRET)
  expect(rotated.secret).not.toBe(secret)
  const until = Date.parse(String((await ana.client.get(`/webhook/${id}`)).body.secret_until))
  expect(until - Date.now()).toBeGreaterThan(23.9 * 3_600_000)

  const { status } = await admin.patch(`/webhook/${id}`, { types: ['bot.started'] }, 2)
  expect(status).toBe(200)
  expect((await admin.get(`/webhook/${id}`)).body.owner).not.toBe(ana.id)
  for (const wrong of [{ types: ['BotStarted'] }, { url: 'ftp://example.com' }, { secret: 'x' }, { owner: 'x' }])
    expect((await admin.patch(`/webhook/${id}`, wrong, 3)).status).toBe(422)
})

test('refuses an address with a name or a password, and names the header to check instead [P-2045]', async () => {
  const { id } = await newWebhook({ enable: false })
  const { revision } = (await admin.get(`/webhook/${id}`)).body
  for (const language of ['en', 'pt', 'es']) {
    const headers = { 'accept-language': language }
    for (const url of ['https://ana:word@example.com/', 'https://ana@example.com/']) {
      const { status, body } = await admin.patch(`/webhook/${id}`, { url }, revision, headers)
      expect(status).toBe(422)
      expect(body.errors).toMatchObject([
        { path: 'url', params: { rule: 'signedaddress' }, message: expect.stringContaining('webhook-signature') },
      ])
    }
  }
})

test('sends events of its level to its address, signed, lists them and counts attempts [P-2730] [P-2614] [P-2955]', async () => {
  const { id, secret } = await newWebhook({ types: ['entity.created'] })
  // It begins once its node has seen it.
  const probe = async () => {
    const bot = await admin.create('bot', { name: `Bot ${received.length} ${Date.now()}`, hierarchylevel: north })
    await vi.waitFor(() => expect(received.some(({ body }) => body.includes(bot))).toBe(true), 2_000)
    return bot
  }
  const bot = await vi.waitFor(probe, 20_000)
  await admin.create('bot', { name: 'Na raiz' })
  const { headers, body } = received.find(one => one.body.includes(bot)) ?? { headers: {}, body: '' }
  const event = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(event).toMatchObject({ type: 'entity.created', data: { entity: 'bot', id: bot, hierarchylevel: north } })

  const delivery = async (who: Client) => (await who.get(`/webhook/${id}/delivery?status=arrived`)).body.items[0]
  expect(await delivery(ana.client)).toMatchObject({
    type: 'entity.created',
    status: 200,
    answer: 'obrigado',
    tries: 1,
  })
  // Answers are for who may change the webhook.
  const reader = await person(parley, admin, { username: 'leitora', level: north, actions: ['readwebhook'] })
  const { behind, last, items } = (await reader.client.get(`/webhook/${id}/delivery`)).body
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) expect(item).not.toHaveProperty('answer')
  // It counts events of all levels.
  expect({ behind, last }).toEqual({ behind: null, last: expect.stringMatching(/Z$/) })
  for (const path of ['retry', 'replay', 'rotate', 'test'])
    expect((await reader.client.post(`/webhook/${id}/${path}`, { ids: ['x'], from: '2026-01-01' })).status).toBe(403)

  await vi.waitFor(async () => {
    const figures = (await admin.get('/metrics')).text
    expect(figures).toMatch(/^parley_webhook_deliveries_total\{outcome="arrived"\} [1-9]\d*$/m)
    expect(figures).toMatch(/^parley_webhook_behind \d+$/m)
  }, 10_000)
  const tested = (await ana.client.post(`/webhook/${id}/test`)).body
  expect(tested).toMatchObject({ ok: true, status: 200 })
  expect(JSON.parse(String(received.at(-1)?.body))).toMatchObject({ type: 'parley.ping', data: { id } })

  const before = received.length
  expect((await ana.client.post(`/webhook/${id}/replay`, { from: '2026-01-01' })).status).toBe(202)
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(before), 10_000)
  expect(received.slice(before).every(one => one.headers['parley-replay'] === '1')).toBe(true)
  expect(received.every(one => !one.body.includes('Na raiz'))).toBe(true)
  expect((await ana.client.post(`/webhook/${id}/retry`, { ids: ['none'] })).body).toEqual({ ids: [] })
  expect((await ana.client.post(`/webhook/${id}/replay`, { after: 'x.y' })).status).toBe(410)
}, 60_000)

test('sends to one address while another does not answer, and counts what waits [P-2735] [P-2938]', async () => {
  const stuck: ServerResponse[] = []
  const silent = createServer((request, response) => {
    request.resume()
    stuck.push(response)
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook`
  try {
    const { id } = await newWebhook({ url: address, types: ['entity.created'] })
    const behind = async () => (await ana.client.get(`/webhook/${id}/delivery`)).body.behind
    await newWebhook({ types: ['entity.created'] })
    const arrives = async () => {
      const bot = await admin.create('bot', { name: `Espera ${received.length} ${Date.now()}`, hierarchylevel: north })
      await vi.waitFor(() => expect(received.some(({ body }) => body.includes(bot))).toBe(true), 2_000)
    }
    await vi.waitFor(async () => {
      await arrives()
      expect(stuck.length).toBeGreaterThan(0)
    }, 20_000)
    // None of the calls is answered before the end of this test.
    await arrives()
    expect(stuck.every(({ writableEnded }) => !writableEnded)).toBe(true)
    await vi.waitFor(async () => expect(await behind()).toBeGreaterThanOrEqual(1), 10_000)
    const answering = setInterval(() => {
      for (const response of stuck.splice(0)) response.end()
    }, 50)
    await vi
      .waitFor(async () => expect(await behind()).toBe(0), { timeout: 20_000, interval: 500 })
      .finally(() => clearInterval(answering))
  } finally {
    for (const response of stuck) response.end()
    silent.closeAllConnections()
    silent.close()
  }
}, 60_000)

test('sends personal values for who may send them, with a reason, and says so in the audit [P-2741]', async () => {
  const wish = { types: ['user.created'], values: true, personal: true, personal_reason: 'Cadastro no CRM' }
  const refused = { status: 403, body: { code: 'access.lacking', params: { permissions: ['sendpersonal'] } } }
  expect(await ana.client.post('/webhook', { name: 'p', url, ...wish })).toMatchObject(refused)
  expect((await admin.post('/webhook', { name: 'p', url, ...wish, personal_reason: null })).status).toBe(422)
  const id = await admin.create('webhook', { name: 'p', url, hierarchylevel: north, ...wish })
  let made = 0
  const probe = async () => {
    made += 1
    const username = `pessoal${made}.${Date.now()}`
    await person(parley, admin, { username, level: north, actions: [] })
    await vi.waitFor(() => expect(received.some(({ body }) => body.includes(username))).toBe(true), 2_000)
    return username
  }
  const username = await vi.waitFor(probe, 20_000)
  const { body } = received.find(one => one.body.includes(username)) ?? { body: '{}' }
  const { data } = JSON.parse(body) as { readonly data: Record<string, unknown> }
  expect(data.values).toMatchObject({ username })
  expect(data.personal).toContain('username')
  expect(data.values).not.toHaveProperty('password')
  const query = `entity=webhook&entityid=${id}&action=personalsent`
  await vi.waitFor(async () => {
    const { items } = (await admin.get(`/audit?${query}`)).body as unknown as { readonly items: readonly object[] }
    expect(items[0]).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({ path: 'count', after: 1 }),
        expect.objectContaining({ path: 'reason', after: 'Cadastro no CRM' }),
      ]),
    })
  }, 10_000)

  // A person without the right changes nothing about the sending, but turns it off.
  expect(await ana.client.patch(`/webhook/${id}`, { url: `${url}2` }, 1)).toMatchObject(refused)
  expect((await ana.client.patch(`/webhook/${id}`, { name: 'outro' }, 1)).status).toBe(200)
  expect((await ana.client.patch(`/webhook/${id}`, { enable: false }, 2)).status).toBe(200)
  expect(await ana.client.patch(`/webhook/${id}`, { enable: true }, 3)).toMatchObject(refused)
}, 60_000)
