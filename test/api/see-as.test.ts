import { expect, test } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, PASSWORD, person } from './people.ts'

const { parley, admin } = await openAdmin()
const north = await level(admin, 'Norte')
const south = await level(admin, 'Sul')
const made = await person(parley, admin, { username: 'ana', level: north, actions: ['readbot', 'updatebot'] })
const ana = made.id
const anaGroup = made.group
const actions = ['seeasuser', 'readbot', 'updatebot', 'readuser']
const chief = (await person(parley, admin, { username: 'chefe', level: north, actions })).client
const bot = (await admin.post('/bot', { name: 'Do Norte', hierarchylevel: north })).body.id
await admin.post('/bot', { name: 'Do Sul', hierarchylevel: south })

const seeAs = (client: Client, user: string) => client.post('/auth/seeas', { user })
const userOf = async (client: Client) =>
  (await client.get('/auth/user')).body.user as unknown as Record<string, unknown>
const forbidden = (code: string) => ({ status: 403, body: { code } })

test('shows the rights, levels and rows of the person, and nothing else, until it is ended [P-583]', async () => {
  expect((await admin.get('/bot')).body.total).toBe(2)
  expect((await seeAs(admin, ana)).status).toBe(204)
  expect(await userOf(admin)).toMatchObject({
    id: ana,
    username: 'ana',
    hierarchylevel: north,
    permissions: ['readbot', 'updatebot'],
    seenby: { username: 'admin' },
  })
  expect((await admin.get('/bot')).body).toMatchObject({ total: 1, items: [{ name: 'Do Norte' }] })
  expect(await admin.get('/user')).toMatchObject(forbidden('access.forbidden'))
  expect((await admin.post('/auth/seeas/end')).status).toBe(204)
  expect(await userOf(admin)).toMatchObject({ username: 'admin' })
  expect(await userOf(admin)).not.toHaveProperty('seenby')
  expect((await admin.get('/bot')).body.total).toBe(2)
})

test('refuses every write meanwhile, also what the person may do, and what puts a read on record [P-584]', async () => {
  await seeAs(admin, ana)
  for (const answer of [
    await admin.patch(`/bot/${bot}`, { name: 'Outro' }, 1),
    await admin.post('/bot', { name: 'Novo' }),
    await admin.delete(`/bot/${bot}`),
    await admin.post(`/changehierarchylevel/${north}`),
    await admin.post('/user/password', { old: 'a', new: 'b', confirm: 'b' }),
    await admin.post('/auth/session/end', { others: true }),
    await admin.post('/notification/read', {}),
    await admin.get('/audit/export?format=jsonl'),
    await seeAs(admin, ana),
  ])
    expect(answer).toMatchObject(forbidden('access.viewing'))
  expect((await admin.post('/names', { ids: { bot: [bot] } })).status).toBe(200)
  await admin.post('/auth/seeas/end')
  expect((await admin.get(`/bot/${bot}`)).body).toMatchObject({ name: 'Do Norte', revision: 1 })
})

test('records viewer, viewed person and end in the audit [P-585]', async () => {
  await seeAs(chief, ana)
  await chief.post('/auth/seeas/end')
  const { items } = (await admin.get(`/audit?entity=session&entityid=${ana}`)).body as unknown as {
    items: { action: string; name: string; user: { username: string } }[]
  }
  const lines = items.filter(({ user }) => user.username === 'chefe').map(({ action, name }) => [action, name])
  expect(lines).toEqual([
    ['viewended', 'ana'],
    ['viewstarted', 'ana'],
  ])
  expect((await admin.get(`/user/${ana}/history`)).text).not.toContain('viewstarted')
})

test('refuses who lacks the right, and a person outside of the levels, with more rights or oneself [P-586]', async () => {
  const clerk = await person(parley, admin, { username: 'rui', level: north, actions: ['readbot', 'readuser'] })
  expect(await seeAs(clerk.client, ana)).toMatchObject(forbidden('access.forbidden'))
  const owner = (await userOf(admin)).id as string
  expect(await seeAs(chief, owner)).toMatchObject({ status: 404, body: { code: 'entity.notfound' } })
  expect(await seeAs(chief, 'nobody')).toMatchObject({ status: 404, body: { code: 'entity.notfound' } })
  expect(await seeAs(admin, owner)).toMatchObject(forbidden('access.view'))
  const strong = await person(parley, admin, { username: 'bia', level: north, actions: ['readbot', 'deletebot'] })
  expect(await seeAs(chief, strong.id)).toMatchObject(forbidden('access.view'))
  expect(await userOf(chief)).toMatchObject({ username: 'chefe' })
})

test('ends when the person gains a right that the viewer lacks, is locked, or the viewer loses the permission [P-587]', async () => {
  await seeAs(chief, ana)
  expect(await userOf(chief)).toMatchObject({ username: 'ana' })
  const role = (await admin.post('/role', { name: 'more', actions: ['deletebot'], hierarchylevel: north })).body.id
  const { revision, roles } = (await admin.get(`/usergroup/${anaGroup}`)).body as unknown as {
    revision: number
    roles: string[]
  }
  const given = await admin.patch(`/usergroup/${anaGroup}`, { roles: [...roles, role] }, revision)
  expect(await userOf(chief)).toMatchObject({ username: 'chefe' })
  await admin.patch(`/usergroup/${anaGroup}`, { roles }, Number(given.body.revision))
  expect(await userOf(chief)).toMatchObject({ username: 'ana' })
  await admin.post(`/user/${ana}/lock`)
  expect(await userOf(chief)).toMatchObject({ username: 'chefe' })
})

test('signs out the looker and not the person [P-584]', async () => {
  await admin.post(`/user/${ana}/unlock`)
  const looker = await parley.signIn('chefe', `${PASSWORD}x`)
  await seeAs(looker, ana)
  expect((await looker.post('/auth/logout')).status).toBe(204)
  expect((await looker.get('/auth/user')).status).toBe(401)
  expect((await admin.get(`/user/${ana}`)).body.logout_timestamp).toBe(null)
})
