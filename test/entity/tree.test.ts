import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Client } from '#test/api/harness.ts'
import { level } from '#test/api/people.ts'
import { type InProcess, startInProcess } from './gateway.ts'

vi.mock('#schemas/entities/registry.ts', async load => {
  const [{ extendRegistry }, { TEST_ENTITIES }] = await Promise.all([
    import('./extend-registry.ts'),
    import('./test-entities.ts'),
  ])
  return extendRegistry(await load(), TEST_ENTITIES)
})

let parley: InProcess
let admin: Client
beforeAll(async () => {
  parley = await startInProcess()
  admin = parley.admin
})
afterAll(() => parley?.close())

const CONFIRM = { confirm: 'CONFIRM' }
let made = 0
const make = async (entity: string, fields: object) => {
  const { status, text, body } = await admin.post(`/${entity}`, { name: `Thing ${++made}`, ...fields })
  expect(status, text).toBe(201)
  return { entity, id: body.id }
}
type Thing = Awaited<ReturnType<typeof make>>
const statusOf = async ({ entity, id }: Thing) => (await admin.get(`/${entity}/${id}`)).status
const statuses = (things: readonly Thing[]) => Promise.all(things.map(statusOf))
const actionsOf = async ({ entity, id }: Thing) =>
  (await admin.get(`/audit?entity=${entity}&entityid=${id}`)).body.items.map(({ action }) => action)

const makeTree = async () => {
  const bot = await make('bot', {})
  const shelf = await make('shelf', { bot: bot.id })
  const crate = await make('crate', { shelf: shelf.id })
  const parcel = await make('parcel', { crate: crate.id })
  return { bot, shelf, crate, parcel }
}

test.each(['shelf', 'bot'] as const)('removes and restores a %s with what lies three levels below', async root => {
  const tree = await makeTree()
  const { [root]: top, crate, parcel } = tree
  const earlier = await make('crate', { shelf: tree.shelf.id })
  await admin.delete(`/crate/${earlier.id}`)
  const { body: removed } = await admin.delete(`/${root}/${top.id}`, CONFIRM)
  expect(await statuses([top, crate, parcel])).toEqual([404, 404, 404])
  expect(await actionsOf(parcel)).toEqual(['removed', 'created'])
  const restored = await admin.post(`/${root}/${top.id}/restore`, { revision: removed.revision })
  expect(restored.status, restored.text).toBe(200)
  // Entities removed earlier stay removed.
  expect(await statuses([top, crate, parcel, earlier])).toEqual([200, 200, 200, 404])
  expect(await actionsOf(parcel)).toEqual(['restored', 'removed', 'created'])
})

test('refuses to restore a child of a removed entity', async () => {
  const { shelf, parcel } = await makeTree()
  await admin.delete(`/shelf/${shelf.id}`, CONFIRM)
  const { status, body } = await admin.post(`/parcel/${parcel.id}/restore`, { revision: 1 })
  expect([status, body.code]).toEqual([409, 'entity.parent'])
})

test('refuses to remove what holds something that does not go with it, and names that', async () => {
  const { bot, shelf } = await makeTree()
  const ticket = await make('ticket', { shelf: shelf.id })
  for (const { entity, id } of [shelf, bot]) {
    const { status, body } = await admin.delete(`/${entity}/${id}`, CONFIRM)
    expect(status).toBe(409)
    const params = expect.objectContaining({ entity: 'ticket', id: ticket.id })
    expect(body).toMatchObject({ code: 'entity.used', errors: [{ path: 'shelf', code: 'used', params }] })
  }
  expect((await admin.get(`/shelf/${shelf.id}/usedby`)).body).toMatchObject({ total: 1 })
  expect((await admin.delete(`/ticket/${ticket.id}`)).status).toBe(200)
  expect((await admin.delete(`/shelf/${shelf.id}`, CONFIRM)).status).toBe(200)
})

test('removes a global variable with its bot, or places it in a level', async () => {
  const bot = await make('bot', {})
  const inBot = await make('globalvariable', { bot: bot.id })
  const branch = await level(admin, `Branch ${++made}`)
  const inLevel = await make('globalvariable', { hierarchylevel: branch })
  expect((await admin.get(`/globalvariable/${inLevel.id}`)).body.hierarchylevel).toBe(branch)
  const wrong = await admin.post('/globalvariable', { name: 'elsewhere', bot: bot.id, hierarchylevel: branch })
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'hierarchylevel', code: 'reference' }] } })
  const { body: removed } = await admin.delete(`/bot/${bot.id}`, CONFIRM)
  expect(await statuses([inBot, inLevel])).toEqual([404, 200])
  await admin.post(`/bot/${bot.id}/restore`, { revision: removed.revision })
  expect(await statuses([inBot, inLevel])).toEqual([200, 200])
})

test('duplicates a task with its dialogs and handlers', async () => {
  const bot = await make('bot', {})
  const task = await make('dialogtask', { bot: bot.id })
  await make('dialog', { dialogtask: task.id })
  await make('handler', { dialogtask: task.id })
  const { status, text, body } = await admin.post(`/dialogtask/${task.id}/duplicate`)
  expect(status, text).toBe(200)
  for (const child of ['dialog', 'handler'])
    expect((await admin.get(`/${child}?dialogtask=${body.id}`)).body.total).toBe(1)
})
