import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ADMIN_PASSWORD, discard, failToStart, type ParleyProcess, startParley } from './harness.ts'

let parley: ParleyProcess | undefined
afterEach(async () => {
  await discard(parley)
  parley = undefined
})

test('a first start tells the password of admin once, and it signs in', async () => {
  parley = await startParley({ env: { PARLEY_ADMIN_PASSWORD: '' } })
  const password = /^The password of admin is (\S+)/m.exec(parley.output())?.[1] ?? ''
  expect((await parley.signIn('admin', password)).token).not.toBe('')
  await parley.end()
  const { folder } = parley
  parley = await startParley({ folder, env: { PARLEY_ADMIN_PASSWORD: '' } })
  expect(parley.output()).not.toContain('password')
})

test('SIGTERM ends it with 0, and everything is there afterwards', async () => {
  parley = await startParley()
  const { folder } = parley
  const { id } = (await (await parley.signIn()).post('/codesample', { name: 'Stays' })).body
  expect(await parley.end('SIGTERM')).toBe(0)
  parley = await startParley({ folder })
  const admin = await parley.signIn()
  expect((await admin.get(`/codesample/${id}`)).body.name).toBe('Stays')
})

test('kill -9 loses nothing that was answered', async () => {
  parley = await startParley()
  const { folder } = parley
  const admin = await parley.signIn()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => admin.post('/codesample', { name: `n${n}` })))
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  await parley.end('SIGKILL')
  parley = await startParley({ folder })
  expect((await (await parley.signIn()).get('/codesample')).body.total).toBe(20)
})

test('a second gateway on the folder says so in one line and ends', async () => {
  parley = await startParley()
  const second = await failToStart({ PARLEY_DATA: parley.folder })
  expect(second.code).toBe(1)
  expect(second.errors).toMatch(/^The folder \S+ is in use by process \d+\n$/)
  expect(second.output).toBe('')
})

test.each([
  [{ PORT: '99999' }, 'PORT must be a port from 0 to 65535\n'],
  [{ THEME: 'neon' }, 'THEME must be theme1 … theme7, development, preproduction or production\n'],
  [{ LOGIN_ATTEMPTS: 'five' }, 'LOGIN_ATTEMPTS must be a number from 1 to 1000\n'],
])('a wrong setting %o stops the start with one line', async (env, line) => {
  const { code, errors } = await failToStart(env)
  expect({ code, errors }).toEqual({ code: 1, errors: line })
})

test('a key that does not fit the store stops the start with one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-api-'))
  parley = await startParley({ folder })
  await parley.end()
  const { code, errors } = await failToStart({
    PARLEY_DATA: folder,
    PARLEY_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
  rmSync(folder, { recursive: true, force: true })
})

test('health, readiness and figures are open to whoever watches, and tell nobody anything', async () => {
  parley = await startParley()
  await parley.signIn()
  expect((await parley.anyone.get('/health/live')).text).toBe('live\n')
  expect((await parley.anyone.get('/health/ready')).text).toBe('ready\n')
  const { text, headers } = await parley.anyone.get('/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  for (const name of ['store_appends', 'http_request_seconds', 'projection_lag', 'rooms', 'sign_ins'])
    expect(text).toContain(`parley_${name}`)
  expect(text).not.toMatch(new RegExp(`"admin"|${ADMIN_PASSWORD}`))
})
