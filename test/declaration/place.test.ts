import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MENU_ACTIONS, PERMISSIONS, SERVICES } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { OWN_PAGES } from '#web/app/own-pages.ts'

const WEB = join(import.meta.dirname, '../../web')
const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

test('declares own pages exactly for entities with custom pages', () => {
  expect(Object.keys(OWN_PAGES).toSorted()).toEqual(
    DECLARED.flatMap(({ name, page }) => (page === 'own' ? [name] : [])).toSorted(),
  )
})

test('each icon that a declaration names exists', async () => {
  const lucide = await import('lucide-react')
  expect(DECLARED.filter(({ icon }) => !Object.hasOwn(lucide, icon)).map(({ name }) => name)).toEqual([])
})

test('a permission that shows an entry can be given to a role, and no entity is named twice [P-119]', () => {
  for (const { place, name } of DECLARED)
    if (place?.permission !== undefined) expect(PERMISSIONS, name).toContain(place.permission)
  expect(new Set(SERVICES).size).toBe(SERVICES.length)
  expect(new Set(MENU_ACTIONS).size).toBe(MENU_ACTIONS.length)
})

test('each menu action has its words: of an entity, else in the texts of the matrix', () => {
  const texts = JSON.parse(readFileSync(join(WEB, '../schemas/locales/en/shell.json'), 'utf8')).role.menuaction
  const shown = new Set(DECLARED.map(({ place }) => place?.permission))
  expect(MENU_ACTIONS.filter(action => !shown.has(action) && !Object.hasOwn(texts, action))).toEqual([])
})
