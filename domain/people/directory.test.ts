import { describe, expect, it } from 'vitest'
import { createDirectory, type Directory } from './directory.ts'
import { ALL_PERMISSIONS } from './permission.ts'

const filled = (levelOneAccess = false): Directory => {
  const directory = createDirectory({ levelOneAccess })
  const put = (
    entity: 'hierarchy' | 'role' | 'usergroup',
    id: string,
    fields: Record<string, string | string[] | null>,
  ) => directory.put(entity, id, { level: 'root', fields })
  put('hierarchy', 'root', { parent: null })
  put('hierarchy', 'north', { parent: 'root' })
  put('hierarchy', 'belem', { parent: 'north' })
  put('role', 'admin', { actions: [], services: ['user', 'usergroup', 'role'] })
  put('role', 'reader', { actions: ['readbot'], services: [] })
  put('usergroup', 'admins', { parent: null, roles: ['admin'] })
  put('usergroup', 'readers', { parent: 'admins', roles: ['reader'] })
  directory.put('user', 'ana', { level: 'root', fields: { usergroup: ['admins'], locked: false } })
  directory.put('user', 'bia', { level: 'belem', fields: { usergroup: ['readers'], locked: false } })
  return directory
}

describe('the directory of rights', () => {
  it('gives a user the union over the roles of their groups and of the groups above [C-6.01] [C-6.02]', () => {
    const directory = filled()
    expect(directory.permissionsOfUser('bia')).toEqual(
      directory.permissionsOfRoles(['reader']).union(directory.permissionsOfRoles(['admin'])),
    )
    expect(directory.permissionsOfUser('bia').has('lockuser')).toBe(true)
    expect(directory.permissionsOfUser('nobody').size).toBe(0)
  })

  it('follows what is removed and put again, and survives a circle', () => {
    const directory = filled()
    directory.put('usergroup', 'admins', { level: 'root', fields: { parent: 'readers', roles: [] } })
    expect([...directory.permissionsOfUser('bia')]).toEqual(['readbot'])
    directory.put('role', 'reader', undefined)
    expect(directory.permissionsOfUser('bia').size).toBe(0)
  })

  it('grants everything to users at the root level when the setting is on [C-6.07]', () => {
    expect(filled(true).permissionsOfUser('ana')).toBe(ALL_PERMISSIONS)
    expect(filled(true).permissionsOfUser('bia')).not.toBe(ALL_PERMISSIONS)
  })

  it('knows who can administer people, as things are and as they would be', () => {
    const directory = filled()
    expect(directory.administrators()).toEqual(['ana'])
    expect(directory.administrators({ entity: 'user', id: 'ana', fields: { usergroup: [], locked: false } })).toEqual(
      [],
    )
    expect(directory.administrators({ entity: 'role', id: 'admin', fields: null })).toEqual([])
    expect(directory.administrators({ entity: 'role', id: 'reader', fields: null })).toEqual(['ana'])
    directory.put('user', 'ana', { level: 'root', fields: { usergroup: ['admins'], locked: true } })
    expect(directory.administrators()).toEqual([])
  })

  it('counts the same administrators after each change as a newly filled directory [P-2790]', () => {
    const directory = filled()
    const entries = new Map<string, Parameters<Directory['put']>>()
    const put = (...given: Parameters<Directory['put']>) => {
      entries.set(`${given[0]} ${given[1]}`, given)
      directory.put(...given)
      const fresh = filled()
      for (const each of entries.values()) fresh.put(...each)
      for (const supposing of [
        undefined,
        { entity: 'user', id: 'ana', fields: null },
        { entity: 'user', id: 'bia', fields: { usergroup: ['admins'], locked: false } },
        { entity: 'user', id: 'nobody', fields: { usergroup: ['admins'], locked: false } },
        { entity: 'usergroup', id: 'admins', fields: { parent: null, roles: [] } },
      ] as const)
        expect(directory.administrators(supposing).toSorted()).toEqual(fresh.administrators(supposing).toSorted())
      return directory.administrators()
    }
    const person = (usergroup: string[], level = 'root', locked = false) => ({ level, fields: { usergroup, locked } })
    expect(put('user', 'carla', person(['readers'])).toSorted()).toEqual(['ana', 'carla'])
    expect(put('user', 'ana', person(['admins'], 'root', true))).toEqual(['carla'])
    expect(put('user', 'carla', person(['admins'], 'north'))).toEqual([])
    expect(put('user', 'ana', person(['readers']))).toEqual(['ana'])
    expect(put('usergroup', 'readers', { level: 'root', fields: { parent: null, roles: ['reader'] } })).toEqual([])
    expect(
      put('role', 'reader', { level: 'root', fields: { actions: [], services: ['user', 'usergroup', 'role'] } }),
    ).toEqual(['ana'])
    expect(put('hierarchy', 'north', { level: 'north', fields: { parent: null } }).toSorted()).toEqual(['ana', 'carla'])
    expect(put('user', 'ana', undefined)).toEqual(['carla'])
  })

  it('knows what lies above and below a level', () => {
    const directory = filled()
    expect(directory.ancestors('belem')).toEqual(['belem', 'north', 'root'])
    expect(directory.subtree('north')).toEqual(new Set(['north', 'belem']))
  })
})
