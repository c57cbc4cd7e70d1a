import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MAX_PER_SOURCE } from '#gateway/http/guard.ts'
import { openLog } from '#gateway/log.ts'
import { readSettings } from '#gateway/settings.ts'
import { type Gateway, startGateway } from '#gateway/start-gateway.ts'
import { type Description, isWrite, operationsOf } from './operation.ts'
import { closeCodeOf, frameOf, openRaw, type RawSocket, upgradeOf } from './raw-socket.ts'

const ADMIN_PASSWORD = 'Parley-2026!'
/** Longest body that a route without a session reads. */
const MAX_OPEN_BODY = 8_192
const MEGABYTE = 1_000_000

let folder: string
let gateway: Gateway
let origin: string
beforeAll(async () => {
  // In this process, so that what is parsed can be counted.
  folder = await mkdtemp(join(tmpdir(), 'anonymous-'))
  const env = { PORT: '0', PARLEY_DATA: folder, PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD, PARLEY_SAMPLE: 'off' }
  const settings = readSettings({ ...env, LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1' })
  gateway = await startGateway(settings, openLog('silent'))
  origin = new URL(gateway.url).origin
}, 60_000)
afterAll(async () => {
  await gateway?.close()
  await rm(folder, { recursive: true, force: true })
})

let addresses = 0
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const post = (path: string, body: string, headers: Record<string, string> = elsewhere(), method = 'POST') =>
  fetch(`${origin}${path}`, { method, body, headers: { 'content-type': 'application/json', ...headers } })
const API = '/botadmin/api'

const filled = (unit: string, head = '', tail = '') =>
  head + unit.repeat(Math.floor((MEGABYTE - head.length - tail.length) / unit.length)) + tail
const HOSTILE: Readonly<Record<string, string>> = {
  'a million bytes of empty lists': filled('[],', '[', '[]]'),
  'lists within each other': `${'['.repeat(MEGABYTE / 2)}${']'.repeat(MEGABYTE / 2)}`,
  'one long text': filled('x', '{"username":"', '","password":"p"}'),
  'many members': `{${Array.from({ length: 60_000 }, (_, n) => `"a${n}":0`).join()}}`,
  'lists that fit the limit of bytes': `[${'[],'.repeat(2_600)}[]]`,
  'depth that fits the limit of bytes': `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
  'no JSON': 'x'.repeat(MEGABYTE),
}

/** Runs calls without a session; returns parsed characters and longest stall, ms. */
const cost = async (work: () => Promise<void>) => {
  const parse = vi.spyOn(JSON, 'parse')
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  try {
    await work()
    const parsed = parse.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length))
    return { parsed, longest, longestStall: delay.max / 1e6 }
  } finally {
    delay.disable()
    parse.mockRestore()
  }
}

describe('a body of a caller without a session', () => {
  test('is refused before it is parsed, for any shape, by every operation of the API [P-61]', async () => {
    const description = (await (await fetch(`${origin}${API}/openapi.json`)).json()) as Description
    const operations = operationsOf(description).filter(isWrite)
    const open = operations.filter(operation => operation.open).map(({ path }) => path)
    expect(open).toEqual(
      expect.arrayContaining(['/auth/login', '/user/register2fa', '/user/verify2fa', '/user/password']),
    )
    const statuses = new Set<number>()
    const { longest } = await cost(async () => {
      for (const { method, path, open } of operations) {
        // Routes that need a session all stand behind one guard: one body shows that none is read.
        for (const body of open ? Object.values(HOSTILE) : [HOSTILE['lists that fit the limit of bytes'] ?? '']) {
          const answer = await post(`${API}${path.replaceAll(/\{\w+\}/g, 'x')}`, body, elsewhere(), method)
          statuses.add(answer.status)
          if (open) expect([400, 413], `${method} ${path}`).toContain(answer.status)
          else expect(answer.status, `${method} ${path}`).toBe(401)
          await answer.arrayBuffer()
        }
      }
    })
    expect(statuses).toEqual(new Set([400, 401, 413]))
    // The shortest of these bodies has 7,804 characters.
    expect(longest).toBeLessThan(1_000)
  })

  test('is refused unread where no route is', async () => {
    const { parsed } = await cost(async () => {
      for (const path of [`${API}/nowhere`, `${API}/instance`, '/nowhere', '/botadmin/nowhere']) {
        const answer = await post(path, HOSTILE['a million bytes of empty lists'] ?? '')
        expect([404, 405]).toContain(answer.status)
      }
    })
    expect(parsed).toBeLessThan(MAX_OPEN_BODY)
  })

  test('stalls nobody when many come at once', async () => {
    const body = HOSTILE['a million bytes of empty lists'] ?? ''
    const { parsed, longestStall } = await cost(async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => post(`${API}/auth/login`, body)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]))
    })
    expect(parsed).toBeLessThan(MAX_OPEN_BODY)
    // 40 MB are sent from this very process; parsed they take seconds.
    expect(longestStall).toBeLessThan(1_500)
  })
})

describe('behind an address that used up its failures', () => {
  const from = elsewhere()
  const send = (body: string, cookie = '') => post(`${API}/auth/login`, body, { ...from, cookie })
  const login = (username: string, password: string, cookie = '') =>
    send(JSON.stringify({ username, password }), cookie)
  let device: string
  beforeAll(async () => {
    // Given a sign-in from this address before
    const first = await login('admin', ADMIN_PASSWORD)
    const cookie = first.headers.getSetCookie().find(one => one.startsWith('parley_device=')) ?? ''
    expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/)
    device = cookie.split(';')[0] ?? ''
    // When others fail
    await Promise.all(Array.from({ length: 64 }, (_, n) => login(`guess${n}`, 'x')))
  })

  test('a body is not read at all', async () => {
    const answer = await send('no JSON')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a known device signs in although others behind its address used up their failures, and for its own person alone [P-63]', async () => {
    // Only they wait
    expect((await login('admin', ADMIN_PASSWORD)).status).toBe(429)
    expect((await login('admin', ADMIN_PASSWORD, device)).status).toBe(200)
    expect((await login('guess', 'x', device)).status).toBe(429)
    expect((await login('admin', ADMIN_PASSWORD, `${device}0`)).status).toBe(429)
    // And who has taken the device guesses no more than twenty times a minute
    const guesses = await Promise.all(Array.from({ length: 20 }, () => login('admin', 'x', device)))
    expect(guesses.every(({ status }) => [401, 423].includes(status))).toBe(true)
    expect((await login('admin', 'x', device)).status).toBe(429)
  })
})

describe('a socket without a session', () => {
  const codeOf = async ({ answered, received }: RawSocket) => {
    await answered
    await vi.waitFor(() => expect(closeCodeOf(received())).toBeDefined())
    return closeCodeOf(received())
  }

  test('is closed with 4401, and neither kept nor read when it ignores the close [P-60]', async () => {
    const before = process.memoryUsage().arrayBuffers
    const sockets = ['/botadmin/realtime/dialog-x', '/botadmin/realtime/handler-x?acks=1&ticket=none'].map(path =>
      openRaw(origin, upgradeOf(path)),
    )
    for (const socket of sockets) expect(await codeOf(socket)).toBe(4401)
    const frame = frameOf(15 * MEGABYTE)
    for (const { socket } of sockets) for (let n = 0; n < 4; n++) socket.write(frame)
    await Promise.all(sockets.map(({ gone }) => gone))
    // The frame itself, and what is on its way, but not what was sent eight times.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MEGABYTE)
  })

  test('is destroyed soon after a refusal if the peer stays open', async () => {
    const room = '/botadmin/realtime/dialog-x'
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [upgradeOf('/botadmin/realtime/bot-x'), /^HTTP\/1.1 404/],
      [upgradeOf('/botadmin/socket.iox'), /^HTTP\/1.1 404/],
      [upgradeOf(room, ['Origin: https://evil.example']), /^HTTP\/1.1 403/],
      [[`GET ${room} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c'], /^HTTP\/1.1 400/],
      [upgradeOf(room), /^HTTP\/1.1 101/],
      [['no HTTP'], /^HTTP\/1.1 400/],
    ]
    await Promise.all(
      refusals.map(async ([lines, answer]) => {
        const raw = openRaw(origin, lines)
        await raw.gone
        expect(String(raw.received())).toMatch(answer)
      }),
    )
  }, 20_000)

  test.each([
    ['a room', '/botadmin/realtime/dialog-x'],
    ['notifications', '/botadmin/socket.io/?EIO=4&transport=websocket'],
  ])('that asks for %s is one of a bounded number from its address [P-62]', async (_what, path) => {
    const from = [`X-Forwarded-For: 203.0.113.${path.length}`]
    const sockets = Array.from({ length: MAX_PER_SOURCE + 30 }, () => openRaw(origin, upgradeOf(path, from)))
    await Promise.all(sockets.map(({ answered }) => answered))
    const accepted = sockets.filter(({ received }) => String(received()).startsWith('HTTP/1.1 101'))
    expect(accepted).toHaveLength(MAX_PER_SOURCE)
    // Others are let in meanwhile.
    const other = openRaw(origin, upgradeOf(path, ['X-Forwarded-For: 203.0.113.200']))
    await other.answered
    expect(String(other.received())).toMatch(/^HTTP\/1.1 101/)
    for (const { socket } of [...sockets, other]) socket.destroy()
  })

  test('for notifications is closed when it names no session, or an unknown one', async () => {
    const silent = openRaw(origin, upgradeOf('/botadmin/socket.io/?EIO=4&transport=websocket'))
    const socket: Socket = io(origin, {
      path: '/botadmin/socket.io',
      auth: { token: 'none' },
      reconnection: false,
      transports: ['websocket'],
    })
    const { message } = await new Promise<Error>(resolve => socket.once('connect_error', resolve))
    expect(message).toBe('auth.required')
    await silent.gone
  })

  test('has no long polling, and no second socket for the first', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${origin}/botadmin/socket.io/?EIO=4&transport=polling`, {
        method,
        ...(method === 'POST' ? { body: 'x'.repeat(MEGABYTE) } : {}),
      })
      expect(answer.status).toBe(400)
    }
    const first = openRaw(origin, upgradeOf('/botadmin/socket.io/?EIO=4&transport=websocket'))
    await first.answered
    await pause(50)
    const sid = /"sid":"([^"]+)"/.exec(String(first.received()))?.[1] ?? ''
    expect(sid).not.toBe('')
    const second = openRaw(origin, upgradeOf(`/botadmin/socket.io/?EIO=4&transport=websocket&sid=${sid}`))
    await second.gone
    expect(String(second.received())).toMatch(/^HTTP\/1.1 400/)
    first.socket.destroy()
  })
})
