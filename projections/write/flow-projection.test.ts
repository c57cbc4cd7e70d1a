import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { Log } from '../fixture/log.ts'
import { tableOf } from '../open-read-models.ts'
import type { Scope } from '../port.ts'
import { createQueries, type Queries } from '../read/queries.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { StatementCache } from '../statement-cache.ts'
import { makeMiniature } from './flow-keyframe.ts'
import { Projector } from './projector.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)

const folded = (log: Log): { database: DatabaseSync; queries: Queries } => {
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  new Projector(database, TABLES).apply(log.store.events, log.store.events.at(-1)?.position ?? '')
  createAllIndexes(database, TABLES)
  return { database, queries: createQueries(database) }
}

/** A dialog `d` of a bot in the south, and a document whose every change is an update. */
const drawing = async () => {
  const log = new Log()
  await log.people()
  await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { level: 'south' })
  await log.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Início', bot: 'b' }, { level: 'south' })
  await log.entity('dialog', 'd', 'DialogCreated', { name: 'Oi', dialogtask: 't' }, { level: 'south', actor: 'ana' })
  const doc = new Y.Doc()
  doc.clientID = 7
  const updates: Uint8Array[] = []
  doc.on('update', update => updates.push(update))
  const draw = (id: string, x: number, type = 'text'): string => {
    const node = new Y.Map<unknown>([
      ['type', type],
      ['pos', { x, y: 20 }],
    ])
    doc.getMap('nodes').set(id, node)
    return Buffer.from(updates.at(-1) ?? []).toString('base64')
  }
  return { log, doc, draw }
}

const added = (id: string) => ({
  added: [{ id, type: 'text', title: id }],
  changed: [],
  removed: [],
  links: { added: [], changed: [], removed: [] },
  script: false,
})
const at = (minute: number, second = 0) => ({ time: new Date(Date.UTC(2026, 10, 17, 9, minute, second)).toISOString() })
const scope = (user: string, level: string): Scope => ({
  ...SYSTEM_SCOPE,
  user,
  home: level,
  level,
  readable: new Set(['dialog', 'bot', 'user']),
})

