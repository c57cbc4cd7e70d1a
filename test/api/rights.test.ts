import { expect, test } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const make = (entity: string, fields: object) => admin.create(entity, fields)

test('lists permissions with role and group, inherited ones with their source group [P-401]', async () => {
  const home = await level(admin, 'Rights')
  const reader = await make('role', { name: 'Reader', actions: ['readbot'], hierarchylevel: home })
  const drawer = await make('role', { name: 'Drawer', services: ['dialog'], hierarchylevel: home })
  const base = await make('usergroup', { name: 'Base', roles: [reader], hierarchylevel: home })
  const team = await make('usergroup', { name: 'Team', roles: [drawer], parent: base, hierarchylevel: home })
  const ana = await make('user', {
    username: 'rita',
    password: 'Parley-2026!',
    usergroup: [team],
    hierarchylevel: home,
  })
  const { status, body } = await admin.get(`/user/${ana}/rights`)
  expect(status).toBe(200)
  const dialogs = ['createdialog', 'deletedialog', 'duplicatedialog', 'publishdialog', 'readdialog', 'unpublishdialog']
  expect(body).toEqual({
    everything: false,
    grants: [
      {
        role: { id: drawer, name: 'Drawer' },
        group: { id: team, name: 'Team' },
        member: { id: team, name: 'Team' },
        permissions: expect.arrayContaining(dialogs),
      },
      {
        role: { id: reader, name: 'Reader' },
        group: { id: base, name: 'Base' },
        member: { id: team, name: 'Team' },
        permissions: ['readbot'],
      },
    ],
  })
  const group = (await admin.get(`/usergroup/${base}/rights`)).body as unknown as { grants: object[] }
  expect(group.grants).toMatchObject([{ role: { name: 'Reader' }, permissions: ['readbot'] }])
})

test('names nothing outside the caller’s levels, and returns no rights of invisible people [P-401]', async () => {
  const home = await level(admin, 'Narrow')
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel
  const role = await make('role', { name: 'From above', actions: ['readuser'], hierarchylevel: root })
  const group = await make('usergroup', { name: 'Above', roles: [role], hierarchylevel: root })
  const seen = await make('user', {
    username: 'seen',
    password: 'Parley-2026!',
    usergroup: [group],
    hierarchylevel: home,
  })
  const { client } = await person(parley, admin, { username: 'narrow', level: home, actions: ['readuser'] })
  expect((await client.get(`/user/${seen}/rights`)).body).toMatchObject({
    grants: [{ role: { id: role, name: null }, group: { id: group, name: null }, permissions: ['readuser'] }],
  })
  const elsewhere = await level(admin, 'Elsewhere')
  const hidden = await make('user', { username: 'hidden', password: 'Parley-2026!', hierarchylevel: elsewhere })
  expect((await client.get(`/user/${hidden}/rights`)).status).toBe(404)
  expect((await client.get(`/usergroup/${group}/rights`)).status).toBe(403)
})

test('lists the holders of a role, their other rights, and its unused rights [P-610]', async () => {
  const home = await level(admin, 'Holders')
  const outside = await level(admin, 'Outside')
  const maker = await make('role', {
    name: 'Maker',
    actions: ['readbot'],
    services: ['codesample'],
    hierarchylevel: home,
  })
  const reader = await make('role', { name: 'Samples', actions: ['readcodesample'], hierarchylevel: home })
  const base = await make('usergroup', { name: 'Makers', roles: [maker], hierarchylevel: home })
  const team = await make('usergroup', { name: 'Both', roles: [reader], parent: base, hierarchylevel: home })
  const vera = await person(parley, admin, { username: 'vera', level: home, actions: ['readrole'] })
  const looker = await person(parley, admin, { username: 'olga', level: outside, actions: ['readrole'] })
  await admin.patch(`/user/${vera.id}`, { usergroup: [vera.group, team] }, 1)
  const people = async (client: Client) => (await client.get(`/role/${maker}/people`)).body as unknown as Holders
  const before = await people(admin)
  expect(before.people).toEqual([{ id: vera.id, username: 'vera', firstname: 'vera', lastname: null, set: 0 }])
  expect(before.sets).toEqual([['readcodesample', 'readrole']])
  expect(before).toMatchObject({ total: 1, days: 90 })
  expect(before.unused).toEqual(['createcodesample', 'updatecodesample', 'deletecodesample'])
  expect((await vera.client.post('/codesample', { name: 'Used', code: 'x' })).status).toBe(201)
  expect((await people(vera.client)).unused).toEqual(['updatecodesample', 'deletecodesample'])
  expect((await looker.client.get(`/role/${maker}/people`)).status).toBe(404)
})

interface Holders {
  readonly total: number
  readonly days: number
  readonly people: readonly object[]
  readonly sets: readonly (readonly string[])[]
  readonly unused: readonly string[]
}
