import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Subscriber } from '#commands/store/port.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { string } from '#schemas/field/field.ts'
import { scopeOf } from './access-model.ts'
import { Log, MemoryStore } from './fixture/log.ts'
import type { NodeReadModels, ReadModelsOptions } from './node-read-models.ts'
import { openReadModels } from './open-read-models.ts'
import { SYSTEM_SCOPE } from './scope.ts'

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

test('lists rows newest first, with an exact total', async () => {
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

test('counts waits that end at their limit [P-2230]', async () => {
  const position = await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' })
  expect(await models.reached(position)).toBe(true)
  expect(models.status().lateWaits).toBe(0)

  expect(await models.reached(`${position}9`, 20)).toBe(false)

  expect(models.status().lateWaits).toBe(1)
})

test('keeps its write-ahead log small while events come one by one', async () => {
  for (let n = 0; n < 150; n++) {
    const position = await log.entity('codesample', `c${n}`, 'CodeSampleCreated', { name: `sample ${n}` })
    await models.reached(position)
  }
  const [wal = ''] = readdirSync(folder).filter(name => name.endsWith('-wal'))
  expect(statSync(join(folder, wal)).size).toBeLessThan(4 * 1024 * 1024)
})

test('reaches no position before a rebuild has ended: a part of its rows is derived then [P-2914]', async () => {
  const subscribed = Promise.withResolvers<Subscriber>()
  const store = Object.assign(new MemoryStore(), {
    subscribe: (_: string, subscriber: Subscriber) => {
      subscribed.resolve(subscriber)
      return { stop: async () => undefined }
    },
  })
  await new Log(store).entity('codesample', 'c0', 'CodeSampleCreated', { name: 'Soma' })
  await reopen({ store })
  const subscriber = await subscribed.promise
  // As many as are folded before the log has been read to its end.
  for (let n = 0; n < 2000; n++) {
    const position = String(n + 1).padStart(16, '0')
    for (const event of store.events) void subscriber.event({ ...event, stream: `codesample-c${n}`, position })
  }
  const last = '2000'.padStart(16, '0')
  await until(() => models.status().position === last)

  expect(await models.reached(last, 20)).toBe(false)
  await subscriber.caughtUp?.(last)
  await until(() => models.status().ready)

  expect(await models.reached(last)).toBe(true)
  expect((await models.list(SYSTEM_SCOPE, 'codesample', FIRST)).total).toBe(2000)
})

test('derives references and pictures of many flows at the end of a rebuild [P-2913]', async () => {
  const written = new Log()
  await written.people()
  await written.entity('bot', 'b', 'BotCreated', { name: 'Vendas' })
  await written.entity('dialogtask', 't', 'DialogTaskCreated', { name: 'Início', bot: 'b' })
  const doc = new Y.Doc()
  const properties = new Y.Map<unknown>([['subScenario', 'd0']])
  doc.getMap('nodes').set('n', new Y.Map<unknown>(Object.entries({ type: 'subdialog', properties })))
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64')
  const links = { added: [], changed: [], removed: [] }
  const summary = { ...links, added: [{ id: 'n', type: 'subdialog', title: '' }], links, script: false }
  for (let n = 0; n < 25; n++) {
    await written.entity('dialog', `d${n}`, 'DialogCreated', { name: `Oi ${n}`, dialogtask: 't' })
    await written.edit(`d${n}`, { update, summary })
  }

  await reopen({ store: written.store })
  await until(() => models.status().ready)

  // All but the dialog that calls itself.
  expect(await models.reached(await written.store.head())).toBe(true)
  const uses = await models.usedBy(SYSTEM_SCOPE, 'dialog', 'd0', { page: 1, size: 100 })
  expect(uses).toMatchObject({ total: 24, kinds: [{ entity: 'dialog', total: 24 }] })
  expect(await models.flows(SYSTEM_SCOPE, ['d7'])).toMatchObject([{ blocks: 1, revision: 1 }])
})

test('calls a listener for changes of its entities alone, with what changed of them [P-2224]', async () => {
  await log.people()
  const heard: string[][] = []
  const stop = models.onTouched(['bot'], touched => heard.push(touched.map(({ entity, id }) => `${entity} ${id}`)))
  const campaign = await log.entity('campaign', 'c1', 'CampaignCreated', { name: 'natal', template: 't' })
  await models.reached(campaign)
  expect(heard).toEqual([])

  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))
  expect(heard).toEqual([['bot b1']])

  stop()
  await models.reached(await log.entity('bot', 'b2', 'BotCreated', { name: 'Suporte' }))
  expect(heard).toHaveLength(1)
})

