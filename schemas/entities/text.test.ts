import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type EntityDeclaration, uniqueFields } from '../entity.ts'
import { LANGUAGES } from '../language.ts'
import { ENTITIES } from './registry.ts'

const textAt = (texts: object, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : null),
    texts,
  )

const pathsOf = (entity: EntityDeclaration): string[][] => [
  ...['name', 'plural', 'purpose'].map(key => [key]),
  ...entity.form.flatMap(({ id }) => [
    ['section', id, 'title'],
    ['section', id, 'purpose'],
  ]),
  ...Object.entries(entity.fields).flatMap(([name, { options = [], internal }]) => [
    ...(internal ? [] : [['field', name, 'label']]),
    ...options.map(option => ['field', name, 'option', option]),
  ]),
  ...[...Object.keys(entity.actions), ...(entity.probes ?? [])].flatMap(action => [
    ['action', action, 'do'],
    ['action', action, 'done'],
  ]),
  ...Object.entries(entity.actions).flatMap(([action, { on, confirm, input = {} }]) => {
    if (on.length === 0) return []
    const asked = Object.entries(input).filter(([, { internal }]) => !internal)
    return [
      ...(confirm === undefined ? [] : [['action', action, 'question']]),
      ...asked.map(([name]) => ['action', action, 'field', name, 'label']),
    ]
  }),
]

describe.each(Object.values(ENTITIES).map(entity => [entity.name, entity] as const))('%s', (_name, entity) => {
  test.each(LANGUAGES)('each of its fields, options, sections and actions is named in %s', language => {
    const file = join(import.meta.dirname, '../locales', language, 'entity', `${entity.name}.json`)
    const texts = JSON.parse(readFileSync(file, 'utf8'))
    const missing = pathsOf(entity).filter(path => typeof textAt(texts, path) !== 'string')
    expect(missing.map(path => path.join('.'))).toEqual([])
  })

  test('its form, list, search, title and unique fields name fields that it has', () => {
    const named = [
      entity.title,
      ...entity.form.flatMap(section => section.fields),
      ...entity.list.columns.map(column => column.field),
      ...entity.list.search,
      ...entity.unique.flatMap(uniqueFields),
    ]
    expect(named.filter(name => !Object.hasOwn(entity.fields, name))).toEqual([])
  })
})
