import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#domain/people/permission.ts'
import type { JsonObject } from '#schemas/event.ts'
import { systemCaller } from '../port.ts'
import { openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'

let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
})
afterEach(() => bench.close())

const make = async (entity: string, input: JsonObject) => (await bench.must(entity, 'create', '', input)).id
const code = async (...command: Parameters<PeopleBench['run']>) => {
  const outcome = await bench.run(...command)
  return outcome.ok ? null : outcome.refusal.code
}
const CONFIRM = { confirm: 'CONFIRM' }

describe('the result of a first start', () => {
  it('is an administrator who may do everything, once', async () => {
    expect(PERMISSIONS.difference(await bench.lookup.permissionsOfGroups([bench.ids.group])).size).toBe(0)
    expect(await bench.lookup.administrators()).toEqual([bench.ids.user])
    expect(await bench.fields('hierarchy', bench.ids.level)).toMatchObject({ parent: null })
  })
})

describe('refuses rights the caller lacks', () => {
  it('in a role, by action or by service [C-6.01]', async () => {
    const clerk = bench.somebody(['createrole', 'updaterole', 'readbot'])
    expect(await code('role', 'create', '', { name: 'a', actions: ['readbot', 'updatebot'] }, clerk)).toBe(
      'access.grant',
    )
    expect(await code('role', 'create', '', { name: 'a', services: ['bot'] }, clerk)).toBe('access.grant')
    expect(await code('role', 'create', '', { name: 'a', actions: ['readbot'] }, clerk)).toBeNull()
    const strong = await make('role', { name: 'b', services: ['bot'] })
    expect(await code('role', 'change', strong, { name: 'c' }, clerk)).toBeNull()
    expect(await code('role', 'change', strong, { actions: ['readrole'] }, clerk)).toBe('access.grant')
  })

  it('in a group, by its roles or by its parent [C-6.02]', async () => {
    const clerk = bench.somebody(['createusergroup', 'updateusergroup', 'readbot'])
    const weak = await make('role', { name: 'weak', actions: ['readbot'] })
    const strong = await make('role', { name: 'strong', actions: ['updatebot'] })
    const group = await make('usergroup', { name: 'strong', roles: [strong] })
    expect(await code('usergroup', 'create', '', { name: 'x', roles: [strong] }, clerk)).toBe('access.grant')
    expect(await code('usergroup', 'create', '', { name: 'x', parent: group }, clerk)).toBe('access.grant')
    expect(await code('usergroup', 'create', '', { name: 'x', roles: [weak] }, clerk)).toBeNull()
  })

  it('to a user, by a group, a password or a second factor', async () => {
    const clerk = bench.somebody(['createuser', 'updateuser', 'resetpassworduser', 'reset2fauser'])
    const { user, group } = bench.ids
    expect(await code('user', 'create', '', { username: 'x', usergroup: [group] }, clerk)).toBe('access.grant')
    expect(await code('user', 'change', user, { password: 'Outra-senha-1' }, clerk)).toBe('access.grant')
    expect(await code('user', 'resetpassword', user, {}, clerk)).toBe('access.grant')
    expect(await code('user', 'change', user, { firstname: 'Ada' }, clerk)).toBeNull()
  })

  it('by bringing back what was removed', async () => {
    const clerk = bench.somebody(['updaterole'])
    const role = await make('role', { name: 'gone', services: ['bot'] })
    await bench.must('role', 'remove', role, CONFIRM)
    expect(await code('role', 'restore', role, { revision: 1 }, clerk)).toBe('access.grant')
    expect(await code('role', 'restore', role, { revision: 1, fields: ['name'] }, clerk)).toBe('access.grant')
    expect(await code('role', 'restore', role, { revision: 1 })).toBeNull()
  })
})

