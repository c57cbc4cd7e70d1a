import { beforeAll, describe, expect, test } from 'vitest'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Client } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import type { EntityWorld, InProcess } from './gateway.ts'
import { allEntities, type Maker } from './maker.ts'

let parley: InProcess
let admin: Client
let maker: Maker
let paths: Readonly<Record<string, { readonly post?: object }>>

const ACTIONS = allEntities().flatMap(entity =>
  Object.entries(entity.actions).map(([name, action]) => [`${entity.name} ${name}`, entity, name, action] as const),
)
const depotOf = () => allEntities().find(({ name }) => name === 'depot') as EntityDeclaration
const CLOSING = { reason: 'Inventory', confirm: 'CONFIRM' }

/** Called in a test file. */
export const describeActions = (open: () => EntityWorld): void => {
  beforeAll(async () => {
    ;({ parley, admin, maker } = open())
    ;({ paths } = (await admin.get('/openapi.json')).body as unknown as { paths: typeof paths })
  })

  describe('every declared action takes what its declaration says and nothing else [P-314]', () => {
    test.each(ACTIONS)('%s', async (_, entity, name, { confirm }) => {
      const { id } = await maker.make(entity)
      const before = (await admin.get(`/${entity.name}/${id}`)).body.revision
      const certain = confirm === 'typed' ? { confirm: 'CONFIRM' } : {}
      const unknown = await admin.post(`/${entity.name}/${id}/${name}`, { ...certain, nonsense: 1 })
      expect(unknown.status, unknown.text).toBe(422)
      expect(unknown.body.errors).toContainEqual(expect.objectContaining({ path: 'nonsense', code: 'unknown' }))
      if (confirm === 'typed') {
        const unconfirmed = await admin.post(`/${entity.name}/${id}/${name}`, {})
        expect([unconfirmed.status, unconfirmed.body.code]).toEqual([422, 'validation.confirm'])
      }
      expect((await admin.get(`/${entity.name}/${id}`)).body.revision).toBe(before)
      expect(paths[`/botadmin/api/${entity.name}/{id}/${name}`]?.post).toBeDefined()
    })
  })

  describe('an action that gives fields values needs nothing but its declaration [P-314]', () => {
    test('it keeps its input, and does nothing where that is so already', async () => {
      const { id } = await maker.make(depotOf())
      const closed = await admin.post(`/depot/${id}/close`, CLOSING)
      expect(closed.status, closed.text).toBe(200)
      expect((await admin.get(`/depot/${id}`)).body).toMatchObject({ closed: true, reason: 'Inventory', revision: 2 })
      expect((await admin.post(`/depot/${id}/close`, CLOSING)).body.revision).toBe(2)
      expect((await admin.post(`/depot/${id}/reopen`, {})).status).toBe(200)
      expect((await admin.get(`/depot/${id}`)).body).toMatchObject({ closed: false, reason: null })
    })

    test('what is wrong with its input is told by field', async () => {
      const { id } = await maker.make(depotOf())
      for (const [reason, code] of [
        [undefined, 'required'],
        ['x'.repeat(21), 'toolong'],
        [7, 'type'],
      ] as const) {
        const { status, body } = await admin.post(`/depot/${id}/close`, { confirm: 'CONFIRM', reason })
        expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'reason', code })]])
      }
    })

    test('it is a permission of its own', async () => {
      const { id } = await maker.make(depotOf())
      const home = await level(admin, 'Actions')
      const reader = await person(parley, admin, {
        username: 'only-reader',
        level: home,
        actions: ['readdepot', 'updatedepot', 'reopendepot'],
      })
      expect((await reader.client.post(`/depot/${id}/close`, CLOSING)).status).toBe(403)
    })

    test('it is carried out on several at once, with one input', async () => {
      const made = [await maker.make(depotOf()), await maker.make(depotOf())]
      const ids = made.map(({ id }) => id)
      const without = await admin.post('/depot/bulk', { action: 'close', ids, input: { reason: 'Moved' } })
      expect([without.status, without.body.code]).toEqual([422, 'validation.confirm'])
      const wrong = await admin.post('/depot/bulk', { action: 'close', ids, input: {}, confirm: 'CONFIRM' })
      expect(wrong.body.errors).toEqual([expect.objectContaining({ path: 'input.reason', code: 'required' })])
      const started = await admin.post('/depot/bulk', {
        action: 'close',
        ids,
        input: { reason: 'Moved' },
        confirm: 'CONFIRM',
      })
      expect(started.status, started.text).toBe(202)
      await expect
        .poll(() => Promise.all(ids.map(async id => (await admin.get(`/depot/${id}`)).body)), { timeout: 10_000 })
        .toMatchObject([
          { closed: true, reason: 'Moved' },
          { closed: true, reason: 'Moved' },
        ])
    })
  })
}
