import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { dump, Log } from '../fixture/log.ts'
import { tableOf } from '../open-read-models.ts'
import { createQueries } from '../read/queries.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { Projector } from './projector.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)
const FIRST = { page: 1, size: 100, filter: {} }

const complete = (projector: Projector) => {
  projector.commit()
  projector.completeRows()
  projector.completeFlows()
}

/** Folds events in batches of a size; `restart`: by a new projector for each batch; `isBuilding`: as a rebuild. */
const folded = (
  events: readonly StoredEvent[],
  size: number,
  { restart = false, isBuilding = false } = {},
): DatabaseSync => {
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  let projector = new Projector(database, TABLES, isBuilding)
  for (let at = 0; at < events.length; at += size) {
    if (restart) {
      projector.commit()
      projector = new Projector(database, TABLES, isBuilding)
    }
    const batch = events.slice(at, at + size)
    projector.apply(batch, batch.at(-1)?.position ?? '')
  }
  complete(projector)
  createAllIndexes(database, TABLES)
  return database
}

const changesOf = (database: DatabaseSync, entity: string, id: string) =>
  createQueries(database).history(SYSTEM_SCOPE, entity, id, { after: 0, size: 100 })?.items ?? []

const ids = ['1', '2', '3']
const step = fc.record({
  what: fc.constantFrom(
    'bot',
    'task',
    'dialog',
    'variable',
    'publish',
    'edit',
    'user',
    'hierarchy',
    'session',
    'group',
    'move',
    'restore',
    'remove',
    'forget',
  ),
  id: fc.constantFrom(...ids),
  other: fc.constantFrom(...ids),
  text: fc.string({ maxLength: 8 }),
  minutes: fc.integer({ min: 0, max: 9 }),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Plays random steps, keeping only what a real log could hold: nothing changes before it was made. */
const play = async (steps: readonly Step[]): Promise<Log> => {
  const log = new Log()
  const made = new Set<string>()
  await log.people()
  const put = async (entity: string, id: string, prefix: string, fields: Record<string, Json>, level = 'root') => {
    const type = prefix + (made.has(entity + id) ? 'Changed' : 'Created')
    made.add(entity + id)
    await log.entity(entity, id, type, fields, { level, actor: 'ana' })
  }
  const known = async (entity: string, id: string, type: string, fields: Record<string, Json> = {}) => {
    if (made.has(entity + id)) await log.entity(entity, id, type, fields, { actor: 'rui' })
  }
  const doc = new Y.Doc()
  for (const { what, id, other, text, minutes } of steps) {
    switch (what) {
      case 'bot':
        await put('bot', id, 'Bot', { name: text, stepdelay: minutes }, ['root', 'south', 'city'][Number(other) - 1])
        break
      case 'task':
        await put(
          'dialogtask',
          id,
          'DialogTask',
          made.has(`dialogtask${id}`) ? { name: text } : { name: text, bot: other },
        )
        break
      case 'dialog':
        await put('dialog', id, 'Dialog', made.has(`dialog${id}`) ? { name: text } : { name: text, dialogtask: other })
        break
      case 'variable':
        await put('variable', id, 'Variable', {
          name: text,
          dialog: other,
          ...(made.has(`variable${id}`) ? {} : { bot: other }),
        })
        break
      case 'publish':
        await known('dialog', id, 'DialogPublished', { published: true, publishedrevision: minutes })
        break
      case 'edit':
        doc.getMap('nodes').set(text, minutes)
        await log.edit(id, {
          update: Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64'),
          authors: minutes > 6 ? ['ana', 'rui'] : ['ana'],
          summary: {
            added: minutes > 4 ? [{ id: text, type: 'text', title: text }] : [],
            changed: [{ id: other, type: 'text', title: text, fields: ['title'] }],
            removed: minutes === 0 ? [{ id: text, type: 'text', title: text }] : [],
            links: { added: [], changed: [], removed: [] },
            script: minutes === 3,
          },
        })
        break
      case 'user':
        await put('user', id, 'User', { username: text, usergroup: ['admins'], locked: minutes > 6 }, 'south')
        break
      case 'hierarchy':
        await put('hierarchy', id, 'Hierarchy', { name: text, parent: 'south' })
        break
      case 'move':
        await log.entity('hierarchy', 'city', 'HierarchyChanged', { parent: minutes > 4 ? 'north' : 'south' })
        break
      case 'session':
        await log.fact(`session-${id}-${minutes}-${made.size}`, 'SessionStarted', {
          user: 'ana',
          level: 'root',
          expires: `2026-11-1${minutes}T00:00:00.000Z`,
          way: 'password',
          provider: null,
          sub: null,
          sid: null,
        })
        break
      case 'group':
        await log.entity('usergroup', 'admins', 'UserGroupChanged', { roles: minutes > 4 ? ['all'] : [] })
        break
      case 'remove':
        await known('bot', id, 'BotRemoved')
        await known('dialogtask', other, 'DialogTaskRemoved')
        break
      case 'restore':
        await known('bot', id, 'BotRestored', { name: text })
        await known('dialogtask', other, 'DialogTaskRestored')
        break
      case 'forget':
        await known('user', id, 'UserForgotten')
    }
  }
  return log
}

/** The tables that are not the same, with their rows. */
const differing = (one: Record<string, unknown[]>, other: Record<string, unknown[]>) =>
  Object.keys(one)
    .filter(name => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .map(name => ({ name, one: one[name], other: other[name] }))

describe('the folded state', () => {
  test('is the same row by row however the log was cut into batches, and after restarts in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), async (steps, size) => {
        const { store } = await play(steps)

        const whole = dump(folded(store.events, 10_000))

        expect(differing(dump(folded(store.events, size)), whole)).toEqual([])
        expect(differing(dump(folded(store.events, size, { restart: true })), whole)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('is the same row by row after a rebuild, also when that was interrupted [P-2913]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), async (steps, size) => {
        const { store } = await play(steps)

        const live = dump(folded(store.events, 1))

        expect(differing(dump(folded(store.events, size, { isBuilding: true })), live)).toEqual([])
        expect(differing(dump(folded(store.events, size, { isBuilding: true, restart: true })), live)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('of a rebuild holds titles that changed, moved audit lines and the state of publishing [P-2913]', async () => {
    const log = new Log()
    await log.people()
    await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { level: 'south' })
    await log.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Início', bot: 'b' })
    await log.entity('dialog', 'd', 'DialogCreated', { name: 'Oi', dialogtask: 't' })
    await log.entity('variable', 'v', 'VariableCreated', { name: 'nome', bot: 'b', dialog: 'd' })
    await log.entity('dialog', 'd', 'DialogChanged', { name: 'Olá' })
    await log.entity('dialog', 'd', 'DialogPublished', { published: true, publishedrevision: 0 })
    await log.edit('d', { update: Buffer.from(Y.encodeStateAsUpdate(new Y.Doc())).toString('base64') })
    await log.entity('bot', 'b', 'BotTransferred', {}, { level: 'north' })

    const database = folded(log.store.events, 100, { isBuilding: true })

    expect(database.prepare('SELECT s_dialog, s_bot FROM e_variable').get()).toEqual({
      s_dialog: 'ola',
      s_bot: 'vendas',
    })
    expect(database.prepare('SELECT f_modified FROM e_dialog').get()).toEqual({ f_modified: 1 })
    const levels = `SELECT level.id AS level, count(*) AS n FROM audit JOIN subject ON subject.key = audit.subject
      JOIN level ON level.key = audit.level WHERE subject.id = 'b' GROUP BY 1`
    expect(database.prepare(levels).all()).toEqual([{ level: 'north', n: 2 }])
    const counted = `SELECT sum(n) AS n FROM audit_count JOIN level ON level.key = level WHERE level.id = 'south'`
    expect(database.prepare(counted).get()).toEqual(
      database
        .prepare(`SELECT count(*) AS n FROM audit JOIN level ON level.key = level WHERE level.id = 'south'`)
        .get(),
    )
  })

  test('counts what is listed in each level and each hour exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const { store } = await play(steps)

        const database = folded(store.events, 5)

        for (const { name } of TABLES) {
          const rows = database.prepare(`SELECT level, count(*) AS n FROM e_${name} WHERE listed = 1 GROUP BY 1`).all()
          const tally = database.prepare('SELECT level, n FROM tally WHERE entity = ? AND n <> 0 ORDER BY 1').all(name)
          expect(tally).toEqual(rows)
        }
        const lines = database
          .prepare('SELECT time/3600000 AS hour, kind, actor, level, count(*) AS n FROM audit GROUP BY 1, 2, 3, 4')
          .all()
        expect(database.prepare('SELECT * FROM audit_count ORDER BY 1, 2, 3, 4').all()).toEqual(lines)
        const wrong = database
          .prepare(
            'SELECT count(*) AS n FROM audit JOIN subject ON subject.key = audit.subject WHERE audit.level <> subject.level',
          )
          .get()
        expect(wrong).toEqual({ n: 0 })
      }),
      { numRuns: 25 },
    )
  })
})

describe('an entity', () => {
  test('keeps what changed before and after, and can be read as it stood', async () => {
    const log = new Log()
    await log.people()
    await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas', stepdelay: 2000, avatars: [] }, { actor: 'ana' })
    await log.entity('bot', 'b', 'BotChanged', { name: 'Vendas SP', avatars: ['a.png'] }, { actor: 'rui' })
    await log.entity('bot', 'b', 'BotStarted', { runningstatus: 'started' }, { actor: 'rui' })

    const database = folded(log.store.events, 100)

    expect(changesOf(database, 'bot', 'b').slice(1)).toMatchObject([
      {
        revision: 2,
        type: 'BotChanged',
        action: 'changed',
        actor: { id: 'rui', username: 'rui' },
        changes: [
          { path: 'name', before: 'Vendas', after: 'Vendas SP' },
          { path: 'avatars', before: [], after: ['a.png'] },
        ],
      },
      { revision: 3, action: 'started', changes: [{ path: 'runningstatus', before: 'stopped', after: 'started' }] },
    ])
    const { at } = createQueries(database)
    expect(at(SYSTEM_SCOPE, 'bot', 'b', 1)).toMatchObject({ name: 'Vendas', avatars: [], runningstatus: 'stopped' })
    expect(at(SYSTEM_SCOPE, 'bot', 'b', 2)).toMatchObject({ name: 'Vendas SP', avatars: ['a.png'] })
    expect(at(SYSTEM_SCOPE, 'bot', 'b', 4)).toBeUndefined()
  })

  test('never shows a secret, in its row, its history or its past [C-3.52]', async () => {
    const log = new Log()
    const sealed = { $secret: 'c2VjcmV0' }
    await log.entity('globalvariable', 'g', 'GlobalVariableCreated', {
      name: 'key',
      value: 'plainwords',
      secret: false,
    })
    await log.entity('globalvariable', 'g', 'GlobalVariableChanged', { value: 'plainwords-too' })
    await log.entity('globalvariable', 'g', 'GlobalVariableChanged', { value: sealed, secret: true })

    const database = folded(log.store.events, 100)

    const queries = createQueries(database)
    expect(queries.detail(SYSTEM_SCOPE, 'globalvariable', 'g')).toMatchObject({ value: { set: true }, secret: true })
    expect(changesOf(database, 'globalvariable', 'g')[2]?.changes).toEqual([
      { path: 'value', before: null, after: null, secret: true },
      { path: 'secret', before: false, after: true },
    ])
    expect(queries.at(SYSTEM_SCOPE, 'globalvariable', 'g', 3)).toMatchObject({ value: { set: true } })
    expect(queries.at(SYSTEM_SCOPE, 'globalvariable', 'g', 1)).toMatchObject({ name: 'key', value: { set: true } })
    expect(JSON.stringify(dump(database))).not.toMatch(/c2VjcmV0|plainwords/)
  })

  test('leaves the lists when its parent is removed, and returns with it', async () => {
    const log = new Log()
    await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' })
    await log.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Início', bot: 'b' })
    await log.entity('dialog', 'd', 'DialogCreated', { name: 'Oi', dialogtask: 't' })
    await log.entity('bot', 'b', 'BotRemoved', {})

    const removed = createQueries(folded(log.store.events, 100))
    await log.entity('bot', 'b', 'BotRestored', { name: 'Vendas' })
    const restored = createQueries(folded(log.store.events, 100))

    expect(removed.list(SYSTEM_SCOPE, 'dialog', FIRST).total).toBe(0)
    expect(removed.list(SYSTEM_SCOPE, 'bot', { ...FIRST, removed: true }).items).toMatchObject([
      { id: 'b', removed: true },
    ])
    expect(removed.detail(SYSTEM_SCOPE, 'bot', 'b')).toBeUndefined()
    expect(removed.detail(SYSTEM_SCOPE, 'bot', 'b', { removed: true })).toMatchObject({ id: 'b', removed: true })
    expect(removed.history(SYSTEM_SCOPE, 'bot', 'b', { after: 0, size: 9 })?.total).toBe(2)
    expect(restored.list(SYSTEM_SCOPE, 'dialog', FIRST).total).toBe(1)
  })

  test('of a forgotten user has no personal data and is marked as forgotten', async () => {
    const log = new Log()
    await log.people()
    await log.entity('user', 'eva', 'UserCreated', {
      username: 'evamaria',
      email: 'eva@example.org',
      firstname: 'Evandra',
    })
    await log.entity('user', 'eva', 'UserChanged', { email: 'evamaria@example.org' }, { actor: 'eva' })
    await log.entity('user', 'eva', 'UserLocked', { locked: true }, { actor: 'ana' })
    await log.entity(
      'user',
      'eva',
      'UserForgotten',
      { username: null, email: null, firstname: null, forgotten: true },
      { actor: 'ana' },
    )

    const database = folded(log.store.events, 1)

    expect(/evamaria|example\.org|Evandra/.test(JSON.stringify(dump(database)))).toBe(false)
    const queries = createQueries(database)
    expect(queries.people(SYSTEM_SCOPE, ['eva'])).toEqual([{ id: 'eva', username: null, forgotten: true }])
    expect(changesOf(database, 'user', 'eva').map(({ action }) => action)).toEqual([
      'created',
      'changed',
      'locked',
      'forgotten',
    ])
    expect(queries.list(SYSTEM_SCOPE, 'user', FIRST).items.map(({ id }) => id)).toEqual(['rui', 'ana'])
    expect(queries.detail(SYSTEM_SCOPE, 'user', 'eva')).toMatchObject({ username: null, forgotten: true })
  })
})

test('addresses leave the read models when their user is forgotten, and 90 days after they were seen [P-1804]', async () => {
  const log = new Log()
  await log.people()
  const seen = (origin: string, user: string | null, time: string) =>
    log.fact(
      `origin-${time.slice(0, 10)}`,
      'OriginSeen',
      { origin: origin.repeat(64), user, fields: { address: `192.0.2.${origin}`, agent: null } },
      { time },
    )
  const addresses = () =>
    folded(log.store.events, 10)
      .prepare('SELECT address FROM origin WHERE address IS NOT NULL ORDER BY address')
      .all()
      .map(({ address }) => address)
  await seen('1', 'ana', '2026-11-16T12:00:00.000Z')
  await seen('2', 'rui', '2026-11-16T12:00:00.000Z')
  await seen('3', null, '2027-02-14T12:00:00.000Z')
  expect(addresses()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  await log.entity('user', 'ana', 'UserForgotten', { username: null })
  expect(addresses()).toEqual(['192.0.2.2', '192.0.2.3'])
  await seen('4', null, '2027-02-14T12:00:00.001Z')
  expect(addresses()).toEqual(['192.0.2.3', '192.0.2.4'])
})
