import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Log } from './fixture/log.ts'
import type { NodeReadModels } from './node-read-models.ts'
import { openReadModels } from './open-read-models.ts'
import { SYSTEM_SCOPE, scopeOf } from './scope.ts'

let folder: string
let log: Log
let models: NodeReadModels
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'projections-'))
  log = new Log()
  models = await openReadModels({ store: log.store, folder, queryWorkers: 1 })
})
afterEach(async () => {
  await models.close()
  rmSync(folder, { recursive: true })
})

const FIRST = { page: 1, size: 25, filter: {} }

test('what was written is listed, newest first, with an exact total', async () => {
  await log.people()
  await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }, { actor: 'ana' })
  const position = await log.entity('bot', 'b2', 'BotCreated', { name: 'Cobrança' }, { actor: 'ana' })

  expect(await models.reached(position)).toBe(true)

  const page = await models.list(SYSTEM_SCOPE, 'bot', FIRST)
  expect(page.items.map(row => row.name)).toEqual(['Cobrança', 'Vendas'])
  expect(page.total).toBe(2)
  expect(page.items[0]).toMatchObject({
    id: 'b2',
    revision: 1,
    hierarchylevel: 'root',
    created_by: 'ana',
    deploymentenv: 'development',
  })
  expect((await models.list(SYSTEM_SCOPE, 'bot', { ...FIRST, search: 'COBRANCA' })).total).toBe(1)
  expect(models.status().ready).toBe(true)
})

test('a session gives access, and what it may see ends at its level', async () => {
  await log.people()
  await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }, { actor: 'ana', level: 'north' })
  await log.entity('bot', 'b2', 'BotCreated', { name: 'Vendas' }, { actor: 'ana', level: 'city' })
  const position = await log.fact(
    'session-s1',
    'SessionStarted',
    { user: 'rui', level: 'south', expires: '2999-01-01T00:00:00.000Z' },
    { actor: 'rui', level: 'south' },
  )
  await models.reached(position)

  const access = models.access('s1')

  expect(access).toMatchObject({ user: 'rui', home: 'south', level: 'south' })
  if (access === undefined) return
  const scope = scopeOf(access)
  expect((await models.list(scope, 'bot', FIRST)).items.map(row => row.id)).toEqual(['b2'])
  expect(await models.detail(scope, 'bot', 'b1')).toBeUndefined()
  expect((await models.levels(scope)).map(level => level.id)).toEqual(['city', 'south'])
  expect((await models.audit(scope, { page: 1, size: 25 })).items.map(item => `${item.entity} ${item.action}`)).toEqual(
    ['session started', 'bot created', 'user created'],
  )
})
