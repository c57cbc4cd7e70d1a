import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Answer } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, PASSWORD } from './people.ts'

const { admin } = await openAdmin()
const made = (entity: string, fields: object) => admin.create(entity, fields)
const { bot, task, dialog } = await admin.createDialog({ name: 'Bot' }, 'Tarefa', 'Diálogo')
const user = await made('user', { username: 'duda', password: PASSWORD })
const ids = { bot, task, dialog, level: await level(admin, 'Abaixo'), user }

const flow = (title: string) => ({
  operators: { a: { type: 'marker', title, top: 0, left: 0, properties: { inputs: {}, outputs: {} } } },
  links: {},
})
const upload = (name: string) => {
  const form = new FormData()
  const file = { format: 'parley-version', version: 1, name, bot: { name }, dialogtasks: [], variables: [] }
  form.set('file', new Blob([JSON.stringify({ ...file, variableschemas: [] })], { type: 'application/json' }), 'v.json')
  return form
}

interface Write {
  readonly what: string
  readonly method: string
  readonly path: () => string
  readonly body: object
  /** For the same path under the same key; absent where there is only one body. */
  readonly other?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** In this order: later ones build on earlier ones. */
const WRITES: readonly Write[] = [
  { what: 'making something', method: 'POST', path: () => '/bot', body: { name: 'A' }, other: { name: 'B' } },
  {
    what: 'changing it',
    method: 'PATCH',
    path: () => `/bot/${ids.bot}`,
    body: { description: 'a' },
    other: { description: 'b' },
    headers: { 'if-match': '"1"' },
  },
  { what: 'a named command', method: 'POST', path: () => `/bot/${ids.bot}/start`, body: {}, other: { x: 1 } },
  {
    what: 'a new password for somebody',
    method: 'POST',
    path: () => `/user/${ids.user}/resetpassword`,
    body: {},
    other: { x: 1 },
  },
  {
    what: 'replacing a flow',
    method: 'PUT',
    path: () => `/dialog/${ids.dialog}/flow`,
    body: flow('a'),
    other: flow('b'),
    headers: { 'if-match': '"1"' },
  },
  {
    what: 'restoring a flow',
    method: 'POST',
    path: () => `/dialog/${ids.dialog}/flow/restore`,
    body: { revision: 1 },
    other: { revision: 2 },
  },
  {
    what: 'restoring something',
    method: 'POST',
    path: () => `/bot/${ids.bot}/restore`,
    body: { revision: 1 },
    other: { revision: 2 },
  },
  {
    what: 'keeping a version',
    method: 'POST',
    path: () => '/version',
    body: { name: 'v' },
    other: { name: 'w' },
  },
  { what: 'a ticket', method: 'POST', path: () => '/realtime/ticket', body: {}, other: { x: 1 } },
  {
    what: 'notifications that were read',
    method: 'POST',
    path: () => '/notification/read',
    body: { all: true },
    other: { ids: [] },
  },
  {
    what: 'another level',
    method: 'POST',
    path: () => `/changehierarchylevel/${ids.level}`,
    body: {},
    other: { x: 1 },
  },
  { what: 'a second factor', method: 'POST', path: () => '/user/register2fa', body: {}, other: { password: 'x' } },
  {
    what: 'an own new password',
    method: 'POST',
    path: () => '/user/password',
    body: { old: ADMIN_PASSWORD, new: 'Outra-Senha-2026!', confirm: 'Outra-Senha-2026!' },
    other: { old: ADMIN_PASSWORD, new: 'Mais-Uma-2026!', confirm: 'Mais-Uma-2026!' },
  },
  {
    what: 'removing something',
    method: 'DELETE',
    path: () => `/bot/${ids.bot}`,
    body: { confirm: 'CONFIRM' },
    other: {},
  },
]

const told = ({ status, body }: Answer) => ({ status, body })
const asked = (what: string, body: object): object => (what === 'keeping a version' ? { bot: ids.bot, ...body } : body)

/** Entries of the administrator only: services that start meanwhile add their own. */
const lines = async () => {
  const { id } = (await admin.get('/auth/user')).body
  return (await admin.get(`/audit?size=1&user=${id}`)).body.total
}

test.each(WRITES)('$what answers as the first time under the same key, and no other body', async write => {
  const { what, method, path, body, other, headers = {} } = write
  const send = (content: object) =>
    admin.send(method, path(), {
      body: JSON.stringify(asked(what, content)),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `key of ${what}`.replaceAll(' ', '-'),
        ...headers,
      },
    })
  const first = await send(body)
  expect(first.status).toBeLessThan(300)
  const before = await lines()
  expect(told(await send(body))).toEqual(told(first))
  expect(await lines()).toBe(before)
  if (other !== undefined) expect((await send(other)).body.code).toBe('request.idempotency')
})

test('an upload answers as the first time under the same key, and no other file', async () => {
  const bot = (await admin.post('/bot', { name: 'Recebe' })).body.id
  const send = (name: string) =>
    admin.send('POST', `/version/upload?bot=${bot}`, { body: upload(name), headers: { 'idempotency-key': 'upload' } })
  const first = await send('um')
  expect(first.status).toBe(201)
  expect(told(await send('um'))).toEqual(told(first))
  expect((await send('dois')).body.code).toBe('request.idempotency')
  expect((await admin.get(`/version?bot=${bot}`)).body.total).toBe(1)
})
