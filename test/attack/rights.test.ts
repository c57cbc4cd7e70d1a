import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import type { Client } from '../api/harness.ts'
import { level, person } from '../api/people.ts'

const { parley, admin } = await openAdmin()
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)

const CONFIRM = { confirm: 'CONFIRM' }
const made = (entity: string, fields: object) => admin.create(entity, fields)
const someone = (username: string, actions: readonly string[], home = root) =>
  person(parley, admin, { username, level: home, actions })

describe('bringing back what was removed', () => {
  const REFUSED = { status: 403, body: { code: 'access.grant' } }

  test.each([['actions'], ['name'], []])(
    'grants no right that the caller lacks when it names %s',
    async (...fields) => {
      const name = `strong ${fields.join()}`
      const clerk = await someone(`clerk ${fields.join()}`, ['updaterole', 'updateusergroup', 'updateuser'])
      const role = await made('role', { name, services: ['bot'] })
      const group = await made('usergroup', { name, roles: [role] })
      const user = await made('user', { username: name, password: 'Segredo-2026!', usergroup: [group] })
      const restore = (entity: string, id: string) =>
        clerk.client.post(`/${entity}/${id}/restore`, {
          revision: 1,
          fields: fields.filter(field => field in ENTITIES[entity as 'role'].fields),
        })

      await admin.delete(`/user/${user}`, CONFIRM)
      expect(await restore('user', user)).toMatchObject(REFUSED)
      await admin.delete(`/usergroup/${group}`, CONFIRM)
      expect(await restore('usergroup', group)).toMatchObject(REFUSED)
      await admin.delete(`/role/${role}`, CONFIRM)
      expect(await restore('role', role)).toMatchObject(REFUSED)
      expect((await admin.post(`/role/${role}/restore`, { revision: 1, fields: [] })).status).toBe(200)
    },
  )
})

test('a new password or address, and emergency access, need the rights of the person [P-2491]', async () => {
  const clerk = await someone('address clerk', ['readuser', 'updateuser'])
  const group = await made('usergroup', {
    name: 'readers of the audit',
    roles: [await made('role', { name: 'audit', actions: ['readaudit'] })],
  })
  const strong = await made('user', { username: 'auditor one', email: 'one@example.com', usergroup: [group] })
  const weak = await made('user', { username: 'nobody special', email: 'two@example.com' })
  const patch = async (id: string, change: object, client = clerk.client) =>
    client.patch(`/user/${id}`, change, Number((await admin.get(`/user/${id}`)).body.revision))
  const REFUSED = { status: 403, body: { code: 'access.grant', params: { permissions: ['readaudit'] } } }

  expect(await patch(strong, { password: 'Segredo-2026!' })).toMatchObject(REFUSED)
  // A link for a new password goes to the address, and a provider may link an account by it.
  expect(await patch(strong, { email: 'clerk@example.com' })).toMatchObject(REFUSED)
  // With OIDC_ONLY it decides whose password works, and whether the gateway starts.
  expect(await patch(strong, { breakglass: true })).toMatchObject(REFUSED)
  expect((await patch(strong, { email: 'moved@example.com', breakglass: true }, admin)).status).toBe(200)
  expect(await patch(strong, { breakglass: false })).toMatchObject(REFUSED)
  expect(await clerk.client.post(`/user/${strong}/restore`, { revision: 1, fields: ['email'] })).toMatchObject(REFUSED)
  expect((await patch(strong, { email: 'Moved@example.com', firstname: 'Ana' })).status).toBe(200)
  expect((await patch(strong, { email: null })).status).toBe(200)
  expect((await patch(weak, { email: 'three@example.com' })).status).toBe(200)
})

/** A write whose headers are with the server before its body is sent. */
const slowly = (client: Client, path: string, type = 'application/json') => {
  const url = new URL(`${parley.origin}/botadmin/api${path}`)
  const headers = { authorization: `Bearer ${client.token}`, 'content-type': type, 'accept-language': 'en' }
  const sent = httpRequest(url, { method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', answer => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', reject)
  })
  return { sent, status }
}

describe('a body that arrives after the rights were taken', () => {
  const MULTIPART = 'multipart/form-data; boundary=x'
  const FILE = '--x\r\ncontent-disposition: form-data; name="file"; filename="v"\r\n\r\n{}\r\n--x--\r\n'

  test.each([
    ['/user', 'application/json', '{"username":"late one"}'],
    ['/role', 'application/json', '{"name":"late"}'],
    ['/bot', 'application/json', '{"name":"late"}'],
    ['/version/upload?bot=none', MULTIPART, FILE],
  ])('writes nothing to %s when its sender was locked or lost the right', async (path, type, body) => {
    const actions = ['createuser', 'createrole', 'createbot', 'createversion']
    const locked = await someone(`locked ${path}`, actions)
    const stripped = await someone(`stripped ${path}`, actions)
    const [first, second] = [locked, stripped].map(({ client }) => slowly(client, path, type))
    first?.sent.write(body.slice(0, 4))
    second?.sent.write(body.slice(0, 4))
    // Both requests are with the server once another one that was sent later is answered.
    await locked.client.get('/auth/user')

    await admin.post(`/user/${locked.id}/lock`)
    const { revision } = (await admin.get(`/user/${stripped.id}`)).body
    expect((await admin.patch(`/user/${stripped.id}`, { usergroup: [] }, revision)).status).toBe(200)
    first?.sent.end(body.slice(4))
    second?.sent.end(body.slice(4))
    expect(await first?.status).toBe(401)
    expect(await second?.status).toBe(403)
  })

  test('gets no remembered answer either when the right was taken', async () => {
    const { id, client } = await someone('repeater', ['createbot'])
    const again = () => client.post('/bot', { name: 'repeated' }, { 'idempotency-key': 'k1' })
    expect((await again()).status).toBe(201)
    const { revision } = (await admin.get(`/user/${id}`)).body
    await admin.patch(`/user/${id}`, { usergroup: [] }, revision)
    expect((await again()).status).toBe(403)
  })
})

