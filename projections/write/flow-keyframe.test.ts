import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { crafted, craftedUpdate } from '#test/doubles/crafted-update.ts'
import { Log } from '../fixture/log.ts'
import { tableOf } from '../open-read-models.ts'
import { createQueries } from '../read/queries.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { StatementCache } from '../statement-cache.ts'
import { makeMiniature } from './flow-keyframe.ts'
import { Projector } from './projector.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)
const SIBLINGS = 1_300
const text = (update: Uint8Array) => Buffer.from(update).toString('base64')

test('continues past a flow too slow to integrate, and renders its replacement', async () => {
  // Given a flow whose log holds many characters with one left neighbour and differing right ones
  const log = new Log()
  await log.people()
  await log.entity('bot', 'b', 'BotCreated', { name: 'Vendas' }, { level: 'south' })
  await log.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Início', bot: 'b' }, { level: 'south' })
  await log.entity('dialog', 'd', 'DialogCreated', { name: 'Oi', dialogtask: 't' }, { level: 'south' })
  const base = new Y.Doc()
  base.clientID = 5
  base.getText('js').insert(0, 'a'.repeat(SIBLINGS + 2))
  const crowd = Array.from({ length: SIBLINGS }, (_, i) =>
    crafted(77, i, new Y.ContentString('x'), { origin: Y.createID(5, 0), right: Y.createID(5, 2 + i) }),
  )
  await log.edit('d', { update: text(Y.encodeStateAsUpdate(base)), authors: ['ana'] })
  await log.edit('d', { update: text(craftedUpdate(crowd)), authors: ['ana'] })
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  createAllIndexes(database, TABLES)
  const projector = new Projector(database, TABLES)
  const apply = () => projector.apply(log.store.events, log.store.events.at(-1)?.position ?? '')
  apply()
  const queries = createQueries(database)
  makeMiniature(new StatementCache(database), 1, 2)
  expect(queries.flows(SYSTEM_SCOPE, ['d'])).toMatchObject([{ revision: 2, blocks: 0 }])
  // When it starts over
  const fresh = new Y.Doc()
  fresh.getMap('nodes').set('n', new Y.Map<unknown>([['type', 'text']]))
  const done = log.store.events.length
  await log.edit('d', { update: text(Y.encodeStateAsUpdate(fresh)), authors: ['ana'], startsOver: true })
  projector.apply(log.store.events.slice(done), log.store.events.at(-1)?.position ?? '')
  // Then the document is what it started over with
  makeMiniature(new StatementCache(database), 1, 3)
  expect(queries.flows(SYSTEM_SCOPE, ['d'])).toMatchObject([{ revision: 3, blocks: 1 }])
  expect(queries.keyframe('d', 9)?.revision).toBe(3)
  expect(queries.keyframe('d', 2)).toBeUndefined()
})
