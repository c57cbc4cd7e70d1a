import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, expect, test } from 'vitest'
import { openParley } from '../api/open-parley.ts'
import { PASSWORD, person } from '../api/people.ts'

const KEY = Buffer.from('planted-master-key-0123456789abc').toString('base64')
const ADMIN = 'Plantada-Admin-2026!'

const env = { LOG_LEVEL: 'trace', PARLEY_KEY: KEY, PARLEY_ADMIN_PASSWORD: ADMIN, SEAL_MINUTES: '1' }
const parley = await openParley({ env })
const admin = await parley.signIn('admin', ADMIN)
afterAll(() => parley.close())

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesIn(path)
    else yield path
  }
}

/** As it is, and as it would be encoded on the way to a file. */
const formsOf = (secret: string): readonly Buffer[] => [
  Buffer.from(secret),
  Buffer.from(secret, 'utf16le'),
  ...[0, 1, 2].map(shift => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString('base64')
    // Without what depends on its neighbours.
    return Buffer.from(text.slice(shift === 0 ? 0 : 4, -4))
  }),
  Buffer.from(Buffer.from(secret).toString('hex')),
]
const isIn = (content: Buffer, secret: string) => formsOf(secret).some(form => content.includes(form))

test('no secret reaches a file, a log line, a figure, an error or an answer; personal values reach no event', async () => {
  // Given secrets of every kind, used in every way
  const secrets: Record<string, string> = { master: KEY, admin: ADMIN, session: admin.token }
  const level = String((await admin.get('/userhierarchy')).body.hierarchylevel)
  const personal = 'Guilhermina-Plantada'
  const ana = await person(parley, admin, { username: 'ana', level, actions: ['readbot', 'readuser'] })
  secrets.password = PASSWORD
  secrets.changed = `${PASSWORD}x`
  secrets.token = ana.client.token
  const { revision } = (await admin.get(`/user/${ana.id}`)).body
  await admin.patch(`/user/${ana.id}`, { firstname: personal, email: 'plantada@example.com' }, revision)
  const once = { 'idempotency-key': 'planted-idempotency' }
  const variable = (
    await admin.post('/globalvariable', { name: 'v', value: 'planted-variable-value', secret: true }, once)
  ).body
  secrets.variable = 'planted-variable-value'
  await admin.patch(`/globalvariable/${variable.id}`, { value: 'planted-second-value' }, 1)
  secrets.second = 'planted-second-value'
  await admin.patch(`/globalvariable/${variable.id}`, { value: 'planted-conflict-value' }, 1)
  secrets.conflict = 'planted-conflict-value'
  await admin.post(`/globalvariable/${variable.id}/restore`, { revision: 1 })
  const registered = (await ana.client.post('/user/register2fa', {}, { 'idempotency-key': 'planted-2fa' })).body
  secrets.authenticator = String(registered.secret)
  secrets.code = generateSync({ secret: String(registered.secret) })
  await ana.client.post('/user/verify2fa', { token: secrets.code })
  secrets.ticket = (await admin.post('/realtime/ticket', {}, { 'idempotency-key': 'planted-ticket' })).body.ticket
  secrets.reset = String(
    (await admin.post(`/user/${ana.id}/resetpassword`, {}, { 'idempotency-key': 'planted-reset' })).body.password,
  )
  await parley.anyone.post('/auth/login', { username: 'planted-mistyped-password', password: 'planted-wrong-password' })
  secrets.mistyped = 'planted-mistyped-password'
  secrets.wrong = 'planted-wrong-password'
  await parley.anyone.send('POST', '/auth/login', {
    body: '{"username":"ana","password":"planted-broken-json',
    headers: { 'content-type': 'application/json' },
  })
  secrets.broken = 'planted-broken-json'
  await parley.anyone.get('/auth/user?token=planted-in-an-address', {
    authorization: 'Bearer planted-bearer-token',
    cookie: 'parley=planted-cookie-token',
  })
  Object.assign(secrets, { bearer: 'planted-bearer-token', cookie: 'planted-cookie-token' })
  for (const value of Object.values(secrets)) expect(value.length).toBeGreaterThan(5)
  delete secrets.code
  // When everything is asked of what it shows
  const shown = [
    await parley.anyone.get('/metrics'),
    await parley.anyone.get('/health/ready'),
    await parley.anyone.get('/openapi.json'),
    await parley.anyone.get('/instance'),
    ...(await Promise.all(
      [
        '/globalvariable',
        `/globalvariable/${variable.id}`,
        `/globalvariable/${variable.id}/history`,
        `/globalvariable/${variable.id}/at/1`,
        '/globalvariable?search=planted',
        '/search?search=planted',
        '/user',
        `/user/${ana.id}`,
        `/user/${ana.id}/history`,
        `/user/${ana.id}/at/1`,
        '/audit?size=100',
        '/audit/export?format=csv',
        '/audit/export?format=jsonl',
        '/home',
        '/notification',
        '/auth/user',
        '/userdetails',
      ].map(path => admin.get(path)),
    )),
  ].map(({ text }) => text)
  await parley.stop()
  const said = parley.log()
  // Then it is nowhere
  const found: string[] = []
  const files = [...filesIn(parley.folder)]
  const texts = [
    ...shown.map((text, index) => [`answer ${index}`, Buffer.from(text)] as const),
    ['what it said', Buffer.from(said)] as const,
  ]
  const contents = [...texts, ...files.map(path => [path.slice(parley.folder.length), readFileSync(path)] as const)]
  for (const [where, content] of contents)
    for (const [name, secret] of Object.entries(secrets)) if (isIn(content, secret)) found.push(`${name} in ${where}`)
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(2)
  expect(said).toContain('written')
  // And personal data is in the read models only, which forgetting blanks
  const log = contents.filter(([where]) => where.includes('events.sqlite') || where === 'what it said')
  for (const [where, content] of log)
    for (const value of [personal, 'plantada@example.com']) expect(isIn(content, value), where).toBe(false)
}, 60_000)
