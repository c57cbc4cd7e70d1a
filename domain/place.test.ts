import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { botOfAddress, entitiesByName, entityAddress, sectionOf } from './place.ts'
import { placedEntities } from './placed-entity.ts'

const entities = entitiesByName(placedEntities(Object.values(ENTITIES)))
const botOf = (path: string, search = '') => botOfAddress(entities, path, search)

test('finds the bot in the path, else in pid', () => {
  expect(botOf('/bot/b1')).toBe('b1')
  expect(botOf('/bot/dialogtask/b1', '?pid=b2')).toBe('b1')
  expect(botOf('/bot/settings/variable/b1/v9')).toBe('b1')
  expect(botOf('/bot/settings/b1')).toBe('b1')
  expect(botOf('/dialogtask/t1', '?pid=b3')).toBe('b3')
  expect(botOf('/version/search', '?pid=b3')).toBe('b3')
  expect(botOf('/designer/dialog/d1', '?pid=b3')).toBe('b3')
})

test('finds no bot when a page of a bot is opened without one [P-93]', () => {
  expect(botOf('/bot/dialogtask')).toBeUndefined()
  expect(botOf('/bot/dialogtask/')).toBeUndefined()
  expect(botOf('/bot/settings')).toBeUndefined()
  expect(botOf('/bot/dialogtask', '?pid=b2')).toBe('b2')
  expect(botOf('/bot/settings/variable', '?pid=b2')).toBe('b2')
})

test('takes lists and new things for no bot', () => {
  expect(botOf('/bot/search')).toBeUndefined()
  expect(botOf('/bot/new')).toBeUndefined()
  expect(botOf('/audit')).toBeUndefined()
})

test('a section of a bot exists for what belongs to a bot alone [P-116]', () => {
  expect(entityAddress(entities, '/bot/settings/user/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/settings/codesample/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/user/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/settings/variable/b1')).toMatchObject({
    entity: { name: 'variable' },
    within: { entity: 'bot', id: 'b1' },
    section: true,
  })
})

test('the page of a thing belongs to the section of its entity', () => {
  expect(sectionOf(entities, '/variable/v1', '?pid=b1', 'b1')).toBe('/bot/settings/variable/b1')
  expect(sectionOf(entities, '/dialogtask/t1', '?pid=b1', 'b1')).toBe('/bot/dialogtask/b1')
  expect(sectionOf(entities, '/bot/b1', '', 'b1')).toBeUndefined()
})
