import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { createChatTokens } from '#gateway/chat/chat-token.ts'
import { addPublicRouteChecks, PUBLIC_PAGE, undeclaredRoutes } from '#gateway/http/public-route-checks.ts'
import { PublicRouteLimits, RateLimits } from '#gateway/http/rate-limit.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { settingsSchema } from '#schemas/settings.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { level, person } from '#test/api/people.ts'
import { BUSY } from '#test/fault/size.ts'
import { APP_SECRET, callerOf, openChannels } from './open-channels.ts'

const BODY_SECONDS = 2
const MEGABYTE = 1_000_000

const { parley, admin } = await openAdmin({
  env: {
    TRUSTED_PROXIES: '127.0.0.1',
    LIMIT_BODY_SECONDS: String(BODY_SECONDS),
    LIMIT_MESSAGES: '60',
    LIMIT_CONVERSATIONS: '30',
    LIMIT_FILES: '1000',
    LIMIT_FILE_MB: '40',
    LIMIT_FILE_MB_BOT: '2000',
    LIMIT_REQUESTS: '300',
    METRICS_ALLOW: '192.0.2.0/24',
    METRICS_TOKEN: 'token-of-the-figures',
  },
})
let addresses = 0

const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })
const made = (entity: string, fields: object) => admin.create(entity, fields)
const figure = async (name: string): Promise<number> => {
  const text = await (await fetch(`${parley.origin}/botadmin/api/metrics`)).text()
  return text
    .split('\n')
    .filter(line => line.startsWith(name) && !line.startsWith('#'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const { bot, signed, chat } = await openChannels(admin)
const web = await made('channel', { bot, name: 'Loja', type: 'webchat', enable: true })

const { post, open, say } = callerOf(parley.origin, chat)

describe('routes without a session', () => {
  test('a route that declares no checks is found, one behind the guard is not [P-1630]', async () => {
    const app = Fastify({ exposeHeadRoutes: false })
    const routes = addPublicRouteChecks(app, {
      limits: new PublicRouteLimits(settingsSchema.parse({}), { rates: new RateLimits() }),
      bodyMs: 1000,
    })
    app.get('/declared', { config: { door: PUBLIC_PAGE } }, async () => '')
    app.get('/guarded', { config: { isGuarded: true } }, async () => '')
    app.get('/guarded/open', { config: { isGuarded: true, open: true } }, async () => '')
    app.post('/undeclared', async () => '')
    expect(undeclaredRoutes(routes)).toEqual(['GET /guarded/open', 'POST /undeclared'])
  })

  test.each(['/agent/anything/webhook', '/channel/anything', '/meta/anything/webhook', '/ml/anything/webhook'])(
    'a body of 990 kB to %s is not read where its target does not exist [P-1631]',
    async path => {
      const body = `[${'[],'.repeat(330_000)}[]]`
      const used: number[] = []
      for (let call = 0; call < 10; call += 1) {
        const before = await figure('process_cpu_seconds_total')
        expect([401, 404]).toContain((await post(path, body, elsewhere())).status)
        used.push((await figure('process_cpu_seconds_total')) - before)
      }
      // Parsing takes 200 to 280 ms each. Other gateways of this process work meanwhile: most calls count, not their sum.
      expect(used.toSorted((one, other) => one - other)[5]).toBeLessThan(0.03)
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
    ['of one address to no channel', 64, () => '/channel/nothing'],
    ['of one address to a channel whose signature covers them', 128, () => `/channel/${signed}`],
  ])(
    '150 bodies %s hold little memory and are closed in time [P-1633]',
    async (_title, megabytes, path) => {
      const before = await figure('process_resident_memory_bytes')
      const address = Object.values(elsewhere())[0] ?? ''
      const open = Array.from({ length: 150 }, () => withhold(path(), address))
      const begun = performance.now()
      let most = 0
      const watching = setInterval(async () => {
        most = Math.max(most, await figure('process_resident_memory_bytes').catch(() => 0))
      }, 300)
      await Promise.all(open.map(({ closed }) => closed))
      clearInterval(watching)
      const seconds = (performance.now() - begun) / 1000
      expect(seconds).toBeLessThan(BODY_SECONDS + 8)
      expect((most - before) / MEGABYTE).toBeLessThan(megabytes)
      await expect.poll(() => figure('parley_open_body_bytes'), BUSY).toBe(0)
    },
    60_000,
  )
})

test('a request in work counts once for its node [P-1633]', async () => {
  const settings = settingsSchema.parse({ LIMIT_REQUESTS_NODE: '3' })
  const app = Fastify()
  addPublicRouteChecks(app, { limits: new PublicRouteLimits(settings, { rates: new RateLimits() }), bodyMs: 1000 })
  const ended = Promise.withResolvers<void>()
  const door = { target: async () => ({ channel: 'c', bot: 'b' }) }
  app.get('/', { config: { door } }, async () => ended.promise.then(() => ''))
  const asked = Array.from({ length: 4 }, async () => (await app.inject('/')).statusCode)
  const refused = await Promise.race(asked)
  ended.resolve()
  expect((await Promise.all(asked)).toSorted()).toEqual([200, 200, 200, refused])
  expect(refused).not.toBe(200)
})

test('a body that has arrived is answered, however long the check of its target takes [P-2021]', async () => {
  const app = Fastify()
  addPublicRouteChecks(app, {
    limits: new PublicRouteLimits(settingsSchema.parse({}), { rates: new RateLimits() }),
    bodyMs: 50,
  })
  const target = async () => {
    await new Promise(resolve => setTimeout(resolve, 300))
    return { channel: 'c', bot: 'b' }
  }
  app.post('/', { config: { door: { target } } }, async ({ body }) => body)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(origin, { method: 'POST', headers, body: '{"text":"oi"}' })
  expect(await answer.json()).toEqual({ text: 'oi' })
  await app.close()
})

test('failures at another node count before the first call here [P-1541]', async () => {
  const bus = new MemoryBus()
  const [here, there] = ['here', 'there'].map(
    () => new RateLimits({ hints: new Hints({ bus: bus.join(), store: 's', key: 'k' }) }),
  ) as [RateLimits, RateLimits]
  const app = Fastify()
  addPublicRouteChecks(app, { limits: new PublicRouteLimits(settingsSchema.parse({}), { rates: here }), bodyMs: 1000 })
  app.get('/', { config: { door: { failures: { name: 'failures', most: 2 } } } }, async () => '')
  await app.ready()
  const failures = there.add('failures', 2)
  for (let n = 0; n < 2; n += 1) failures.count('127.0.0.1')
  // Closing sends what waits; the bus delivers it in a later turn of the event loop.
  there.close()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect((await app.inject('/')).statusCode).not.toBe(200)
  here.close()
})

test('a node holds 64 MB of bodies of all addresses, and an address 16 MB of them [P-1633]', () => {
  const limits = new PublicRouteLimits(settingsSchema.parse({}), { rates: new RateLimits() })
  const holds = Array.from({ length: 5 }, (_, n) => limits.hold('bodybytes', { address: `a${n}` }))
  expect(holds[0]?.take(16 * MEGABYTE)).toBe(true)
  expect(holds[0]?.take(1)).toBe(false)
  for (const hold of holds.slice(1, 4)) expect(hold.take(16 * MEGABYTE)).toBe(true)
  expect(holds[4]?.take(1)).toBe(false)
  holds[2]?.release()
  expect(holds[4]?.take(1)).toBe(true)
  for (const hold of holds) hold.release()
  expect(limits.heldInNode('bodybytes')).toBe(0)
})

describe('limits of an address', () => {
  test('61 messages a minute from one address get 429, those of another are taken [P-1634]', async () => {
    const here = elsewhere()
    const refused = await figure('parley_open_limited_total')
    const statuses: number[] = []
    let last: Response | undefined
    // 20 messages of one conversation within 10 s are a limit of their own.
    for (let n = 0; n < 4; n += 1) {
      const { body } = await open(here)
      for (let m = 0; m < 16 && last?.status !== 429; m += 1) {
        last = await say(body.conversation, body.token, here, `m${m}`)
        statuses.push(last.status)
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 202), 429])
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await figure('parley_open_limited_total')).toBe(refused + 1)
    const there = elsewhere()
    const { body } = await open(there)
    expect((await say(body.conversation, body.token, there, 'm')).status).toBe(202)
  })

  test('a server with the secret of the channel speaks for many people from one address [P-1634]', async () => {
    const here = elsewhere()
    const statuses = new Set<number>()
    for (let n = 0; n < 5; n += 1) {
      const { body } = await open(here, { token: 'secret-1', user: { id: `person ${n}` } })
      for (let m = 0; m < 16; m += 1) statuses.add((await say(body.conversation, body.token, here, `m${m}`)).status)
    }
    expect([...statuses]).toEqual([202])
  })

  test('addresses of one IPv6 network of 64 bits begin so many conversations a minute together [P-1635]', async () => {
    const statuses = new Map<number, number>()
    for (let n = 0; n < 35; n += 1) {
      const { status } = await open({ 'x-forwarded-for': `2001:db8:7:7::${n.toString(16)}` })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 201: 30, 429: 5 })
    expect((await open({ 'x-forwarded-for': '2001:db8:7:8::1' })).status).toBe(201)
  })

  test('a page of another origin reads the refusal of a limit [P-1635]', async () => {
    const answer = await post(`/chat/${chat}/conversations`, '{}', {
      'x-forwarded-for': '2001:db8:7:7::1',
      origin: parley.origin,
    })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('access-control-allow-origin')).toBe(parley.origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
  })
})

