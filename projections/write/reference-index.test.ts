import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { dump, Log } from '../fixture/log.ts'
import { tableOf } from '../open-read-models.ts'
import { createQueries } from '../read/queries.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { SYSTEM_SCOPE } from '../scope.ts'
import { Projector } from './projector.ts'
import { mayChangeReferences } from './reference-index.ts'

const TABLES = Object.values<EntityDeclaration>(ENTITIES).map(tableOf)

const folded = (batches: readonly (readonly StoredEvent[])[], isBuilding = false) => {
  const database = new DatabaseSync(':memory:')
  createTables(database, TABLES)
  const projector = new Projector(database, TABLES, isBuilding)
  for (const batch of batches) projector.apply(batch, batch.at(-1)?.position ?? '')
  projector.commit()
  projector.completeRows()
  projector.completeFlows()
  createAllIndexes(database, TABLES)
  return { database, queries: createQueries(database) }
}

const NOTHING = {
  added: [],
  changed: [],
  removed: [],
  links: { added: [], changed: [], removed: [] },
  script: false,
}
const CALL = { id: 'n', type: 'subdialog', title: '' }
const PAGE = { page: 1, size: 100 }

/** Two dialogs, of which `d` calls `target`, and people in groups. */
const written = async () => {
  const log = new Log()
  await log.people()
  await log.entity('usergroup', 'readers', 'UserGroupCreated', { name: 'Readers', parent: 'admins', roles: [] })
  await log.entity('user', 'rui', 'UserChanged', { usergroup: ['readers'] })
  await log.entity('bot', 'b', 'BotCreated', { name: 'Bot' })
  await log.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Task', bot: 'b' })
  for (const id of ['d', 'target']) await log.entity('dialog', id, 'DialogCreated', { name: id, dialogtask: 't' })
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', update => updates.push(update))
  const newest = () => Buffer.from(updates.at(-1) ?? []).toString('base64')
  const properties = new Y.Map<unknown>([['subScenario', 'target']])
  const node = new Y.Map<unknown>(Object.entries({ type: 'subdialog', properties }))
  doc.getMap('nodes').set('n', node)
  await log.edit('d', { update: newest(), summary: { ...NOTHING, added: [CALL] } })
  const call = async (dialog: string) => {
    properties.set('subScenario', dialog)
    await log.edit('d', { update: newest(), summary: { ...NOTHING, changed: [{ ...CALL, fields: ['subScenario'] }] } })
  }
  return { log, call }
}

test('the index holds the same rows when it is rebuilt at once and when it follows each event', async () => {
  const { log, call } = await written()
  await call('d')
  await call('target')
  const { events } = log.store
  const rebuilt = dump(folded([events], true).database).reference
  expect(dump(folded([events]).database).reference).toEqual(rebuilt)
  expect(dump(folded(events.map(event => [event])).database).reference).toEqual(rebuilt)
  expect(rebuilt).toContainEqual({ target: 'target', entity: 'dialog', id: 'd', block: 'n', field: 'subScenario' })
})

test('a removed thing uses nothing until it is restored', async () => {
  const { log } = await written()
  const uses = () => folded([log.store.events]).queries.usedBy(SYSTEM_SCOPE, 'dialog', 'target', PAGE)
  expect(uses()).toMatchObject({ items: [{ id: 'd', field: 'subScenario', flow: { block: 'n' } }], total: 1 })
  await log.entity('dialog', 'd', 'DialogRemoved', {})
  expect(uses()).toEqual({ items: [], total: 0, hidden: 0, kinds: [] })
  await log.entity('dialog', 'd', 'DialogRestored', { name: 'd', dialogtask: 't' })
  expect(uses()?.total).toBe(1)
})

test('uses are paged over kinds, and those that the caller may not read are counted alone', async () => {
  const log = new Log()
  await log.people()
  await log.entity('bot', 'b', 'BotCreated', { name: 'Bot' })
  await log.entity('variableschema', 's', 'VariableSchemaCreated', { name: 'Schema', bot: 'b' })
  for (const id of ['v1', 'v2', 'v3'])
    await log.entity('variable', id, 'VariableCreated', { name: id, bot: 'b', schema: 's' })
  const { queries } = folded([log.store.events])
  const second = queries.usedBy(SYSTEM_SCOPE, 'variableschema', 's', { page: 2, size: 2 })
  expect(second).toMatchObject({ items: [{ id: 'v1', field: 'schema' }], total: 3, hidden: 0 })
  expect(second?.kinds).toEqual([{ entity: 'variable', total: 3 }])
  const blind = { ...SYSTEM_SCOPE, readable: new Set(['variableschema']) }
  expect(queries.usedBy(blind, 'variableschema', 's', PAGE)).toMatchObject({ items: [], total: 0, hidden: 3 })
})

test('a flow is derived again only when an edit may have changed its references', () => {
  const changed = (fields: string[]) => mayChangeReferences({ ...NOTHING, changed: [{ ...CALL, fields }] })
  expect([changed(['pos', 'title']), changed(['subScenario']), changed(['properties'])]).toEqual([false, true, true])
  expect(changed(['anything.else'])).toBe(false)
  expect(mayChangeReferences({ ...NOTHING, added: [{ ...CALL, type: 'text' }] })).toBe(false)
  expect(mayChangeReferences({ ...NOTHING, removed: [CALL] })).toBe(true)
  const cut = Array.from({ length: 100 }, () => ({ ...CALL, type: 'text' }))
  expect(mayChangeReferences({ ...NOTHING, added: cut })).toBe(true)
})