test('answers the initial value of a field that the first event lacks [P-2121]', async () => {
  await log.people()
  const position = await log.entity('campaign', 'c1', 'CampaignCreated', { name: 'natal', template: 't' })
  await models.reached(position)

  const row = await models.detail(SYSTEM_SCOPE, 'campaign', 'c1')

  expect(row).toMatchObject({ enabled: true, rate: 60, window_days: [], repeat: 'new', metaaccount: null })
})

/** The way of a sign-in, in the event of its session. */
const BY_PASSWORD = { way: 'password', provider: null, sub: null, sid: null }

test('a session gives access, and what it may see ends at its level', async () => {
  await log.people()
  await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }, { actor: 'ana', level: 'north' })
  await log.entity('bot', 'b2', 'BotCreated', { name: 'Vendas' }, { actor: 'ana', level: 'city' })
  const position = await log.fact(
    'session-s1',
    'SessionStarted',
    { user: 'rui', level: 'south', expires: '2999-01-01T00:00:00.000Z', ...BY_PASSWORD },
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
    ['bot created', 'user created'],
  )
})

test('reaches the position of an event that no read model shows, and serves on after later ones [P-1983]', async () => {
  const bot = await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' })
  const unshown = await log.fact('conversation-c1', 'ConversationStarted', {}, {})
  expect(await models.reached(unshown)).toBe(true)
  expect(unshown > bot).toBe(true)
  expect(models.status()).toMatchObject({ position: unshown, behind: 0 })
  expect((await models.list(SYSTEM_SCOPE, 'bot', FIRST)).total).toBe(1)
  const later = await log.entity('bot', 'b2', 'BotCreated', { name: 'Cobrança' })
  expect(await models.reached(later)).toBe(true)
  expect((await models.list(SYSTEM_SCOPE, 'bot', FIRST)).total).toBe(2)
})

const current = (): string => readFileSync(join(folder, 'current'), 'utf8')
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}
const reopen = async (options: Partial<ReadModelsOptions> = {}): Promise<void> => {
  await models.close()
  models = await openReadModels({ store: log.store, folder, queryWorkers: 1, ...options })
}

test('resumes at its position after a restart, in the same file', async () => {
  await models.reached(await log.people())
  await until(() => models.status().ready)
  const before = current()

  await reopen()
  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))

  expect(current()).toBe(before)
  expect((await models.list(SYSTEM_SCOPE, 'bot', FIRST)).total).toBe(1)
})

test('rebuilds from a store with another history', async () => {
  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))
  await until(() => models.status().ready)
  const before = current()
  const restored = new Log(new MemoryStore(log.store.id))
  const position = await restored.entity('bot', 'b1', 'BotCreated', { name: 'Suporte' })

  await reopen({ store: restored.store })
  await models.reached(position)

  expect((await models.list(SYSTEM_SCOPE, 'bot', FIRST)).items.map(row => row.name)).toEqual(['Suporte'])
  await until(() => models.status().ready)
  expect(current()).not.toBe(before)
})

test('rebuilds a damaged file', async () => {
  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))
  await until(() => models.status().ready)
  await models.close()
  writeFileSync(join(folder, current()), 'not a database')

  await reopen()
  await models.reached(await log.store.head())

  expect((await models.list(SYSTEM_SCOPE, 'bot', FIRST)).total).toBe(1)
})

