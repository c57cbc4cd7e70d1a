import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { Log } from '../fixture/log.ts'
import { foldText } from '../fold-text.ts'
import { tableOf } from '../open-read-models.ts'
import type { ListQuery, Scope } from '../port.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { Projector } from '../write/projector.ts'
import { createQueries } from './queries.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)
/** Of the tree that `Log.people` makes. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  root: ['root', 'south', 'city', 'north'],
  south: ['south', 'city'],
  city: ['city'],
  north: ['north'],
}
const levels = Object.keys(BELOW)

const scopeAt = (level: string): Scope => ({ ...SYSTEM_SCOPE, user: 'ana', home: level, level })
const name = fc.constantFrom('Vendas', 'vendas', 'Ação', 'acao 2', 'Zebra', 'Índice', 'b', 'Bot B', 'Cobrança')
const bot = fc.record({
  name,
  level: fc.constantFrom(...levels),
  env: fc.constantFrom('development', 'production'),
  removed: fc.boolean(),
})
const question = fc.record({
  level: fc.constantFrom(...levels),
  narrower: fc.option(fc.constantFrom(...levels), { nil: undefined }),
  search: fc.constantFrom('', 'a', 'ACAO', 'vendas', 'zz'),
  sort: fc.constantFrom('', 'name', '-name', 'deploymentenv', '-modified_at', 'created_at', 'stepdelay'),
  env: fc.option(fc.constantFrom('development', 'production'), { nil: undefined }),
  page: fc.integer({ min: 1, max: 5 }),
  size: fc.integer({ min: 1, max: 6 }),
})
type Bot = typeof bot extends fc.Arbitrary<infer T> ? T : never
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** The same by hand: ids of all that match, in order. */
const expected = (bots: readonly Bot[], { level, narrower, search, sort, env }: Question): string[] => {
  const top = narrower ?? level
  const visible = BELOW[level]?.includes(top) === true ? (BELOW[top] ?? []) : []
  const found = bots
    .map((one, index) => ({ ...one, id: index }))
    .filter(one => !one.removed && visible.includes(one.level) && (env === undefined || one.env === env))
    .filter(one => foldText(one.name).includes(foldText(search)))
  const field = sort.replace('-', '')
  const key = (one: (typeof found)[number]): string =>
    field === 'name' ? foldText(one.name) : field === 'deploymentenv' ? one.env : ''
  const newest = sort === '' || sort.startsWith('-')
  found.sort((one, other) => {
    const [a, b] = [key(one), key(other)]
    const order = a < b ? -1 : a > b ? 1 : one.id - other.id
    return newest ? -order : order
  })
  return found.map(one => `b${one.id}`)
}

test('lists rows of the level and below, sorted, filtered and searched, with the exact total', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(bot, { maxLength: 30 }),
      fc.array(question, { minLength: 8, maxLength: 8 }),
      async (bots, questions) => {
        const log = new Log()
        await log.people()
        for (const [index, { name: called, level, env }] of bots.entries()) {
          await log.entity('bot', `b${index}`, 'BotCreated', { name: called, deploymentenv: env }, { level })
        }
        for (const [index, { removed, level }] of bots.entries()) {
          if (removed) await log.entity('bot', `b${index}`, 'BotRemoved', {}, { level })
        }
        const database = new DatabaseSync(':memory:')
        createTables(database, TABLES)
        new Projector(database, TABLES).apply(log.store.events, 'p')
        createAllIndexes(database, TABLES)
        database.exec("INSERT INTO meta VALUES ('complete', '1')")
        const queries = createQueries(database)

        for (const asked of questions) {
          const { level, narrower, search, sort, env, page, size } = asked
          const query: ListQuery = {
            page,
            size,
            search,
            sort,
            filter: env === undefined ? {} : { deploymentenv: env },
            ...(narrower === undefined ? {} : { hierarchylevel: narrower }),
          }
          const answer = queries.list(scopeAt(level), 'bot', query)

          const all = expected(bots, asked)
          expect(answer.total).toBe(all.length)
          expect(answer.items.map(({ id }) => id)).toEqual(all.slice((page - 1) * size, page * size))
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('returns nothing of another branch: no rows, counts, names, history, past or audit', async () => {
  const log = new Log()
  await log.people()
  await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { level: 'north', actor: 'ana' })
  await log.entity('bot', 'b', 'BotChanged', { name: 'Segredo' }, { level: 'north', actor: 'ana' })
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  const projector = new Projector(database, TABLES)
  projector.apply(log.store.events, 'p')
  createAllIndexes(database, TABLES)
  const queries = createQueries(database)
  const south = scopeAt('south')

  expect(queries.list(south, 'bot', { page: 1, size: 9, filter: {} }).total).toBe(0)
  expect(queries.detail(south, 'bot', 'b', { removed: true })).toBeUndefined()
  expect(queries.hierarchyOf(south, 'bot', 'b')).toBeUndefined()
  expect(queries.history(south, 'bot', 'b', { after: 0, size: 9 })).toBeUndefined()
  expect(queries.at(south, 'bot', 'b', 1)).toBeUndefined()
  expect(queries.search(south, 'segredo', 9)).toEqual([])
  expect(queries.audit(south, { entityid: 'b', page: 1, size: 9 }).total).toBe(0)
  expect(queries.audit(south, { entity: 'bot', page: 1, size: 9 }).total).toBe(0)
  expect(queries.audit(south, { hierarchy: 'north', page: 1, size: 9 }).total).toBe(0)
  expect(queries.auditActivity(south, { entity: 'bot', page: 1, size: 1 }, 4)).toEqual([])

  await log.entity('hierarchy', 'north', 'HierarchyChanged', { parent: 'south' })
  projector.apply(log.store.events.slice(-1), 'q')

  expect(queries.list(south, 'bot', { page: 1, size: 9, filter: {} }).total).toBe(1)
  expect(queries.audit(south, { entity: 'bot', page: 1, size: 9 }).total).toBe(2)
})

test('lists those that refer to a thing, as they are now, without reading the others [P-2791]', async () => {
  const log = new Log()
  await log.people()
  await log.entity('usergroup', 'readers', 'UserGroupCreated', { name: 'Readers', parent: null, roles: [] })
  for (const id of ['eva', 'bia', 'leo']) await log.entity('user', id, 'UserCreated', { username: id, usergroup: [] })
  await log.entity('user', 'eva', 'UserChanged', { usergroup: ['readers', 'admins'] })
  await log.entity('user', 'bia', 'UserChanged', { usergroup: ['readers'] })
  await log.entity('user', 'leo', 'UserChanged', { usergroup: ['readers'] })
  await log.entity('user', 'bia', 'UserChanged', { usergroup: ['admins'] })
  await log.entity('user', 'leo', 'UserRemoved', {})
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  const projector = new Projector(database, TABLES)
  projector.apply(log.store.events, 'p')
  createAllIndexes(database, TABLES)
  const queries = createQueries(database)
  const members = (usergroup: string, level = 'root') =>
    queries
      .selection(scopeAt(level), 'user', { filter: { usergroup }, sort: 'created_at' }, 100)
      .items.map(({ id }) => id)

  expect(members('readers')).toEqual(['eva'])
  expect(members('admins')).toEqual(['ana', 'rui', 'eva', 'bia'])
  expect(members('admins', 'south')).toEqual(['rui'])
  expect(members('nobody')).toEqual([])
  await log.entity('user', 'leo', 'UserRestored', {})
  projector.apply(log.store.events.slice(-1), 'q')
  expect(members('readers')).toEqual(['eva', 'leo'])
})
