import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/doubles/free-port.ts'
import { SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { makeChatBot } from './chat-bot.ts'
import { openChat } from './open-chat.ts'

process.env.PARLEY_TEST_STORE = 'eventstoredb'
const { clientOf, discard, signInAt } = await import('./harness.ts')
const { openParley } = await import('./open-parley.ts')
const { doubleOf } = await import('./store-behind.ts')

// Starts are most of the cost: these tests share one gateway, each from where the last one left it.
let parley: Awaited<ReturnType<typeof openParley>> | undefined

const folder = mkdtempSync(join(tmpdir(), 'parley-shared-'))
const double = await doubleOf(folder)
afterAll(() => discard(parley))

const running = () => {
  if (parley === undefined) throw new Error('No gateway was started')
  return parley
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition().catch(() => false))) await new Promise(resolve => setTimeout(resolve, 100))
}

test('a gateway that finds no event store lives, says that it is not ready, and starts when the store is there', async () => {
  await double.stop()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/botadmin/api`
  const starting = openParley({ folder, env: { PORT: String(port) } })
  await until(async () => (await statusOf(`${base}/health/live`)) === 200)
  expect(await statusOf(`${base}/health/ready`)).toBe(503)
  const refused = await fetch(`${base}/auth/login`, { method: 'POST', headers: { 'accept-language': 'en' } })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'store.unavailable' })
  await double.start()
  parley = await starting
  expect((await (await parley.signIn()).get('/bot')).status).toBe(200)
}, 60_000)

test('answers writes with 503 without the event store, keeps reading, and recovers automatically', async () => {
  const { origin, signIn } = running()
  const admin = await signIn()
  const made = await admin.post('/bot', { name: 'Before' })
  expect(made.status).toBe(201)
  const ready = `${origin}/botadmin/api/health/ready`
  expect(await statusOf(ready)).toBe(200)

  await double.stop()
  const refused = await admin.post('/bot', { name: 'Meanwhile' })
  expect(refused).toMatchObject({ status: 503, body: { code: 'store.unavailable' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.get(`/bot/${made.body.id}`)).status).toBe(200)
  expect((await admin.get('/bot')).body.total).toBe(1)
  await until(async () => (await statusOf(ready)) === 503)

  await double.start()
  await until(async () => (await statusOf(ready)) === 200)
  expect((await admin.post('/bot', { name: 'After' })).status).toBe(201)
  expect((await admin.get('/bot')).body.total).toBe(2)
}, 60_000)

test('pages of events give those of the console and of conversations once each, in one order [P-2681]', async () => {
  const { origin, signIn } = running()
  const admin = await signIn()
  const pageOf = async (query: string) => {
    const { status, text, body } = await admin.get(`/event?${query}`)
    if (status !== 200) throw new Error(text)
    return body as unknown as {
      items: { id: string; type: string; timestamp: string }[]
      next: string
      caughtup: boolean
    }
  }
  const { next } = await pageOf('')
  const { channel } = await makeChatBot(admin, { name: 'Ouvida' })
  await openChat(origin, channel, ['Ana'])
  const all = (await pageOf(`after=${next}&limit=1000`)).items
  expect(all.map(({ type }) => type)).toEqual(expect.arrayContaining(['bot.started', 'conversation.started']))
  const paged: string[] = []
  for (let page = await pageOf(`after=${next}&limit=3`); ; page = await pageOf(`after=${page.next}&limit=3`)) {
    paged.push(...page.items.map(({ id }) => id))
    if (page.caughtup) break
  }
  expect(paged.slice(0, all.length)).toEqual(all.map(({ id }) => id))
  expect(new Set(paged).size).toBe(paged.length)
}, 60_000)

test('two gateways on one store show what either wrote, a name is one on both, and one that leaves takes writes [P-1504] [P-2434] [P-2696]', async () => {
  const admin = await running().signIn()
  const PUBLIC_URL = running().origin
  // Both are behind one address, so that the second one names the first: it is called at its port.
  const port = await freePort()
  const PORT = String(port)
  const second = await openParley({ env: { EVENTSTORE_URL: double.url, DRAIN_SECONDS: '2', PUBLIC_URL, PORT } })
  const at = `http://127.0.0.1:${port}`
  try {
    const there = await signInAt(at)
    const made = await admin.post('/bot', { name: 'Written here' })
    await until(async () => (await there.get(`/bot/${made.body.id}`)).status === 200)
    const expires = new Date(Date.now() + 86_400_000).toISOString()
    const key = (await admin.post('/apitoken', { name: 'Key', expires })).body
    // A token is accepted at once on the other node, and refused here soon after its revocation there.
    expect((await clientOf(at, String(key.token)).get('/bot')).status).toBe(200)
    const here = clientOf(running().origin, String(key.token))
    expect((await here.get('/bot')).status).toBe(200)
    expect((await there.post(`/apitoken/${key.id}/revoke`)).status).toBe(200)
    const revoked = performance.now()
    await until(async () => (await here.get('/bot')).status === 401)
    expect(performance.now() - revoked).toBeLessThan(5_000)
    // A challenge for a passkey that one node gave is good once, at any node.
    const authenticator = new SoftwareAuthenticator(PUBLIC_URL.replace('127.0.0.1', 'localhost'))
    const creation = (await admin.post('/user/passkey/options')).body as never
    const passkey = { name: 'Chave', passkey: authenticator.create(creation) }
    const added = await clientOf(at, admin.token).post('/user/passkey', passkey)
    expect(added.status, added.text).toBe(204)
    const asked = (await clientOf(at, '').post('/auth/passkey/options')).body as never
    const shown = [running().anyone, clientOf(at, '')].map(node => node.post('/auth/passkey', authenticator.get(asked)))
    expect((await Promise.all(shown)).map(({ status }) => status).toSorted()).toEqual([200, 401])
    const changed = await there.patch(`/bot/${made.body.id}`, { name: 'Changed there' }, made.body.revision)
    expect(changed.status).toBe(200)
    await until(async () => (await admin.get(`/bot/${made.body.id}`)).body.revision === changed.body.revision)
    expect((await admin.post('/bot', { name: 'changed  THERE' })).status).toBe(409)

    // On stop, readiness fails first for the proxy; requests are still accepted.
    const ended = second.stop()
    await until(async () => (await statusOf(`${at}/botadmin/api/health/ready`)) === 503)
    const last = await there.post('/bot', { name: 'Written while it left' })
    expect([last.status, last.headers.get('connection')]).toEqual([201, 'close'])
    await ended
    await until(async () => (await admin.get(`/bot/${last.body.id}`)).status === 200)
  } finally {
    await discard(second)
  }
}, 60_000)