test('when a declaration changes, the old file serves until the new one has caught up', async () => {
  await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' })
  await models.reached(await log.entity('codesample', 'c1', 'CodeSampleCreated', { name: 'Soma', code: 'a + b' }))
  await until(() => models.status().ready)
  const before = current()
  const { bot, ...others } = ENTITIES
  const changed = { ...others, bot: { ...bot, fields: { ...bot.fields, motto: string({ initial: 'olá' }) } } }

  await reopen({ entities: changed })
  const meanwhile = await models.list(SYSTEM_SCOPE, 'bot', FIRST)
  await until(() => current() !== before)
  await models.reached(await log.entity('bot', 'b1', 'BotChanged', { motto: 'Bom dia' }))

  expect(meanwhile.total).toBe(1)
  expect(await models.detail(SYSTEM_SCOPE, 'bot', 'b1')).toMatchObject({ motto: 'Bom dia' })
  expect((await models.list(SYSTEM_SCOPE, 'codesample', FIRST)).total).toBe(1)
})

test('an event of a newer program stops projecting, and the node says why', async () => {
  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))
  const position = await log.fact('bot-b1', 'BotChanged', { fields: { name: 'Novo' } }, { version: 2 })

  expect(await models.reached(position, 200)).toBe(false)

  expect(models.status()).toMatchObject({ ready: false, reason: 'BotChanged version 2 is newer than this program' })
  expect((await models.detail(SYSTEM_SCOPE, 'bot', 'b1'))?.name).toBe('Vendas')
})

test('an event that cannot be folded makes the node unready, and nothing after it is shown', async () => {
  await models.reached(await log.entity('bot', 'b1', 'BotCreated', { name: 'Vendas' }))
  await log.fact('flow-f', 'FlowEdited', { update: 1 })
  const position = await log.entity('bot', 'b1', 'BotChanged', { name: 'Novo' })

  expect(await models.reached(position, 300)).toBe(false)

  expect(models.status().ready).toBe(false)
  expect(models.status().reason).toMatch(/^the read models stopped/)
})

test('decrypts personal values before folding, and drops them with their key', async () => {
  const keys = new Map([['eva', 'key']])
  await reopen({
    decryptPersonal: (user, sealed, context) =>
      keys.has(user) ? `${String(sealed.$personal)} of ${context}` : undefined,
  })
  await log.people()
  await models.reached(
    await log.entity('user', 'eva', 'UserCreated', { username: { $personal: 'eva' }, usergroup: ['admins'] }),
  )
  expect((await models.detail(SYSTEM_SCOPE, 'user', 'eva'))?.username).toBe('eva of user-eva.username')

  keys.clear()
  await models.reached(await log.entity('user', 'eva', 'UserForgotten', { username: null }))

  expect(await models.people(SYSTEM_SCOPE, ['eva'])).toEqual([{ id: 'eva', username: null, forgotten: true }])
})

test('rights that change reach live sessions with the batch that changed them', async () => {
  await log.people()
  const session = { user: 'rui', level: 'city', expires: '2999-01-01T00:00:00.000Z', ...BY_PASSWORD }
  await models.reached(await log.fact('session-s1', 'SessionStarted', session, { actor: 'rui', level: 'south' }))
  expect(models.access('s1')?.permissions.has('updatebot')).toBe(true)
  expect(models.access('s1')?.level).toBe('city')
  expect(await models.lookup.administrators()).toEqual(['ana'])

  await models.reached(await log.entity('role', 'all', 'RoleChanged', { services: ['dialog'] }))
  expect(models.access('s1')?.permissions.has('updatebot')).toBe(false)

  await models.reached(await log.entity('hierarchy', 'city', 'HierarchyChanged', { parent: 'north' }))
  expect(models.access('s1')?.level).toBe('south')

  await models.reached(await log.entity('user', 'rui', 'UserLocked', { locked: true }, { level: 'south' }))
  expect(models.access('s1')).toBeUndefined()

  await models.reached(await log.entity('user', 'rui', 'UserUnlocked', { locked: false }, { level: 'south' }))
  expect(models.sessionsOf('rui')).toHaveLength(1)
  await models.reached(await log.fact('session-s1', 'SessionEnded', { user: 'rui', reason: 'signout' }))
  expect(models.sessionsOf('rui')).toEqual([])
})
