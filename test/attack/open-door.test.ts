import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOpenDoor, OPEN_PAGE, undeclaredRoutes } from '#gateway/open/open-door.ts'
import { OpenLimits } from '#gateway/open/open-limits.ts'
import { settingsSchema } from '#schemas/settings.ts'
import { type Client, discard } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'

const APP_SECRET = 'secret-of-the-app'
const BODY_SECONDS = 2
const MEGABYTE = 1_000_000

let parley: HostedParley
let admin: Client
let bot: string
/** A WhatsApp channel whose calls are signed, and a web chat. */
let signed: string
let chat: string
let addresses = 0

const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })
const made = async (entity: string, fields: object): Promise<string> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  if (status !== 201) throw new Error(text)
  return String(body.id)
}
const figure = async (name: string): Promise<number> => {
  const text = await (await fetch(`${parley.origin}/botadmin/api/metrics`)).text()
  return text
    .split('\n')
    .filter(line => line.startsWith(name) && !line.startsWith('#'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

beforeAll(async () => {
  parley = await openParley({
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      LIMIT_BODY_SECONDS: String(BODY_SECONDS),
      LIMIT_MESSAGES: '60',
      LIMIT_CONVERSATIONS: '120',
      LIMIT_FILES: '1000',
      LIMIT_FILE_MB: '200',
      LIMIT_FILE_MB_BOT: '300',
      LIMIT_REQUESTS: '300',
      METRICS_TOKEN: 'token-of-the-figures',
    },
  })
  admin = await parley.signIn()
  bot = await made('bot', { name: 'Bia' })
  signed = await made('channel', {
    bot,
    name: 'WhatsApp',
    type: 'whatsapp_meta',
    channel_verify_token: 'verify',
    app_secret: APP_SECRET,
    auth_token: 'auth',
    sender_number: '5511999990000',
    enable: true,
  })
  const found = await admin.get(`/channel?bot=${bot}&type=webchat`)
  chat =
    (found.body as { items: { id: string }[] }).items[0]?.id ??
    (await made('channel', { bot, name: 'Site', type: 'webchat', enable: true }))
  await admin.post(`/bot/${bot}/start`)
}, 120_000)
afterAll(() => discard(parley))

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${parley.origin}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('routes without a session', () => {
  test('a route that declares no checks is found, one behind the guard is not [P-1630]', async () => {
    const app = Fastify({ exposeHeadRoutes: false })
    const routes = addOpenDoor(app, { limits: new OpenLimits(settingsSchema.parse({})), bodyMs: 1000 })
    app.get('/declared', { config: { door: OPEN_PAGE } }, async () => '')
    app.get('/guarded', { config: { isGuarded: true } }, async () => '')
    app.get('/guarded/open', { config: { isGuarded: true, open: true } }, async () => '')
    app.post('/undeclared', async () => '')
    expect(undeclaredRoutes(routes)).toEqual(['GET /guarded/open', 'POST /undeclared'])
  })

  test.each(['/agent/anything/webhook', '/channel/anything', '/meta/anything/webhook', '/ml/anything/webhook'])(
    'a body of 990 kB to %s is not read where its target does not exist [P-1631]',
    async path => {
      const body = `[${'[],'.repeat(330_000)}[]]`
      const cpu = await figure('process_cpu_seconds_total')
      const statuses = new Set<number>()
      for (let call = 0; call < 10; call += 1) statuses.add((await post(path, body, elsewhere())).status)
      const used = (await figure('process_cpu_seconds_total')) - cpu
      expect([...statuses].every(status => status === 401 || status === 404)).toBe(true)
      // Parsing takes 200 to 280 ms each.
      expect(used / 10).toBeLessThan(0.03)
    },
  )

  test('a declared length above the limit is refused before the body, a proof that is missing as well [P-1632]', async () => {
    const tooLarge = await post(`/channel/${signed}`, 'x'.repeat(4 * MEGABYTE), elsewhere()).catch(() => undefined)
    expect([413, undefined]).toContain(tooLarge?.status)
    expect((await post(`/channel/${signed}`, '{}', elsewhere())).status).toBe(401)
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] })
    const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
    const proven = await post(`/channel/${signed}`, body, { ...elsewhere(), 'x-hub-signature-256': signature })
    expect(proven.status).toBe(200)
  })
})

describe('bodies that do not end', () => {
  /** Announces 3 MB, sends all but the last bytes, and waits. */
  const withhold = (path: string, address: string): { readonly socket: Socket; readonly closed: Promise<void> } => {
    const { hostname, port } = new URL(parley.origin)
    const socket = connect({ host: hostname, port: Number(port) })
    const closed = Promise.withResolvers<void>()
    socket.on('error', () => undefined)
    socket.on('close', () => closed.resolve())
    socket.resume()
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: gateway\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: 3100000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(3_099_990, 0x20))
    return { socket, closed: closed.promise }
  }

  test.each([
    ['to no channel', () => '/channel/nothing'],
    ['to a channel whose signature covers them', () => `/channel/${signed}`],
  ])(
    '150 bodies %s hold at most 64 MB and are closed in time [P-1633]',
    async (_title, path) => {
      const before = await figure('process_resident_memory_bytes')
      const open = Array.from({ length: 150 }, (_, n) => withhold(path(), `198.18.${n}.1`))
      const begun = performance.now()
      let most = 0
      const watching = setInterval(async () => {
        most = Math.max(most, await figure('process_resident_memory_bytes').catch(() => 0))
      }, 300)
      await Promise.all(open.map(({ closed }) => closed))
      clearInterval(watching)
      const seconds = (performance.now() - begun) / 1000
      expect(seconds).toBeLessThan(BODY_SECONDS + 8)
      expect((most - before) / MEGABYTE).toBeLessThan(110)
      expect(await figure('parley_open_body_bytes')).toBe(0)
    },
    60_000,
  )
})
