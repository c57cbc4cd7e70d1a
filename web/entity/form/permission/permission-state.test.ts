import { expect, test } from 'vitest'
import { grantedBy } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import {
  changesOf,
  countGrantedPermissions,
  countOf,
  grantOf,
  permissionGroups,
  togglePermissions,
} from './permission-state.ts'

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

test('lists every entity with its own permissions in one group [P-400]', () => {
  const grouped = permissionGroups(DECLARED).flatMap(({ entities }) => entities.map(({ name }) => name))
  expect(grouped.toSorted()).toEqual(
    DECLARED.filter(({ rights }) => rights === undefined)
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('distinguishes a permission through a service from a granted one [P-400]', () => {
  const held = { actions: ['readbot'], services: ['dialog'] }
  expect(grantOf(held, 'bot', 'read')).toBe('given')
  expect(grantOf(held, 'bot', 'update')).toBe('none')
  expect(grantOf(held, 'dialog', 'publish')).toBe('inherited')
  expect(countOf(held, [ENTITIES.bot])).toEqual({ held: 1, all: 9 })
  expect(countOf(held, [ENTITIES.dialog])).toEqual({ held: 8, all: 8 })
})

test('counts the permissions that roles can hold, menu entries among them [P-1865]', () => {
  const names = grantedBy({ actions: ['showdashboard', 'readbot'], services: ['dialog'] })
  expect(names).toContain('readdialogcomment')
  expect(countGrantedPermissions(names)).toBe(2 + permissionsOf(ENTITIES.dialog).length)
})

test('omits a permission revoked and granted again [P-400]', () => {
  const saved = { actions: ['createbot', 'readbot'], services: [] }
  const taken = { ...saved, actions: togglePermissions(saved.actions, ['createbot'], false) }
  expect(changesOf(saved, taken)).toEqual([{ kind: 'action', name: 'createbot', isGiven: false }])
  expect(changesOf(saved, { ...saved, actions: togglePermissions(taken.actions, ['createbot'], true) })).toEqual([])
  expect(changesOf(saved, { ...saved, services: ['bot'] })).toEqual([{ kind: 'service', name: 'bot', isGiven: true }])
})