describe('rights that are taken while a command waits for its turn', () => {
  it.each(['user', 'usergroup', 'role'])('are not used to make a %s', async entity => {
    const before = bench.somebody([`create${entity}`])
    const after = bench.somebody([])
    const input = entity === 'user' ? { username: 'late' } : { name: 'late' }
    expect(await code(entity, 'create', '', input, { ...before, refresh: async () => after })).toBe('access.forbidden')
    expect(await code(entity, 'create', '', input, { ...before, refresh: async () => undefined })).toBe('auth.required')
    expect(await code(entity, 'create', '', input, { ...before, refresh: async () => before })).toBeNull()
  })

  it('are not granted to others', async () => {
    const before = bench.somebody(['createrole', 'readbot'])
    const refresh = async () => bench.somebody(['createrole'])
    const input = { name: 'late', actions: ['readbot'] }
    expect(await code('role', 'create', '', input, { ...before, refresh })).toBe('access.grant')
  })
})

describe('a role', () => {
  it('names only actions and services there are', async () => {
    const outcome = await bench.run('role', 'create', '', {
      name: 'x',
      actions: ['readbot', 'fly'],
      services: ['moon'],
    })
    expect(outcome).toMatchObject({
      refusal: {
        errors: [
          { path: 'actions.1', code: 'option' },
          { path: 'services.0', code: 'option' },
        ],
      },
    })
    for (const own of ['signinuser', 'changepassworduser', 'recoveruser']) expect(PERMISSIONS.has(own)).toBe(false)
  })
})

describe('a user group', () => {
  it('counts the roles of the groups above it, and closes no circle [C-6.02]', async () => {
    const role = await make('role', { name: 'r', actions: ['readbot'] })
    const above = await make('usergroup', { name: 'above', roles: [role] })
    const below = await make('usergroup', { name: 'below', parent: above })
    expect([...(await bench.lookup.permissionsOfGroups([below]))]).toEqual(['readbot'])
    const cycle = { refusal: { errors: [{ path: 'parent', code: 'cycle' }] } }
    expect(await bench.run('usergroup', 'change', above, { parent: below })).toMatchObject(cycle)
    expect(await bench.run('usergroup', 'change', above, { parent: above })).toMatchObject(cycle)
  })
})

describe('the last person who can administer users', () => {
  const LAST = 'access.lastadministrator'

  it('is neither locked out nor removed nor forgotten', async () => {
    const { user } = bench.ids
    expect(await code('user', 'lock', user)).toBe(LAST)
    expect(await code('user', 'remove', user, CONFIRM)).toBe(LAST)
    expect(await code('user', 'forget', user, CONFIRM)).toBe(LAST)
  })

  it('is not demoted by their groups, their groups’ roles or what these give', async () => {
    const { user, group, role } = bench.ids
    expect(await code('user', 'change', user, { usergroup: [] })).toBe(LAST)
    expect(await code('usergroup', 'change', group, { roles: [] })).toBe(LAST)
    expect(await code('usergroup', 'remove', group, CONFIRM)).toBe(LAST)
    expect(await code('role', 'change', role, { services: ['bot'] })).toBe(LAST)
    expect(await code('role', 'remove', role, CONFIRM)).toBe(LAST)
  })

  it('stays when two of them lock each other at once', async () => {
    const other = await make('user', { username: 'other', usergroup: [bench.ids.group] })
    const codes = await Promise.all([code('user', 'lock', bench.ids.user), code('user', 'lock', other)])
    expect(codes.toSorted()).toEqual([LAST, null])
  })

  it('does not count users whose level is below the root', async () => {
    const branch = await make('hierarchy', { name: 'Branch' })
    const admin = { ...bench.admin, subtree: new Set([bench.ids.level, branch]) }
    const input = { username: 'below', usergroup: [bench.ids.group], hierarchylevel: branch }
    await bench.must('user', 'create', '', input, admin)
    expect(await code('user', 'lock', bench.ids.user)).toBe(LAST)
  })
})

