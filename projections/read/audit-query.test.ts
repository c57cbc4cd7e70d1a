import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { Log } from '../fixture/log.ts'
import { tableOf } from '../open-read-models.ts'
import type { AuditQuery } from '../query-results.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { Projector } from '../write/projector.ts'
import { createQueries } from './queries.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)

const folded = (log: Log) => {
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  new Projector(database, TABLES).apply(log.store.events, 'p')
  createAllIndexes(database, TABLES)
  database.exec("INSERT INTO meta VALUES ('complete', '1')")
  return createQueries(database)
}

const START = Date.UTC(2026, 10, 10)
const iso = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const minute = fc.integer({ min: 0, max: 600 })
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const fact = fc.record({
  entity: fc.constantFrom('bot', 'role'),
  id: fc.constantFrom('1', '2'),
  actor: fc.constantFrom('ana', 'rui', null),
  level: fc.constantFrom('root', 'south', 'city', 'north'),
  minute,
})
const question = fc.record({
  entity: optional(fc.constantFrom('bot', 'role')),
  entityid: optional(fc.constantFrom('1', '2')),
  user: optional(fc.constantFrom('ana', 'rui', 'nobody')),
  action: optional(fc.constantFrom('created', 'changed')),
  from: optional(minute),
  to: optional(minute),
  page: fc.integer({ min: 1, max: 4 }),
  size: fc.integer({ min: 1, max: 5 }),
})

test('every filter finds exactly its lines, newest first, and the histogram counts the same [C-3.44]', async () => {
  const ask = fc.array(question, { minLength: 10, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { maxLength: 40 }), ask, async (facts, questions) => {
      const log = new Log()
      await log.people()
      const before = log.store.events.length
      const made = new Map<string, string>()
      const lines = []
      for (const [n, { entity, id, actor, level, minute: at }] of facts.entries()) {
        const action = made.has(entity + id) ? 'changed' : 'created'
        const home = made.get(entity + id) ?? level
        made.set(entity + id, home)
        const type = (entity === 'bot' ? 'Bot' : 'Role') + (action === 'created' ? 'Created' : 'Changed')
        await log.entity(entity, id, type, { name: `n${n}` }, { actor, level: home, time: iso(at) })
        lines.push({ n, entity, id, actor, action, at, name: `n${n}` })
      }
      const queries = folded(log)
      expect(before).toBeGreaterThan(0)

      for (const { from, to, page, size, ...rest } of questions) {
        const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
        const period = { from: iso(from ?? -1), to: iso(to ?? 600) }
        const query = { ...given, ...period, page, size } as AuditQuery
        const matching = lines
          .filter(line => rest.entity === undefined || line.entity === rest.entity)
          .filter(line => rest.entityid === undefined || line.id === rest.entityid)
          .filter(line => rest.user === undefined || line.actor === rest.user)
          .filter(line => rest.action === undefined || line.action === rest.action)
          .filter(line => line.at >= (from ?? -1) && line.at <= (to ?? 600))
          .sort((one, other) => other.at - one.at || other.n - one.n)

        const answer = queries.audit(SYSTEM_SCOPE, query)

        expect(answer.total).toBe(matching.length)
        const shown = answer.items.map(item => item.changes.find(({ path }) => path === 'name')?.after)
        expect(shown).toEqual(matching.slice((page - 1) * size, page * size).map(line => line.name))
        const buckets = queries.auditActivity(SYSTEM_SCOPE, query, 7)
        if (period.from <= period.to) {
          expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(matching.length)
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('a line tells the groups and roles its author had then, by the names they have now [C-3.43]', async () => {
  const log = new Log()
  await log.people()
  await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { actor: 'ana' })
  await log.entity('user', 'ana', 'UserChanged', { usergroup: [] })
  await log.entity('usergroup', 'admins', 'UserGroupChanged', { name: 'Chefes' })
  await log.entity('bot', 'b', 'BotChanged', { name: 'Vendas SP' }, { actor: 'ana' })

  const { items } = folded(log).audit(SYSTEM_SCOPE, { entityid: 'b', user: 'ANA', page: 1, size: 9 })

  expect(items).toMatchObject([
    {
      entity: 'bot',
      name: 'Vendas SP',
      service: 'bot',
      action: 'changed',
      user: { username: 'ana' },
      groups: [],
      roles: [],
    },
    { entity: 'bot', action: 'created', hierarchy: 'root', groups: ['Chefes'], roles: ['All'], revision: 1 },
  ])
})

test('changes of level, failed sign-ins under no known name and exports are lines too', async () => {
  const log = new Log()
  await log.people()
  const session = {
    user: 'rui',
    level: 'south',
    expires: '2999-01-01T00:00:00.000Z',
    way: 'password',
    provider: null,
    sub: null,
    sid: null,
  }
  await log.fact('session-s', 'SessionStarted', session, { actor: 'rui', level: 'south' })
  await log.fact('session-s', 'SessionLevelChanged', { user: 'rui', level: 'north' }, { actor: 'rui', level: 'south' })
  await log.fact('signin-abc', 'SignInFailed', { user: null, attempts: 1 }, { level: null })
  await log.fact('signin-def', 'SignInFailed', { user: 'rui', attempts: 1 }, { level: null })
  await log.fact('audit-x', 'AuditExported', { fields: { entity: 'bot', format: 'csv' } }, { actor: 'ana' })

  const { items } = folded(log).audit(SYSTEM_SCOPE, { page: 1, size: 3 })

  expect(items.map(({ entity, action, user }) => [entity, action, user?.username])).toEqual([
    ['audit', 'exported', 'ana'],
    ['signin', 'failed', undefined],
    ['session', 'levelchanged', 'rui'],
  ])
  expect(items[0]?.changes).toContainEqual({ path: 'entity', before: null, after: 'bot' })
})

test('the kinds of changes of a person since a time are without older ones [P-2889]', async () => {
  const log = new Log()
  await log.people()
  const DAYS_90 = 90 * 24 * 60
  await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { actor: 'ana', time: iso(0) })
  await log.entity('bot', 'b', 'BotChanged', { name: 'Vendas SP' }, { actor: 'ana', time: iso(60) })
  await log.entity('role', 'r', 'RoleCreated', { name: 'Chefes' }, { actor: 'rui', time: iso(DAYS_90) })

  const kindsAt = (minutes: number) => folded(log).changeKindsOf(['ana', 'rui'], START + (minutes - DAYS_90) * 60_000)
  const [created, changed] = ['created', 'changed'].map(action => ({ entity: 'bot', action }))
  const rui = [{ entity: 'role', action: 'created' }]

  expect(kindsAt(DAYS_90)).toEqual({ ana: expect.arrayContaining([created, changed]), rui })
  expect(kindsAt(DAYS_90 + 60)).toEqual({ ana: [changed], rui })
  expect(kindsAt(DAYS_90 + 120)).toEqual({ ana: [], rui })
})