test('edits of the same people with pauses under five minutes are one moment when folded, and one line of the audit each', async () => {
  const { log, draw } = await drawing()
  await log.edit('d', { update: draw('a', 0), authors: ['ana'], summary: added('a') }, { ...at(0), actor: 'ana' })
  await log.edit('d', { update: draw('b', 20), authors: ['ana'], summary: added('b') }, { ...at(4, 59), actor: 'ana' })
  await log.edit('d', { update: draw('c', 40), authors: ['ana'], summary: added('c') }, { ...at(10), actor: 'ana' })
  await log.edit(
    'd',
    { update: draw('e', 60), authors: ['ana', 'rui'], summary: added('e') },
    { ...at(11), actor: 'ana' },
  )
  await log.edit(
    'd',
    { update: draw('f', 80), authors: ['ana', 'rui'], source: { kind: 'restore', revision: 1 } },
    at(12),
  )

  const { queries } = folded(log)

  const query = { after: 0, size: 10 }
  const moments = queries.flowHistory(SYSTEM_SCOPE, 'd', { ...query, fold: false })
  expect(moments?.items.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5])
  const folds = queries.flowHistory(SYSTEM_SCOPE, 'd', { ...query, fold: true })
  expect(folds?.total).toBe(4)
  expect(folds?.items.map(({ first, revision }) => [first, revision])).toEqual([
    [1, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ])
  expect(folds?.items[0]?.summary.added.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(folds?.items[2]?.authors.map(({ username }) => username)).toEqual(['ana', 'rui'])
  expect(folds?.items[3]?.source).toEqual({ kind: 'restore', revision: 1 })
  const restored = queries.audit(SYSTEM_SCOPE, { action: 'restored', page: 1, size: 10 })
  expect(restored.items.map(({ user, revision, source }) => [user?.id, revision, source])).toEqual([
    ['rui', 5, { kind: 'restore', revision: 1 }],
    ['ana', 5, { kind: 'restore', revision: 1 }],
  ])
  const { items } = queries.audit(SYSTEM_SCOPE, { action: 'edited', page: 1, size: 10 })
  expect(items.map(({ entity, user, revision }) => [entity, user?.id, revision])).toEqual([
    ['dialog', 'rui', 4],
    ['dialog', 'ana', 4],
    ['dialog', 'ana', 3],
    ['dialog', 'ana', 2],
  ])
  expect(items.at(-1)?.changes).toMatchObject([
    { path: 'blocks.added', before: null, after: [{ id: 'a' }, { id: 'b' }] },
  ])
  expect(queries.history(SYSTEM_SCOPE, 'dialog', 'd', { after: 0, size: 10 })?.total).toBe(1)
})

test('imports one after the other are one moment when folded, but each has its own line in the audit', async () => {
  const { log, draw } = await drawing()
  const imported = { authors: ['ana'], source: { kind: 'import' as const } }
  await log.edit('d', { ...imported, update: draw('a', 0), summary: added('a') }, { ...at(0), actor: 'ana' })
  await log.edit('d', { ...imported, update: draw('b', 20), summary: added('b') }, { ...at(1), actor: 'ana' })
  await log.edit('d', { update: draw('c', 40), authors: ['ana'], summary: added('c') }, { ...at(2), actor: 'ana' })

  const { queries } = folded(log)

  const folds = queries.flowHistory(SYSTEM_SCOPE, 'd', { after: 0, size: 10, fold: true })
  expect(folds?.items.map(({ first, revision, source }) => [first, revision, source])).toEqual([
    [1, 2, { kind: 'import' }],
    [3, 3, undefined],
  ])
  const edited = queries.audit(SYSTEM_SCOPE, { action: 'edited', page: 1, size: 10 })
  expect(edited.items.map(({ revision, source }) => [revision, source])).toEqual([[3, undefined]])
  const { items } = queries.audit(SYSTEM_SCOPE, { action: 'imported', page: 1, size: 10 })
  expect(items.map(({ source }) => source)).toEqual([{ kind: 'import' }, { kind: 'import' }])
  expect(items.map(({ revision, changes }) => [revision, changes.map(({ after }) => after)])).toMatchObject([
    [2, [[{ id: 'b' }]]],
    [1, [[{ id: 'a' }]]],
  ])
})

test('an update in pieces is one moment, at its last revision, and is nothing while pieces are missing', async () => {
  const { log, draw } = await drawing()
  const whole = Buffer.from(draw('a', 0), 'base64')
  const pieces = [whole.subarray(0, 5), whole.subarray(5, 9), whole.subarray(9)].map(piece => piece.toString('base64'))
  const part = (k: number) => ({ update: pieces[k - 1] ?? '', part: { group: 'g', k, n: 3 } })
  await log.edit('d', part(1))
  await log.edit('d', part(2))
  expect(folded(log).queries.flowHistory(SYSTEM_SCOPE, 'd', { after: 0, size: 9, fold: false })?.total).toBe(0)
  await log.edit('d', { ...part(3), authors: ['ana'], summary: added('a') })

  const { database, queries } = folded(log)

  const { items } = queries.flowHistory(SYSTEM_SCOPE, 'd', { after: 0, size: 9, fold: false }) ?? {}
  expect(items?.map(({ revision }) => revision)).toEqual([3])
  makeMiniature(new StatementCache(database), 1, 3)
  expect(queries.flows(SYSTEM_SCOPE, ['d'])).toMatchObject([{ revision: 3, blocks: 1, miniature: [[0, 20, 'text']] }])
})

test('a keyframe every 500 revisions holds the document as it was, and the hash of its revision', async () => {
  const { log, doc, draw } = await drawing()
  for (let n = 1; n <= 1001; n += 1) await log.edit('d', { update: draw(`n${n % 50}`, n), authors: ['ana'] })

  const { database, queries } = folded(log)

  expect(queries.keyframe('d', 499)).toBeUndefined()
  expect(queries.keyframe('d', 999)?.revision).toBe(500)
  const keyframe = queries.keyframe('d', 5000)
  expect(keyframe?.revision).toBe(1000)
  expect(keyframe?.hash).toBe(
    log.store.events.find(event => event.stream === 'flow-d' && event.revision === 1000)?.hash,
  )
  const restored = new Y.Doc()
  Y.applyUpdate(restored, keyframe?.state ?? new Uint8Array())
  Y.applyUpdate(restored, Buffer.from(String(log.store.events.at(-1)?.data.update), 'base64'))
  expect(restored.getMap('nodes').toJSON()).toEqual(doc.getMap('nodes').toJSON())
  expect(database.prepare('SELECT count(*) AS n FROM flow_update').get()).toEqual({ n: 1 })
})

test('keeps client ids bound to their first user', async () => {
  const { log, draw } = await drawing()
  await log.edit('d', { update: draw('a', 0), authors: ['ana'], bindings: [{ client: 7, user: 'ana' }] })
  await log.edit('d', { update: draw('b', 0), authors: ['rui'], bindings: [{ client: 7, user: 'rui' }] })

  expect(folded(log).queries.bindings('d')).toEqual([{ client: 7, user: 'ana' }])
})

test('notifies readers in the level once per run of edits, but not of their own', async () => {
  const { log, draw } = await drawing()
  await log.edit('d', { update: draw('start', 0), authors: ['rui'] }, { actor: 'rui' })
  await log.edit('d', { update: draw('a', 0), authors: ['ana'] }, { ...at(0), actor: 'ana' })
  await log.edit('d', { update: draw('b', 0), authors: ['ana'] }, { ...at(1), actor: 'ana' })
  await log.entity('bot', 'b', 'BotStarted', { runningstatus: 'started' }, { ...at(2), actor: 'ana', level: 'south' })
  const page = { page: 1, size: 10 }

  const unread = folded(log).queries.notifications(scope('rui', 'south'), page)
  const own = folded(log).queries.notifications(scope('ana', 'root'), page)
  const elsewhere = folded(log).queries.notifications(scope('rui', 'city'), page)
  const [first] = unread.items
  await log.fact('notification-rui', 'NotificationsRead', { ids: [first?.id ?? ''] })
  const one = folded(log).queries.notifications(scope('rui', 'south'), { ...page, unread: true })
  await log.fact('notification-rui', 'NotificationsRead', { all: true })
  const none = folded(log).queries.notifications(scope('rui', 'south'), page)

  expect(unread).toMatchObject({ total: 2, unread: 2 })
  expect(unread.items).toMatchObject([
    {
      message: 'bot.started',
      entity: 'bot',
      entityid: 'b',
      hierarchy: 'south',
      actor: { username: 'ana' },
      read: false,
    },
    {
      message: 'dialog.updated',
      entity: 'dialog',
      entityid: 'd',
      params: { name: 'Oi' },
      scope: 'dialog',
      read: false,
    },
  ])
  expect(own.total).toBe(0)
  expect(elsewhere.total).toBe(0)
  expect(one).toMatchObject({ total: 1, unread: 1, items: [{ message: 'dialog.updated' }] })
  expect(none).toMatchObject({ total: 2, unread: 0 })
})

test('lists the own last edited flows first on the home page, with recent events and running bots', async () => {
  const { log, draw } = await drawing()
  await log.entity('dialog', 'e', 'DialogCreated', { name: 'Tchau', dialogtask: 't' }, { level: 'south' })
  await log.edit('d', { update: draw('a', 0), authors: ['rui'] }, { actor: 'rui' })
  await log.edit('e', { update: draw('b', 0), authors: ['ana'] }, { actor: 'ana' })
  await log.entity('user', 'eva', 'UserCreated', { username: 'eva', locked: true }, { level: 'south' })

  const { queries } = folded(log)

  expect(queries.home(scope('rui', 'south'), true)).toMatchObject({
    flows: [
      { entity: 'dialog', id: 'd', name: 'Oi', parents: [{ entity: 'bot', name: 'Vendas' }, { name: 'Início' }] },
      { entity: 'dialog', id: 'e', name: 'Tchau' },
    ],
    changes: [{ entity: 'user', action: 'created' }, { entity: 'dialog', action: 'edited' }, {}, {}, {}, {}, {}],
    bots: { total: 1, status: { stopped: 1 }, items: [{ id: 'b', name: 'Vendas' }] },
    locked: [{ id: 'eva', username: 'eva' }],
  })
  expect(queries.home(scope('rui', 'city'), true)).toMatchObject({
    flows: [],
    changes: [],
    bots: { total: 0 },
    locked: [],
  })
  expect(queries.search(scope('rui', 'south'), 'ÓI', 5)).toMatchObject([{ entity: 'dialog', id: 'd', name: 'Oi' }])
})
