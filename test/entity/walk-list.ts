import { beforeAll, describe, expect, test } from 'vitest'
import { filtersOf } from '#schemas/api/query.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Client } from '#test/api/harness.ts'
import { covering } from '#test/fixture/covering.ts'
import { isFull } from '#test/fixture/full.ts'
import type { EntityWorld } from './gateway.ts'
import { allEntities, type Maker } from './maker.ts'

let admin: Client
let maker: Maker

type Row = Readonly<Record<string, Json>>

const rowsOf = async (entity: EntityDeclaration, query: Record<string, string>) => {
  const { status, text, body } = await admin.get(`/${entity.name}?${new URLSearchParams({ size: '100', ...query })}`)
  expect(status, text).toBe(200)
  return body.items as unknown as readonly Row[]
}

/** The value of a field as a filter names it; undefined where it has none. */
const filterText = (value: Json | undefined): string | undefined => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? String(one) : undefined
}

const titlesOf = async (to: string, ids: readonly string[]) => {
  const { status, text, body } = await admin.post('/names', { ids: { [to]: [...new Set(ids)] } })
  expect(status, text).toBe(200)
  return (body as unknown as Record<string, Record<string, string>>)[to] ?? {}
}

/** Sort keys of a column: for a reference, the title of its target. */
const sortKeys = async (entity: EntityDeclaration, column: string, rows: readonly Row[]) => {
  const values = rows.map(row => row[column] ?? null)
  const { kind, to } = entity.fields[column] ?? {}
  if (kind !== 'reference' || to === undefined) return values.filter(value => value !== null)
  const ids = values.filter(value => typeof value === 'string')
  const titles = await titlesOf(to, ids)
  return ids.map(id => titles[id])
}

const walkFilters = async (entity: EntityDeclaration, id: string, row: Row) => {
  for (const name of filtersOf(entity)) {
    const value = filterText(row[name])
    if (value !== undefined) expect(await maker.items(entity, { [name]: value }), `${name}=${value}`).toContain(id)
    const kind = entity.fields[name]?.kind
    if (kind === 'boolean' && value !== undefined)
      expect(await maker.items(entity, { [name]: String(value !== 'true') }), `not ${name}`).not.toContain(id)
    if (kind === 'string' || kind === 'reference')
      expect(await maker.items(entity, { [name]: 'nowhere' }), name).not.toContain(id)
  }
}

const compare = (a: string, b: string) =>
  Number(a.toLowerCase() > b.toLowerCase()) - Number(a.toLowerCase() < b.toLowerCase())

const walkOrder = async (entity: EntityDeclaration) => {
  for (const { field } of entity.list.columns) {
    // Neither a secret nor a file has an order.
    if (entity.fields[field]?.secret || entity.fields[field]?.kind === 'file') continue
    const up = await sortKeys(entity, field, await rowsOf(entity, { sort: field }))
    const down = await sortKeys(entity, field, await rowsOf(entity, { sort: `-${field}` }))
    expect(down, field).toEqual(up.toReversed())
    // Names of users are not stored in other lists.
    if (entity.fields[field]?.kind === 'reference' && entity.fields[field].to !== 'user')
      expect(up, field).toEqual(up.toSorted((a = '', b = '') => compare(String(a), String(b))))
  }
}

const isMany = ({ cardinality }: EntityDeclaration) => cardinality !== 'one'
const many = allEntities().filter(isMany)
/** Traits of an entity that change how its list is filtered and ordered. */
const traitsOf = (entity: EntityDeclaration): readonly string[] => {
  const kindOf = (name: string) => {
    const { kind = name, secret, to } = entity.fields[name] ?? {}
    return `${kind} ${secret === true} ${to !== undefined}`
  }
  return [
    `parent ${parentField(entity) !== undefined}`,
    ...filtersOf(entity).map(name => `filter ${kindOf(name)}`),
    ...entity.list.columns.map(({ field }) => `column ${kindOf(field)}`),
    ...entity.list.search.slice(0, 1).map(name => `search ${kindOf(name)}`),
  ]
}
/** `npm run test:full` takes all of them. */
const covered = isFull ? many : covering(many, traitsOf)

/** Called in a test file. */
export const describeLists = (open: () => EntityWorld): void => {
  beforeAll(() => {
    ;({ admin, maker } = open())
  })

  describe('every list is narrowed and ordered by what its entity declares [P-161]', () => {
    test.each(covered.map(entity => [entity.name, entity] as const))('%s', async (_, entity) => {
      const { id } = await maker.make(entity)
      await maker.make(entity)
      const { body } = await admin.get(`/${entity.name}/${id}`)
      const row = body as unknown as Row
      await walkFilters(entity, id, row)
      await walkOrder(entity)
      for (const field of entity.list.search.slice(0, 1)) {
        const text = filterText(row[field])
        if (text !== undefined) expect(await maker.items(entity, { search: text }), `search ${text}`).toContain(id)
      }
      expect(Object.keys(await titlesOf(entity.name, [id]))).toEqual([id])
      expect(await admin.get(`/${entity.name}/${id}/usedby`)).toMatchObject({ status: 200, body: { hidden: 0 } })
    })
  })
}
