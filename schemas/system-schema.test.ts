import { expect, test } from 'vitest'
import type { Json, JsonObject } from './event.ts'
import { isSystemSchema, SYSTEM_SCHEMAS } from './system-schema.ts'

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && !Array.isArray(value)

const namesOf = (schema: Json | undefined, before = ''): readonly string[] => {
  if (!isObject(schema)) return []
  const { properties, items } = schema
  if (items !== undefined) return namesOf(items, before)
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => [
    `${before}${name}`,
    ...namesOf(member, `${before}${name}.`),
  ])
}

test.each([
  [
    'system-location',
    '[D-3A.37]',
    'address hasMap type name geo geo.elevation geo.latitude geo.longitude geo.type geo.name',
  ],
  ['system-attachment', '[D-3A.38]', 'contentType contentUrl name content thumbnailUrl'],
  ['system-intent-recognized', '[D-3A.39]', 'intent entities'],
  ['system-product-choosen', '[D-3A.40]', 'id order order.id order.currency order.amount order.quantity'],
] as const)('the schema %s is always there %s', (name, _, names) => {
  expect(namesOf(SYSTEM_SCHEMAS[name])).toEqual(names.split(' '))
  expect(isSystemSchema(name)).toBe(true)
  expect(isSystemSchema('constructor')).toBe(false)
})
