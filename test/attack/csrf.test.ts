import { afterAll, expect, test } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { UNKNOWN } from './ask.ts'
import { LogWatch } from './log-watch.ts'
import { type Description, isWrite, type Operation, operationsOf } from './operation.ts'

const { parley, admin } = await openAdmin({ env: { SEAL_MINUTES: '1440' } })
const description = (await parley.anyone.get('/openapi.json')).body as unknown as Description
const writes = operationsOf(description).filter(isWrite)
const log = new LogWatch(parley.folder)
afterAll(async () => {
  log.close()
})

const FOREIGN: readonly Record<string, string>[] = [
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1.evil.example' },
  { origin: 'http://127.0.0.1@evil.example' },
]
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, UNKNOWN)

const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']

test('refuses every write with the cookie from outside the console’s pages, for any content type', async () => {
  const before = log.position
  const faults = await Promise.all(
    writes
      .filter(({ open }) => !open)
      .map(async (operation, index) => {
        const wrong: string[] = []
        for (const [turn, foreign] of FOREIGN.entries()) {
          const type = TYPES[(index + turn) % TYPES.length] ?? ''
          const headers = { cookie: `parley=${admin.token}`, 'content-type': type, ...foreign }
          const { status, body } = await parley.anyone.send(operation.method, pathOf(operation), {
            body: '{}',
            headers,
          })
          if (status !== 403 || body.code !== 'auth.origin')
            wrong.push(
              `${operation.method} ${operation.path} ${JSON.stringify(foreign)} ${type}: ${status} ${body.code}`,
            )
        }
        return wrong
      }),
  )
  expect(faults.flat()).toEqual([])
  expect(faults.length).toBeGreaterThan(80)
  expect(log.after(before)).toEqual([])
  expect((await admin.get('/auth/user')).status).toBe(200)
}, 60_000)

test('refuses sign-in from other origins, and exposes no answer to them', async () => {
  const credentials = JSON.stringify({ username: 'admin', password: 'whatever' })
  for (const foreign of FOREIGN.slice(1)) {
    const headers = { 'content-type': 'application/json', ...foreign }
    const answer = await parley.anyone.send('POST', '/auth/login', { body: credentials, headers })
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.origin'])
    const preflight = await parley.anyone.send('OPTIONS', '/auth/login', {
      headers: {
        ...foreign,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    for (const { headers: got } of [answer, preflight, await admin.get('/auth/user', foreign)])
      expect([...got.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
  }
})

test('creates a new session on sign-in, never a given one', async () => {
  const planted = 'p'.repeat(43)
  const body = JSON.stringify({ username: 'admin', password: 'Parley-2026!' })
  const sign = (cookie: string) =>
    parley.anyone.send('POST', '/auth/login', {
      body,
      headers: { 'content-type': 'application/json', cookie: `parley=${cookie}`, origin: parley.origin },
    })
  const tokens = new Set<string>()
  for (const cookie of [planted, planted, admin.token]) {
    const { headers, body: answer } = await sign(cookie)
    const set = /^parley=([^;]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(set).toBe((answer.token as { accessToken: string }).accessToken)
    expect(headers.get('set-cookie')).toMatch(/; Path=\/botadmin; HttpOnly; SameSite=Strict$/)
    tokens.add(set)
  }
  expect(tokens.size).toBe(3)
  expect(tokens).not.toContain(planted)
  expect(tokens).not.toContain(admin.token)
  expect((await parley.anyone.get('/auth/user', { cookie: `parley=${planted}` })).status).toBe(401)
})

test('a request is judged by its Authorization header alone where it has one, and by no other place', async () => {
  const { token } = admin
  const mixed = { authorization: 'Bearer nonsense', cookie: `parley=${token}`, origin: parley.origin }
  expect((await parley.anyone.get('/auth/user', mixed)).status).toBe(401)
  for (const path of [`/auth/user?token=${token}`, `/auth/user?access_token=${token}`, `/auth/user?ticket=${token}`])
    expect([401, 422]).toContain((await parley.anyone.get(path)).status)
  for (const headers of [{ authorization: `Basic ${token}` }, { authorization: token }, { 'x-access-token': token }])
    expect((await parley.anyone.get('/auth/user', headers as Record<string, string>)).status).toBe(401)
})
