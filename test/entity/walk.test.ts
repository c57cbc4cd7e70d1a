import { afterAll, describe, expect, test, vi } from 'vitest'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { type EntityWorld, startInProcess } from './gateway.ts'
import { allEntities, changesOf, type Fields, type Maker, makerOf, ruledOf, WHOLE } from './maker.ts'
import { changeable } from './values.ts'
import { describeActions } from './walk-action.ts'
import { describeLists } from './walk-list.ts'
import { describeBulk } from './walk-many.ts'

vi.mock('#schemas/entities/registry.ts', async load => (await import('./test-entities.ts')).withTestEntities(load))

const parley = await startInProcess()
const admin = parley.admin
const maker = makerOf(admin)
afterAll(() => parley.close())

const CONFIRM = { confirm: 'CONFIRM' }

const items: Maker['items'] = (entity, query) => maker.items(entity, query)
const actionsOf = async (entity: EntityDeclaration, id: string) => {
  const { body } = await admin.get(`/audit?entity=${entity.name}&entityid=${id}`)
  return body.items.map(({ action }) => action)
}

/** Everything that can be asked of a thing that is there and changed by a PATCH at `revision`. */
const walkThing = async (entity: EntityDeclaration, id: string, revision: number, before: Fields) => {
  const at = `/${entity.name}/${id}`
  const { path, first, second } = changesOf(entity, before)
  expect((await admin.patch(at, { [path]: first }, revision + 50)).status).toBe(412)
  expect((await admin.send('PATCH', at, JSON_BODY)).status).toBe(428)
  expect((await admin.patch(at, { nonsense: 1 }, revision)).status).toBe(422)
  const changed = await admin.patch(at, { [path]: first }, revision)
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body.revision).toBeGreaterThan(revision)
  const conflict = await admin.patch(at, { [path]: second }, revision)
  expect(conflict.status, conflict.text).toBe(409)
  const clash = { path, code: 'conflict', yours: second, theirs: first }
  expect(conflict.body.errors).toContainEqual(expect.objectContaining(clash))

  const { body: history } = await admin.get(`${at}/history?size=100`)
  const last = history.items.at(-1)
  expect(last).toMatchObject({ revision: changed.body.revision })
  expect(JSON.stringify(last?.changes)).toContain(JSON.stringify(first))
  expect((await admin.get(`${at}/at/${changed.body.revision}`)).body[path as 'id']).toEqual(first)
  expect((await admin.get(`${at}/at/${revision}`)).body[path as 'id']).toEqual(before[path])
  const restored = await admin.post(`${at}/restore`, { revision, fields: [path] })
  expect(restored.status, restored.text).toBe(200)
  expect((await admin.get(at)).body[path as 'id']).toEqual(before[path])
  return restored.body.revision
}
const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: '{}' }

const walkMany = async (entity: EntityDeclaration) => {
  const { id, fields } = await maker.make(entity)
  const { body: row, headers } = await admin.get(`/${entity.name}/${id}`)
  expect(headers.get('etag')).toBe(`"${row.revision}"`)
  for (const name of changeable(entity, ruledOf(entity)))
    if (name in fields) expect(row[name as 'id'], name).toEqual(fields[name])
  await walkList(entity, id, fields)
  const revision = await walkThing(entity, id, row.revision, fields)
  await walkRemoval(entity, id, revision)
  const actions = await actionsOf(entity, id)
  expect(actions).toEqual(expect.arrayContaining(['created', 'changed', 'removed', 'restored']))
}

const walkList = async (entity: EntityDeclaration, id: string, fields: Fields) => {
  const title = String(fields[entity.title])
  const parent = parentField(entity)
  expect(await items(entity, {})).toContain(id)
  for (const sort of [entity.title, `-${entity.title}`, '-modified_at'])
    expect(await items(entity, { sort })).toContain(id)
  expect(await items(entity, { [entity.title]: title })).toEqual([id])
  if (entity.list.search.includes(entity.title)) expect(await items(entity, { search: title })).toContain(id)
  if (parent !== undefined) {
    expect(await items(entity, { [parent]: String(fields[parent]) })).toEqual([id])
    expect(await items(entity, { [parent]: 'nowhere' })).toEqual([])
  }
  expect((await admin.get(`/${entity.name}?nonsense=1`)).status).toBe(422)
}

const walkRemoval = async (entity: EntityDeclaration, id: string, revision: number) => {
  const at = `/${entity.name}/${id}`
  if (entity.confirm) expect((await admin.delete(at)).body.code).toBe('validation.confirm')
  const removed = await admin.delete(at, entity.confirm ? CONFIRM : undefined)
  expect(removed.status, removed.text).toBe(200)
  expect((await admin.get(at)).status).toBe(404)
  expect(await items(entity, {})).not.toContain(id)
  expect(await items(entity, { removed: 'true' })).toContain(id)
  const back = await admin.post(`${at}/restore`, { revision })
  expect(back.status, back.text).toBe(200)
  expect((await admin.get(at)).status).toBe(200)
}

const walkOne = async (entity: EntityDeclaration) => {
  const within = await maker.parentOf(entity)
  const { body } = await admin.get(`/${entity.name}?${new URLSearchParams(within)}`)
  expect(body).toMatchObject({ total: 1, items: [{ revision: 0, ...within }] })
  const [row] = body.items
  const id = String(row?.id)
  expect((await admin.post(`/${entity.name}`, within)).body.code).toBe('entity.exists')
  const whole = WHOLE[entity.name]
  const at = whole === undefined ? 0 : (await admin.patch(`/${entity.name}/${id}`, whole, 0)).body.revision
  const revision = await walkThing(entity, id, at, { ...(row as Fields), ...whole })
  const removed = await admin.delete(`/${entity.name}/${id}`, entity.confirm ? CONFIRM : undefined)
  expect(removed.body.revision).toBeGreaterThanOrEqual(revision)
  expect((await admin.get(`/${entity.name}/${id}`)).status).toBe(200)
  expect(await actionsOf(entity, id)).toContain('changed')
}

describe('every declared entity can be asked for all that its declaration promises', () => {
  test.each(allEntities().map(entity => [entity.name, entity] as const))('%s', async (_, entity) => {
    await (entity.cardinality === 'one' ? walkOne(entity) : walkMany(entity))
  })
})

const world = (): EntityWorld => ({ parley, admin, maker })
describeLists(world)
describeBulk(world)
describeActions(world)
