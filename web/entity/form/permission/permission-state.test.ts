import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { permissionGroups } from './permission-group.ts'
import { changesOf, countOf, grantOf, switched } from './permission-state.ts'

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

test('every entity with permissions of its own stands in one group [P-400]', () => {
  const grouped = permissionGroups(DECLARED).flatMap(({ entities }) => entities.map(({ name }) => name))
  expect(grouped.toSorted()).toEqual(
    DECLARED.filter(({ rights }) => rights === undefined)
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('a permission through a service is told apart from one that is given [P-400]', () => {
  const held = { actions: ['readbot'], services: ['dialog'] }
  expect(grantOf(held, 'bot', 'read')).toBe('given')
  expect(grantOf(held, 'bot', 'update')).toBe('none')
  expect(grantOf(held, 'dialog', 'publish')).toBe('inherited')
  expect(countOf(held, [ENTITIES.bot])).toEqual({ held: 1, all: 9 })
  expect(countOf(held, [ENTITIES.dialog])).toEqual({ held: 8, all: 8 })
})

test('what is taken away and given again is no change [P-400]', () => {
  const saved = { actions: ['createbot', 'readbot'], services: [] }
  const taken = { ...saved, actions: switched(saved.actions, ['createbot'], false) }
  expect(changesOf(saved, taken)).toEqual([{ kind: 'action', name: 'createbot', isGiven: false }])
  expect(changesOf(saved, { ...saved, actions: switched(taken.actions, ['createbot'], true) })).toEqual([])
  expect(changesOf(saved, { ...saved, services: ['bot'] })).toEqual([{ kind: 'service', name: 'bot', isGiven: true }])
})
