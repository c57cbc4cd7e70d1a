import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trailOf } from '#domain/breadcrumb.ts'
import { entitiesByName } from '#domain/place.ts'
import { placedEntities } from '#domain/placed-entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'

const ROUTES = join(import.meta.dirname, '../../web/app/routes.tsx')

test('each page with a fixed address has a trail that leads to it [P-2252]', () => {
  const entities = entitiesByName(placedEntities(Object.values(ENTITIES)))
  const paths = [...readFileSync(ROUTES, 'utf8').matchAll(/pageRoute\(\s*'(\/[^':*]*)'/gu)].map(
    ([, path]) => path ?? '',
  )
  expect(paths.length).toBeGreaterThan(20)
  const lost = paths.filter(path => trailOf(entities, path).length < 2)
  expect(lost).toEqual([])
})