describe('a version', () => {
  test('is applied and read by those alone who may do the same by hand, and says what they lack', async () => {
    const bot = await made('bot', { name: 'versioned' })
    const task = await made('dialogtask', { name: 'Task', bot })
    await made('dialog', { name: 'Dialog', dialogtask: task })
    const version = await made('version', { bot, name: 'v1' })
    await made('variable', { name: 'later', bot })
    const weak = await someone('applier', ['readversion', 'applyversion'])
    const apply = (client: Client) => client.post(`/version/${version}/apply`, CONFIRM)

    const refused = await apply(weak.client)
    expect(refused).toMatchObject({ status: 403, body: { code: 'access.lacking' } })
    expect((refused.body.params as { permissions: string[] }).permissions).toEqual(['deletevariable', 'updatedialog'])
    expect(refused.text).toContain('updatedialog')
    for (const what of ['download', 'preview']) {
      const read = await weak.client.get(`/version/${version}/${what}`)
      expect(read).toMatchObject({ status: 403, body: { code: 'access.lacking' } })
      expect((read.body.params as { permissions: string[] }).permissions).toContain('readdialog')
    }
    expect((await admin.get(`/variable?bot=${bot}`)).body.total).toBe(1)

    const kinds = ['bot', 'dialogtask', 'dialog', 'variable']
    const reads = kinds.map(kind => `read${kind}`)
    const able = await someone('able', [...reads, 'readversion', 'applyversion', 'updatedialog', 'deletevariable'])
    expect((await able.client.get(`/version/${version}/download`)).status).toBe(200)
    expect((await able.client.get(`/version/${version}/preview`)).status).toBe(200)
    expect((await apply(able.client)).status).toBe(200)
  })
})

test('the audit is exported by those alone who may export it', async () => {
  const { client } = await someone('auditor', ['readaudit'])
  expect((await client.get('/audit')).status).toBe(200)
  expect((await client.get('/audit/export?format=csv')).status).toBe(403)
})

test('returns a level only for entities that the caller may read', async () => {
  const { client } = await someone('placeless', ['readuser'])
  for (const entity of Object.keys(ENTITIES))
    expect([entity, (await client.get(`/${entity}/hierarchy?id=x`)).status]).toEqual([
      entity,
      entity === 'user' ? 200 : 403,
    ])
})

test('grants every permission listed of a user by a role, for every entity', async () => {
  const { user } = (await admin.get('/auth/user')).body as unknown as { user: { permissions: string[] } }
  const { permissions } = (await admin.get('/userdetails')).body as unknown as { permissions: string[] }
  expect(permissions).toEqual(user.permissions)
  expect(user.permissions).toEqual([...PERMISSIONS].sort())
  expect(await admin.post('/role', { name: 'all of them', actions: user.permissions })).toMatchObject({ status: 201 })
})

test('shows only the mention name of readers above among a flow’s readers', async () => {
  const branch = await level(admin, 'branch')
  const { dialog } = await admin.createDialog({ name: 'below', hierarchylevel: branch }, 'Task', 'Dialog')
  await someone('overseer', ['readdialog'])
  const near = await someone('nearby', ['readdialog'], branch)
  const readers = async (search: string) =>
    (await near.client.get(`/dialog/${dialog}/reader?search=${search}`)).body.items

  const above = (await readers('overseer'))[0]
  expect(Object.keys(above ?? {}).sort()).toEqual(['id', 'username'])
  expect((await readers('nearby'))[0]).toMatchObject({ username: 'nearby', firstname: 'nearby' })
})

test('a value is concealed in all of its past when it is marked secret', async () => {
  const id = await made('globalvariable', { name: 'key', value: 'clear-word-1' })
  expect((await admin.patch(`/globalvariable/${id}`, { secret: true }, 1)).status).toBe(200)
  for (const path of ['', '/history', '/at/1', '/at/2'])
    expect((await admin.get(`/globalvariable/${id}${path}`)).text).not.toContain('clear-word-1')
  for (const path of [`/audit?entityid=${id}`, `/audit/export?format=csv&entityid=${id}`, '/search?search=clear-word'])
    expect((await admin.get(path)).text).not.toContain('clear-word-1')
})
