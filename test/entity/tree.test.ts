import { afterAll, expect, test, vi } from 'vitest'
import { level } from '#test/api/people.ts'
import { startInProcess } from './gateway.ts'

vi.mock('#schemas/entities/registry.ts', async load => (await import('./test-entities.ts')).withTestEntities(load))

const parley = await startInProcess()
const admin = parley.admin
afterAll(() => parley.close())

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

const makeBot = async () => {
  const { body } = await admin.post('/bot', { name: `Bot ${++made}` })
  return body.id
}
const onlyOne = async (bot: string) => {
  const { body } = await admin.get(`/botpreference?bot=${bot}`)
  expect(body.total).toBe(1)
  return { id: '', revision: -1, ...body.items[0] }
}

test('returns default settings of a bot with revision 0 before the first change', async () => {
  const bot = await makeBot()
  const { id, ...settings } = await onlyOne(bot)
  const atDefaults = { revision: 0, bot, greeting: 'hello', timeout: 40_000, key: null }
  expect(settings).toMatchObject(atDefaults)
  const { body: bots } = await admin.get(`/bot/${bot}`)
  expect(settings).toMatchObject({ hierarchylevel: bots.hierarchylevel, created_by: null })
  const detail = await admin.get(`/botpreference/${id}`)
  expect(detail.headers.get('etag')).toBe('"0"')
  expect(detail.body).toMatchObject({ id, ...atDefaults })
  expect((await admin.get(`/botpreference/${id}/history`)).body).toMatchObject({ items: [], total: 0 })
  expect((await admin.get(`/botpreference/${id}/at/0`)).body).toMatchObject({ bot, greeting: 'hello' })
  expect((await admin.get(`/botpreference/hierarchy?id=${id}`)).body.hierarchylevel).toBe(bots.hierarchylevel)
})

test('POST answers that it exists; the first PATCH at revision 0 makes the first event', async () => {
  const bot = await makeBot()
  const { id } = await onlyOne(bot)
  const post = await admin.post('/botpreference', { bot })
  expect(post).toMatchObject({ status: 409, body: { code: 'entity.exists' } })
  expect((await admin.patch(`/botpreference/${id}`, { timeout: 5 }, 3)).status).toBe(412)
  const first = await admin.patch(`/botpreference/${id}`, { timeout: 5 }, 0)
  expect(first).toMatchObject({ status: 200, body: { id, revision: 1 } })
  // Made against the defaults as well: another field merges, the same one is a conflict.
  expect((await admin.patch(`/botpreference/${id}`, { greeting: 'hi' }, 0)).body.revision).toBe(2)
  const conflict = await admin.patch(`/botpreference/${id}`, { timeout: 6 }, 0)
  expect(conflict).toMatchObject({
    status: 409,
    body: { errors: [{ path: 'timeout', code: 'conflict', before: 40_000, yours: 6, theirs: 5 }] },
  })
  const { body } = await admin.get(`/botpreference/${id}/history`)
  expect(body.items).toMatchObject([
    { revision: 1, action: 'changed', changes: [{ path: 'timeout', before: 40_000, after: 5 }] },
    { revision: 2, action: 'changed', changes: [{ path: 'greeting', before: 'hello', after: 'hi' }] },
  ])
  expect((await admin.get(`/botpreference/${id}/at/1`)).body).toMatchObject({ bot, timeout: 5, greeting: 'hello' })
  expect((await admin.get(`/audit?entity=botpreference&entityid=${id}`)).body.total).toBe(2)
})

test('two first changes at once are both kept', async () => {
  const { id } = await onlyOne(await makeBot())
  const both = await Promise.all([
    admin.patch(`/botpreference/${id}`, { timeout: 7 }, 0),
    admin.patch(`/botpreference/${id}`, { greeting: 'both' }, 0),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await admin.get(`/botpreference/${id}`)).body).toMatchObject({ revision: 2, timeout: 7, greeting: 'both' })
})

test('DELETE brings the defaults back and the revision counts on; an earlier revision can be restored', async () => {
  const { id } = await onlyOne(await makeBot())
  expect((await admin.delete(`/botpreference/${id}`)).body.revision).toBe(0)
  await admin.patch(`/botpreference/${id}`, { timeout: 5, key: 'planted-key' }, 0)
  expect((await admin.get(`/botpreference/${id}`)).body.key).toEqual({ set: true })
  expect((await admin.delete(`/botpreference/${id}`)).body.revision).toBe(2)
  expect((await admin.get(`/botpreference/${id}`)).body).toMatchObject({ revision: 2, timeout: 40_000, key: null })
  expect((await admin.post(`/botpreference/${id}/restore`, { revision: 1, fields: ['timeout'] })).body.revision).toBe(3)
  expect((await admin.get(`/botpreference/${id}`)).body).toMatchObject({ timeout: 5 })
  expect((await admin.post(`/botpreference/${id}/restore`, { revision: 0 })).body.revision).toBe(4)
  expect((await admin.get(`/botpreference/${id}`)).body).toMatchObject({ timeout: 40_000 })
})

test('it goes out of sight with its bot and comes back with it as it was', async () => {
  const bot = await makeBot()
  const { id } = await onlyOne(bot)
  await admin.patch(`/botpreference/${id}`, { timeout: 9 }, 0)
  const { body: removed } = await admin.delete(`/bot/${bot}`, CONFIRM)
  expect((await admin.get(`/botpreference/${id}`)).status).toBe(404)
  expect((await admin.get(`/botpreference?bot=${bot}`)).body.total).toBe(0)
  expect((await admin.patch(`/botpreference/${id}`, { timeout: 10 }, 1)).body.code).toBe('entity.removed')
  await admin.post(`/bot/${bot}/restore`, { revision: removed.revision })
  expect((await admin.get(`/botpreference/${id}`)).body).toMatchObject({ revision: 1, timeout: 9 })
})

test('provides a single entity of the installation from the start, without a level', async () => {
  const { body } = await admin.get('/sitepreference')
  expect(body).toMatchObject({ total: 1, items: [{ revision: 0, hierarchylevel: null, timeout: 40_000 }] })
  const id = String(body.items[0]?.id)
  expect((await admin.post('/sitepreference', {})).body.code).toBe('entity.exists')
  expect((await admin.patch(`/sitepreference/${id}`, { timeout: 1 }, 0)).body.revision).toBe(1)
  expect((await admin.get('/sitepreference?timeout=1')).body.total).toBe(1)
  expect((await admin.get('/sitepreference?search=hello')).body.total).toBe(1)
})

test('there is none for what does not exist', async () => {
  for (const id of ['botpreference-nowhere', 'nowhere', 'botpreference']) {
    expect((await admin.get(`/botpreference/${id}`)).status).toBe(404)
    expect((await admin.patch(`/botpreference/${id}`, { timeout: 1 }, 0)).status).toBe(404)
    expect((await admin.delete(`/botpreference/${id}`)).status).toBe(404)
  }
})
