import { connect, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import type { Client } from '../api/harness.ts'
import { PASSWORD } from '../api/people.ts'
import { LogWatch } from './log-watch.ts'
import type { Description } from './operation.ts'
import { bodyOf, make, shownOf } from './world.ts'

const { parley, admin } = await openAdmin({ env: { SEAL_MINUTES: '1440' } })
const ids: Record<string, string> = {}
afterAll(() => log.close())

const entities = (): readonly EntityDeclaration[] =>
  Object.values<EntityDeclaration>(ENTITIES).filter(({ writtenBy }) => writtenBy === undefined)
const ANY = { 'if-match': '*' }
const raw = (client: Client, method: string, path: string, body: string, headers: Record<string, string> = {}) =>
  client.send(method, path, { body, headers: { 'content-type': 'application/json', ...headers } })

/** Members that only the server sets, and some that nobody has. */
const closedTo = ({ fields }: EntityDeclaration, fixed: boolean): readonly string[] => [
  ...['id', 'revision', 'created_at', 'created_by', 'modified_by', 'permissions', 'constructor', 'toString', 'isadmin'],
  ...Object.entries(fields).flatMap(([name, field]) => (field.readonly || (fixed && field.fixed) ? [name] : [])),
]

/**
 * Each on its own for bots, and for everything in the full form; otherwise at once, but for declared fields, which may
 * depend on each other.
 */
const together = ({ name, fields }: EntityDeclaration, members: readonly string[]): readonly (readonly string[])[] => {
  const isAlone = (member: string) => isFull || name === 'bot' || Object.hasOwn(fields, member)
  const { true: alone = [], false: others = [] } = Object.groupBy(members, member => `${isAlone(member)}` as const)
  return [...alone.map(member => [member]), ...(others.length === 0 ? [] : [others.toSorted()])]
}
const named = (members: readonly string[]) => Object.fromEntries(members.map(member => [member, 'x']))

const description = (await parley.anyone.get('/openapi.json')).body as unknown as Description
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
for (const entity of entities()) {
  if (entity.name === 'hierarchy') continue
  ids[entity.name] = await make(admin, entity, bodyOf(description, entity, root, ids, 'um'), 'um')
}
ids.hierarchy = root
const log = new LogWatch(parley.folder)

test('a member that only the server sets, or that nobody has, is refused by name, in making and in changing', async () => {
  const before = log.position
  for (const entity of entities()) {
    for (const members of together(entity, closedTo(entity, false))) {
      const body = { ...shownOf(entity, bodyOf(description, entity, root, ids, 'dois')), ...named(members) }
      const made = await admin.post(`/${entity.name}`, body)
      const refused = made.body.errors?.map(({ path }) => path).toSorted()
      expect([made.status, refused], `${entity.name}.${members}`).toEqual([422, members])
    }
    for (const members of together(entity, closedTo(entity, true))) {
      const changed = await admin.patch(`/${entity.name}/${ids[entity.name]}`, named(members), 1)
      const refused = changed.body.errors?.map(({ path }) => path).toSorted()
      expect([changed.status, refused], `${entity.name}.${members}`).toEqual([422, members])
    }
  }
  expect(log.after(before)).toEqual([])
})

test('no body, query or file reaches the prototype of anything', async () => {
  const poison = '{"__proto__":{"polluted":1,"status":500},"constructor":{"prototype":{"polluted":1}}}'
  // Nothing else in it is a reason to refuse it.
  const alone = '{"__proto__":{"polluted":1}}'
  const before = log.position
  for (const [place, { name }] of entities().entries()) {
    // In the short form kinds take turns, and each question is asked of several.
    const inTurn = (questions: readonly string[]) =>
      questions.filter((_, at) => isFull || at === place % questions.length)
    expect((await raw(admin, 'POST', `/${name}`, poison)).status, name).toBe(422)
    expect((await raw(admin, 'PATCH', `/${name}/${ids[name]}`, alone, { 'if-match': '"1"' })).status, name).toBe(422)
    expect((await raw(admin, 'PATCH', `/${name}/${ids[name]}`, poison, { 'if-match': '"1"' })).status, name).toBe(422)
    expect((await raw(admin, 'DELETE', `/${name}/${ids[name]}`, poison)).status, name).toBe(422)
    for (const query of inTurn([
      '__proto__=1',
      '__proto__[polluted]=1',
      'constructor=1',
      'toString=1',
      'constructor[prototype]=1',
    ]))
      expect((await admin.get(`/${name}?${query}`)).status, `${name}?${query}`).toBe(422)
    for (const id of inTurn(['__proto__', 'constructor', 'toString']))
      expect((await admin.get(`/${name}/${id}`)).status, `${name}/${id}`).toBe(404)
  }
  for (const path of ['/__proto__', '/constructor', '/__proto__/1', '/bot/1/constructor'])
    expect([404, 405], path).toContain((await admin.post(path, {})).status)
  expect(log.after(before)).toEqual([])
  // A variable may contain any JSON: it is returned unchanged, and nothing else changes.
  const kept = await raw(
    admin,
    'POST',
    '/variableschema',
    `{"name":"x","bot":"${ids.bot}","schemajson":{"constructor":{"prototype":{"polluted":1}}}}`,
  )
  expect(kept.status).toBe(201)
  expect((await admin.get(`/variableschema/${kept.body.id}`)).text).toContain(
    '{"constructor":{"prototype":{"polluted":1}}}',
  )
  expect((await admin.get('/instance')).text).not.toContain('polluted')
})

test('a flow or version file whose keys are names of every object comes back as it was given, and harms nothing', async () => {
  const block = (title: string) =>
    `{"type":"marker","title":"${title}","top":0,"left":0,"properties":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}}`
  const file = `{"operators":{"__proto__":${block('a')},"constructor":${block('b')},"toString":${block('c')}},"links":{}}`
  const put = await raw(admin, 'PUT', `/dialog/${ids.dialog}/flow`, file, ANY)
  // Either rejected or stored completely, never in part.
  expect([200, 422]).toContain(put.status)
  const flow = (await admin.get(`/dialog/${ids.dialog}/flow`)).text
  if (put.status === 200) for (const title of ['"a"', '"b"', '"c"']) expect(flow).toContain(`"title":${title}`)
  const upload = new FormData()
  upload.set(
    'file',
    new Blob([
      `{"format":"parley-version","version":1,"name":"v","__proto__":{"polluted":1},"bot":{"name":"b","__proto__":{"runningstatus":"running"}},"dialogtasks":[]}`,
    ]),
    '../../v.json',
  )
  expect((await admin.send('POST', `/version/upload?bot=${ids.bot}`, { body: upload })).status).toBe(422)
  expect((await admin.get('/instance')).text).not.toContain('polluted')
})

test('refuses invalid or oversized HTTP in the same form as other errors', async () => {
  const { hostname, port } = new URL(parley.origin)
  const say = (words: string) =>
    new Promise<string>(resolve => {
      let heard = ''
      const socket = connect(Number(port), hostname, () => socket.write(words))
      socket.on('data', data => {
        heard += String(data)
      })
      socket.on('close', () => resolve(heard))
    })
  const start = 'GET /botadmin/api/health/live HTTP/1.1\r\nHost: x\r\n'
  for (const [words, status, code] of [
    [`${start}Bad Header: 1\r\n\r\n`, 400, 'request.unreadable'],
    [`${start}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'request.toolarge'],
  ] as const) {
    const [head = '', body = ''] = (await say(words)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toContain('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status, code })
  }
})

test('deep, wide and large bodies are refused before they cost anything, and nobody else waits', async () => {
  const sizes = { deep: 400_000, wide: 400_000 }
  for (const body of [
    '['.repeat(sizes.deep),
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    `[${'[],'.repeat(sizes.wide / 2)}1]`,
  ]) {
    expect([400, 413, 422]).toContain((await raw(admin, 'POST', '/codesample', body)).status)
    expect([400, 413, 422]).toContain((await raw(parley.anyone, 'POST', '/auth/login', body)).status)
  }
  expect((await raw(admin, 'POST', '/codesample', `{"name":"${'x'.repeat(1_000_001)}"}`)).status).toBe(413)
  const flow = `/dialog/${ids.dialog}/flow`
  let longest = 0
  let going = true
  const watching = (async () => {
    while (going) {
      const began = performance.now()
      await parley.anyone.get('/health/live').catch(() => undefined)
      longest = Math.max(longest, performance.now() - began)
    }
  })()
  for (const body of [
    `{"operators":${'['.repeat(20_000_000)}`,
    `{"operators":${'{"a":'.repeat(2_000_000)}1${'}'.repeat(2_000_000)},"links":{}}`,
    `{"operators":{},"links":{},"x":[${'[],'.repeat(10_000_000)}1]}`,
  ])
    expect([400, 413, 422], body.slice(0, 40)).toContain((await raw(admin, 'PUT', flow, body, ANY)).status)
  going = false
  await watching
  expect(longest).toBeLessThan(4_000)
  // It may hang up before everything was sent.
  const status = await raw(admin, 'PUT', flow, ' '.repeat(64_000_001), ANY).then(
    answer => answer.status,
    () => 413,
  )
  expect(status).toBe(413)
}, 60_000)

test('stores an uploaded file only in the log, under any name, and its name cannot split a header', async () => {
  const name = 'x"\\u000d\\u000aSet-Cookie: parley=evil; ../../etc/passwd'
  const upload = async (text: string, filename: string) => {
    const form = new FormData()
    form.set('file', new Blob([text]), filename)
    return admin.send('POST', `/version/upload?bot=${ids.bot}`, { body: form })
  }
  const file = (title: string) =>
    `{"format":"parley-version","version":1,"name":"${title}","bot":{"name":"b"},"dialogtasks":[]}`
  expect((await upload(file(name), 'v.json')).status).toBe(422)
  for (const title of ['\\ud800', 'a\\u0000b', 'a\\u2028b'])
    expect((await upload(file(title), 'v.json')).status).toBe(422)
  const kept = await upload(file('../../../etc/passwd; \\" \\\\ ünï'), '../../../../tmp/parley-escaped.json')
  expect(kept.status).toBe(201)
  const download = await admin.get(`/version/${kept.body.id}/download`)
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%~!-]+$/,
  )
  expect(download.headers.get('set-cookie')).toBeNull()
})

test('nothing that people enter is ever called: every field with an address in it stays a text', async () => {
  // Given a server that listens at the addresses
  const called: string[] = []
  const listener = createServer(socket => {
    called.push(String(socket.remotePort))
    socket.destroy()
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const url = `http://127.0.0.1:${port}/`
  // When all fields of all kinds of things hold that address, and what is made is started, published and looked at
  for (const entity of entities()) {
    const texts = Object.entries(entity.fields)
      .filter(
        ([, { kind, readonly, fixed }]) =>
          !readonly && !fixed && ['string', 'text', 'markdown', 'code', 'strings'].includes(kind),
      )
      .filter(([name]) => !['actions', 'services'].includes(name))
    const body = Object.fromEntries(texts.map(([name, { kind }]) => [name, kind === 'strings' ? [url] : url]))
    const { revision } = (await admin.get(`/${entity.name}/${ids[entity.name]}`)).body
    const changed = await admin.patch(`/${entity.name}/${ids[entity.name]}`, body, revision)
    expect([200, 422], changed.text).toContain(changed.status)
  }
  const operators = {
    r: { type: 'restservice', title: url, top: 0, left: 0, properties: { uri: url, url, inputs: {}, outputs: {} } },
  }
  await admin.put(`/dialog/${ids.dialog}/flow`, { operators, links: {} })
  for (const action of ['start', 'restart', 'stop']) await admin.post(`/bot/${ids.bot}/${action}`, {})
  await admin.post(`/dialog/${ids.dialog}/publish`, {})
  await admin.post(`/user/${ids.user}/resetpassword`, {})
  await admin.get('/home')
  await new Promise(resolve => setTimeout(resolve, 300))
  // Then nobody came
  expect(called).toEqual([])
  listener.close()
})

test('does not reveal whether a file exists beside the console’s own', async () => {
  const asked = async (path: string) => {
    const { status, text } = await parley.anyone.get(`/botadmin/${path}`)
    return { status, text: text.replaceAll(path, '') }
  }
  for (const [there, absent] of [
    ['..%2f..%2fpackage.json', '..%2f..%2fpackagx.json'],
    ['..%2f..%2f..%2f..%2f..%2fetc%2fhost.conf', '..%2f..%2f..%2f..%2f..%2fetc%2fhost.conx'],
    ['..%5c..%5cpackage.json', '..%5c..%5cpackagx.json'],
    ['%2fetc%2fhost.conf', '%2fetc%2fhost.conx'],
    ['assets/..%2f..%2fvite.config.ts', 'assets/..%2f..%2fvitx.config.ts'],
  ] as const)
    expect(await asked(there), there).toEqual(await asked(absent))
})

test('a password or a script in an error of anything is not said back', async () => {
  const secret = `${PASSWORD}-planted`
  const script = '<script>alert(1)</script>'
  for (const answer of [
    await parley.anyone.post('/auth/login', { username: script, password: secret }),
    await parley.anyone.post('/auth/login', { username: [secret], password: { secret } }),
    await admin.post('/user', { username: 'x', password: secret, [script]: 1 }),
    await admin.post('/user/password', { old: secret, new: 'a', confirm: secret }),
    await admin.get(`/bot/${encodeURIComponent(script)}`),
    await admin.get(`/bot?sort=${encodeURIComponent(script)}`),
    await parley.anyone.get(`/botadmin/${encodeURIComponent(script)}.js`),
  ]) {
    expect(answer.text).not.toContain(secret)
    expect(answer.headers.get('content-type')).toContain('json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
})