describe('rights', () => {
  test('no simulation, test or connection test runs while a person is seen as another [P-1645]', async () => {
    const owner = await level(admin, 'Norte')
    const { id } = await person(parley, admin, {
      username: 'ana',
      level: owner,
      actions: ['readbot', 'updatedialog', 'readdialog', 'readconversationtest', 'testchannel', 'readchannel'],
    })
    const own = await made('bot', { name: 'Do Norte', hierarchylevel: owner })
    expect((await admin.post('/auth/seeas', { user: id })).status).toBe(204)
    const viewing = { status: 403, body: { code: 'access.viewing' } }
    expect(await admin.post(`/bot/${own}/simulation`, { effects: { rest: 'real' } })).toMatchObject(viewing)
    expect(await admin.post('/simulation/any/answer', { real: true })).toMatchObject(viewing)
    expect(await admin.post(`/bot/${own}/tests`, {})).toMatchObject(viewing)
    expect(await admin.post(`/channel/${signed}/test`)).toMatchObject(viewing)
    expect((await admin.get(`/bot/${own}/tests`)).status).toBe(200)
    await admin.post('/auth/seeas/end')
    expect((await admin.post(`/bot/${own}/simulation`, {})).status).toBe(201)
  })

  test('figures are for loopback, METRICS_ALLOW and METRICS_TOKEN [P-1646]', async () => {
    const read = async (headers: Record<string, string> = {}) =>
      (await fetch(`${parley.origin}/botadmin/api/metrics`, { headers })).status
    expect(await read()).toBe(200)
    expect(await read(elsewhere())).toBe(403)
    expect(await read({ ...elsewhere(), authorization: 'Bearer token-of-the-figures' })).toBe(200)
    expect(await read({ ...elsewhere(), authorization: 'Bearer token-of-the-figurez' })).toBe(403)
    expect(await read({ 'x-forwarded-for': '192.0.2.77' })).toBe(200)
  })

  test('tokens of a chat end when the secret of the channel changes or the channel is disabled [P-1647]', async () => {
    const begin = async () => {
      const answer = await post(`/chat/${chat}/conversations`, '{}', elsewhere())
      return (await answer.json()) as { conversation: string; token: string }
    }
    const read = async ({ conversation, token }: { conversation: string; token: string }) =>
      (
        await fetch(`${parley.origin}/chat/conversations/${conversation}/messages`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status
    const change = async (fields: object) => {
      const { body } = await admin.get(`/channel/${chat}`)
      expect((await admin.patch(`/channel/${chat}`, fields, Number(body.revision))).status).toBe(200)
    }
    const before = await begin()
    expect(await read(before)).toBe(200)
    await change({ channel_verify_token: 'secret-2' })
    expect(await read(before)).toBe(401)
    const renewed = await post(`/chat/conversations/${before.conversation}/token`, '{}', {
      authorization: `Bearer ${before.token}`,
    })
    expect(renewed.status).toBe(401)
    const resumed = await post(`/chat/${chat}/conversations`, JSON.stringify({ resume: before.token }), elsewhere())
    expect(await resumed.json()).toMatchObject({ resumed: false })
    const after = await begin()
    await change({ enable: false })
    expect(await read(after)).toBe(404)
  })

  test('a token ends 30 days after the first of its chain, however often it is renewed [P-1647]', async () => {
    const day = 86_400_000
    let time = 0
    const tokens = createChatTokens(
      text => createHmac('sha256', 'key').update(text).digest('hex'),
      () => time,
    )
    const channel = { id: 'web', verifyToken: 'secret' }
    let { token } = await tokens.issue({ conversation: 'c', channel })
    for (let n = 0; n < 60; n += 1) {
      time += day / 2
      const content = await tokens.readKept(token)
      if (content === undefined) break
      token = (await tokens.issue({ conversation: 'c', channel, first: content.first })).token
    }
    expect(time).toBe(30 * day)
    expect(await tokens.readKept(token)).toBeUndefined()
  })
})

describe('files of chats', () => {
  const begin = async (headers: Record<string, string>) => {
    const answer = await post(`/chat/${web}/conversations`, '{}', headers)
    return (await answer.json()) as { conversation: string; token: string }
  }
  const send = async (
    { conversation, token }: { conversation: string; token: string },
    content: Buffer<ArrayBuffer>,
    name: string,
    headers: Record<string, string> = {},
  ) => {
    const form = new FormData()
    form.append('file', new Blob([content]), name)
    const answer = await fetch(`${parley.origin}/chat/conversations/${conversation}/files`, {
      method: 'POST',
      body: form,
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    return { status: answer.status, body: (await answer.json()) as { id: string; size: number } }
  }
  /** Files of the data folder that hold one of these texts, or whose path does. */
  const holding = async (...texts: readonly string[]): Promise<readonly string[]> => {
    const entries = await readdir(parley.folder, { recursive: true, withFileTypes: true })
    const found: string[] = []
    for (const entry of entries.filter(each => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path).catch(() => Buffer.alloc(0))
      if (texts.some(text => path.includes(text) || content.includes(text))) found.push(path)
    }
    return found
  }

  test('no file above 1 MiB is stored cut, however large it is [P-1640]', async () => {
    const here = elsewhere()
    const chatted = await begin(here)
    for (const size of [1_048_577, 1_100_000, 3_000_000]) {
      const { status, body } = await send(chatted, Buffer.alloc(size, 97), 'a.txt', here)
      expect([status, body.size]).toEqual([201, size])
    }
    const { status } = await send(chatted, Buffer.alloc(25 * 1_048_576 + 1, 97), 'a.txt', here)
    expect(status).toBe(413)
    for (const extra of [1, 1_000, 100_000, 1_000_000]) {
      const form = new FormData()
      form.append('file', new Blob([Buffer.alloc(1_048_576 + extra, 97)]), 'a.txt')
      expect((await admin.send('POST', '/file', { body: form })).status).toBe(413)
    }
  })

  test('an upload of 25 MB is not held in memory [P-1640]', async () => {
    const here = elsewhere()
    const chatted = await begin(here)
    const content = Buffer.alloc(25 * 1_048_576, 97)
    const before = await figure('process_resident_memory_bytes')
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(chatted, content, 'a.txt', elsewhere())))
    const most = (await figure('process_resident_memory_bytes')) - before
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(most / MEGABYTE).toBeLessThan(80)
  })

  test('an upload that breaks off leaves no file behind [P-1640]', async () => {
    const here = elsewhere()
    const { conversation, token } = await begin(here)
    const { hostname, port } = new URL(parley.origin)
    const arriving = async () => (await holding('.part')).filter(path => path.endsWith('.part'))
    const head = (path: string, credentials: string) =>
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${credentials}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    for (const text of [
      head(`/chat/conversations/${conversation}/files`, `Authorization: Bearer ${token}`),
      head('/botadmin/api/file', `Authorization: Bearer ${admin.token}`),
    ]) {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(text)
      socket.write(Buffer.alloc(400_000, 97))
      await vi.waitFor(async () => expect(await arriving()).toHaveLength(1), 5_000)
      socket.destroy()
      await vi.waitFor(async () => expect(await arriving()).toEqual([]), 5_000)
    }
  })

  test('so many MB a day of one address are stored, and no more [P-1636]', async () => {
    const here = elsewhere()
    const chatted = await begin(here)
    const content = Buffer.alloc(25_000_000, 97)
    const statuses: number[] = []
    for (let n = 0; n < 2; n += 1) statuses.push((await send(chatted, content, 'a.txt', here)).status)
    expect(statuses).toEqual([201, 429])
    const there = elsewhere()
    expect((await send(await begin(there), Buffer.from('oi'), 'a.txt', there)).status).toBe(201)
  })

  test('content and name of a file leave the data folder with the conversation [P-1641]', async () => {
    const here = elsewhere()
    const chatted = await begin(here)
    const { body } = await send(chatted, Buffer.from('conteudo-sigiloso-7731'), 'nome-sigiloso-7731.txt', here)
    const unused = await send(chatted, Buffer.from('conteudo-sigiloso-7732'), 'nome-sigiloso-7732.txt', here)
    const said = await post(
      `/chat/conversations/${chatted.conversation}/messages`,
      JSON.stringify({ id: 'm1', type: 'attachment', attachments: [body.id] }),
      { ...here, authorization: `Bearer ${chatted.token}` },
    )
    expect(said.status).toBe(202)
    expect((await holding('sigiloso-7731')).length).toBeGreaterThan(0)
    const forgotten = await fetch(`${parley.origin}/chat/conversations/${chatted.conversation}`, {
      method: 'DELETE',
      headers: { ...here, authorization: `Bearer ${chatted.token}` },
    })
    expect(forgotten.status).toBe(204)
    await vi.waitFor(async () => {
      expect(await holding('sigiloso-7731', 'sigiloso-7732', body.id, unused.body.id)).toEqual([])
    }, 10_000)
    expect((await fetch(`${parley.origin}/chat/files/${body.id}`)).status).toBe(404)
  })
})