describe('a hierarchy level', () => {
  const within = (...levels: string[]) => ({ ...bench.admin, subtree: new Set([bench.ids.level, ...levels]) })

  it('defaults its parent to the level of the session and has a globally unique name [C-5.11]', async () => {
    const id = await make('hierarchy', { name: 'Norte' })
    expect(await bench.fields('hierarchy', id)).toMatchObject({ parent: bench.ids.level })
    expect(await code('hierarchy', 'create', '', { name: ' NORTE' })).toBe('entity.name.taken')
  })

  it('is not removed while it has contents; the root is never removed', async () => {
    const norte = await make('hierarchy', { name: 'Norte' })
    await bench.must('hierarchy', 'create', '', { name: 'Belém', parent: norte }, within(norte))
    expect(await code('hierarchy', 'remove', norte, CONFIRM, within(norte))).toBe('entity.occupied')
    expect(await code('hierarchy', 'remove', bench.ids.level, CONFIRM)).toBe('entity.occupied')
  })

  it('moves, but not into itself, and there is one root', async () => {
    const norte = await make('hierarchy', { name: 'Norte' })
    const { id: belem } = await bench.must('hierarchy', 'create', '', { name: 'Belém', parent: norte }, within(norte))
    const all = within(norte, belem)
    const refusal = (path: string, why: string) => ({ refusal: { errors: [{ path, code: why }] } })
    expect(await bench.run('hierarchy', 'change', norte, { parent: belem }, all)).toMatchObject(
      refusal('parent', 'cycle'),
    )
    expect(await bench.run('hierarchy', 'change', norte, { parent: null }, all)).toMatchObject(
      refusal('parent', 'required'),
    )
    expect(await bench.run('hierarchy', 'change', bench.ids.level, { parent: belem }, all)).toMatchObject(
      refusal('parent', 'cycle'),
    )
    expect(await code('hierarchy', 'change', belem, { parent: bench.ids.level }, all)).toBeNull()
  })
})

describe('a user', () => {
  it('has a username and an e-mail address that nobody else has, however they are written', async () => {
    await make('user', { username: 'Ana', email: 'ana@example.com' })
    expect(await code('user', 'create', '', { username: ' ANA ' })).toBe('entity.name.taken')
    expect(await code('user', 'create', '', { username: 'bia', email: 'Ana@Example.com' })).toBe('entity.name.taken')
    expect(await code('user', 'create', '', { username: 'ana@example.com' })).toBe('validation.failed')
    expect(await code('user', 'create', '', { username: 'cora@example.com', email: 'cora@example.com' })).toBeNull()
  })

  it('has a password that keeps the rules, unless who runs the machine chose it', async () => {
    expect(await code('user', 'create', '', { username: 'weak', password: 'weak' })).toBe('user.password.rules')
    expect(
      await code('user', 'create', '', { username: 'weak', password: 'weak' }, systemCaller(bench.ids.level)),
    ).toBeNull()
  })

  it('writes nothing when a change repeats known values in another ciphertext', async () => {
    const id = await make('user', { username: 'dora', email: 'dora@example.com', firstname: 'Dora' })
    await bench.must('user', 'change', id, { firstname: 'Dora', email: 'dora@example.com' })
    expect(await bench.events(`user-${id}`)).toHaveLength(1)
  })

  it('is forgotten for ever: deletes the key, keeps the events, frees the names', async () => {
    const id = await make('user', { username: 'ana', email: 'ana@example.com', firstname: 'Ana' })
    const sealed = (await bench.fields('user', id)).firstname as JsonObject
    await bench.must('user', 'forget', id, CONFIRM)
    expect(await bench.keys.personal.decrypt(id, sealed, `user-${id}.firstname`)).toBeUndefined()
    expect((await bench.events(`user-${id}`)).map(event => event.type)).toEqual(['UserCreated', 'UserForgotten'])
    expect(await bench.fields('user', id)).toMatchObject({
      username: null,
      email: null,
      forgotten: true,
      usergroup: [],
    })
    expect(await code('user', 'forget', id, CONFIRM)).toBeNull()
    expect(await code('user', 'change', id, { firstname: 'Bia' })).toBe('user.forgotten')
    expect(await code('user', 'unlock', id)).toBe('user.forgotten')
    await make('user', { username: 'ana', email: 'ana@example.com' })
  })
})
