import { afterEach, expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type Bench, openBench } from './fixture.ts'

let bench: Bench
afterEach(() => bench.app.close())

const describe = async () => {
  bench = await openBench({})
  return (await bench.app.inject('/botadmin/api/openapi.json')).json()
}

function* referencesIn(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') yield member
    else yield* referencesIn(member)
  }
}

test('the API describes itself to anyone, with a path and named schemas for each entity', async () => {
  const { openapi, paths, components } = await describe()
  expect(openapi).toBe('3.1.0')
  for (const { name, type, actions, writtenBy } of Object.values<EntityDeclaration>(ENTITIES)) {
    const isRead = writtenBy === 'system'
    expect(paths[`/botadmin/api/${name}`]).toMatchObject(isRead ? { get: {} } : { get: {}, post: {} })
    const writes = isRead ? {} : { patch: {}, delete: {} }
    expect(paths[`/botadmin/api/${name}/{id}`]).toMatchObject({ get: {}, ...writes })
    for (const action of Object.keys(actions))
      expect(paths[`/botadmin/api/${name}/{id}/${action}`]).toHaveProperty('post')
    for (const schema of [type, ...(isRead ? [] : [`${type}Create`, `${type}Change`]), `${type}Page`])
      expect(components.schemas).toHaveProperty(schema)
  }
  expect(paths['/botadmin/api/dialog/{id}/flow']).toMatchObject({ get: {}, put: {} })
})

test('answers its description as JSON and as YAML, made by a process of the pool [P-2898]', async () => {
  bench = await openBench({})
  const [json, yaml] = await Promise.all(['json', 'yaml'].map(name => bench.app.inject(`/botadmin/api/docs/${name}`)))
  expect(json?.json().openapi).toBe('3.1.0')
  expect(yaml?.headers['content-type']).toBe('application/x-yaml')
  expect(yaml?.body).toMatch(/^openapi: 3\.1\.0\n/)
  expect(bench.parts.work.processes()).toBeGreaterThan(0)
})

test('every reference of the description leads somewhere', async () => {
  const description = await describe()
  const references = new Set(referencesIn(description))
  expect(references.size).toBeGreaterThan(20)
  for (const reference of references) {
    const path = reference.replace(/^#\//, '').split('/')
    const target = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      description,
    )
    expect(target, reference).toBeDefined()
  }
})

test('secrets are marked as given, never answered', async () => {
  const { components } = await describe()
  expect(components.schemas.UserCreate.properties.password).toMatchObject({ writeOnly: true })
  expect(components.schemas.GlobalVariableCreate.properties.value).toMatchObject({ writeOnly: true })
  expect(components.schemas.User.properties).not.toHaveProperty('password')
})

test('loads no inline script on the readable page', async () => {
  bench = await openBench({})
  const page = await bench.app.inject('/botadmin/api/docs')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => String(source))
  for (const source of sources.filter(one => !one.startsWith('data:'))) {
    const url = new URL(source, 'http://parley/botadmin/api/docs')
    expect((await bench.app.inject(url.pathname)).statusCode, source).toBe(200)
  }
})
