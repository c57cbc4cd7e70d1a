import { afterAll, expect, test } from 'vitest'
import { type Client, discard, failToStart, type ParleyProcess, startParley } from './harness.ts'

// Starts are most of the cost: these tests follow one gateway through its life, each from where the last one left it.
const env = { PARLEY_ADMIN_PASSWORD: '' }
let parley: ParleyProcess | undefined
let password = ''
let admin: Client
afterAll(() => discard(parley))

const startAgain = async (folder: string) => {
  parley = await startParley({ folder, env })
  admin = await parley.signIn('admin', password)
  return parley
}
const running = (): ParleyProcess => {
  if (parley === undefined) throw new Error('No gateway was started')
  return parley
}

test('a first start tells the password of admin once, and it signs in', async () => {
  parley = await startParley({ env })
  password = /^The password of admin is (\S+)/m.exec(parley.output())?.[1] ?? ''
  admin = await parley.signIn('admin', password)
  expect(admin.token).not.toBe('')
})

test('serves health, readiness and metrics without a session and without private data', async () => {
  const { anyone } = running()
  expect((await anyone.get('/health/live')).text).toBe('live\n')
  expect((await anyone.get('/health/ready')).text).toBe('ready\n')
  const { text, headers } = await anyone.get('/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  for (const name of ['store_appends', 'http_request_seconds', 'projection_lag', 'rooms', 'sign_ins'])
    expect(text).toContain(`parley_${name}`)
  for (const figure of ['age', 'lag'])
    expect(text).toMatch(new RegExp(`parley_follower_${figure}_seconds{follower="flows"} 0\\b`))
  for (const figure of [
    'turns_total{result="internal"}',
    'takeovers_total{work="turn"}',
    'store_subscription_cuts_total{reason="slow"}',
    'store_client_replacements_total',
    'inbox_age_seconds',
  ])
    expect(text).toContain(`\nparley_${figure} 0\n`)
  expect(text).not.toContain('"admin"')
  expect(text).not.toContain(password)
})

test('SIGTERM ends it with 0, everything is there afterwards, and the password is not printed again', async () => {
  const { id } = (await admin.post('/codesample', { name: 'Stays' })).body
  expect(await running().end('SIGTERM')).toBe(0)
  const { output } = await startAgain(running().folder)
  expect(output()).not.toContain('password')
  expect((await admin.get(`/codesample/${id}`)).body.name).toBe('Stays')
})

test('a second gateway on the folder says so in one line and ends', async () => {
  const second = await failToStart({ PARLEY_DATA: running().folder })
  expect(second.code).toBe(1)
  expect(second.errors).toMatch(/^The folder \S+ is in use by process \d+\n$/)
  expect(second.output).toBe('')
})

test('kill -9 loses nothing that was answered', async () => {
  const before = (await admin.get('/codesample')).body.total
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => admin.post('/codesample', { name: `n${n}` })))
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  await running().end('SIGKILL')
  await startAgain(running().folder)
  expect((await admin.get('/codesample')).body.total).toBe(before + 20)
})

test('a key that does not fit the store stops the start with one line', async () => {
  const { folder: PARLEY_DATA, end } = running()
  await end()
  const { code, errors } = await failToStart({ PARLEY_DATA, PARLEY_KEY: Buffer.alloc(32, 7).toString('base64') })
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
})

test.each([
  [{ PORT: '99999' }, 'PORT must be a port from 0 to 65535\n'],
  [{ THEME: 'neon' }, 'THEME must be theme1 … theme7, development, preproduction or production\n'],
  [{ LOGIN_ATTEMPTS: 'five' }, 'LOGIN_ATTEMPTS must be a number from 1 to 1000\n'],
  [
    { EVENTSTORE_URL: 'esdb://127.0.0.1:1', PARLEY_KEY: 'k' },
    'STORAGE_URL must be given with EVENTSTORE_URL: a place of files that all nodes share. For one node alone set SINGLE_NODE=on\n',
  ],
  [{ PARLEY_KEY: 'hidden', PARLEY_KEY_FILE: '/dev/null' }, 'PARLEY_KEY and PARLEY_KEY_FILE must not both be given\n'],
  [{ METABASE_SECRET_FILE: '/dev/null' }, 'METABASE_SECRET_FILE must be the path of a file that is not empty\n'],
])('a wrong setting %o stops the start with one line [P-1560]', async (env, line) => {
  const { code, errors } = await failToStart(env)
  expect({ code, errors }).toEqual({ code: 1, errors: line })
})
