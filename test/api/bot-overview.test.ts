import { expect, test } from 'vitest'
import type { BotOverview } from '#schemas/api/bot-overview.ts'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()
const ids: Record<string, string> = {}

const made = (entity: string, fields: object) => admin.create(entity, fields)
const text = (words: string) => ({ type: 'text', title: '', top: 0, left: 0, properties: { text: words } })
const put = async (dialog: string, operators: object) => {
  const answer = await admin.put(`/dialog/${dialog}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators,
    links: {},
  })
  expect(answer.status, answer.text).toBe(200)
}
const overview = async (client: Client = admin, of = bot) => {
  const answer = await client.get(`/bot/${of}/overview`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as BotOverview
}
const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + n, 0)

const bot = await made('bot', { name: 'Loja' })
const task = await made('dialogtask', { name: 'Pedidos', bot })
for (const name of ['Menu', 'Troca', 'Novo']) ids[name] = await made('dialog', { name, dialogtask: task })
ids.Prazo = await made('handler', { name: 'Prazo', dialogtask: task })
for (const name of ['Menu', 'Troca']) {
  await put(ids[name] ?? '', { hello: text('Olá') })
  const published = await admin.post(`/dialog/${ids[name]}/publish`, {})
  expect(published.status, published.text).toBe(200)
}
const other = await made('bot', { name: 'Outro' })
await made('dialogtask', { name: 'Alheia', bot: other })

test('counts what is in a bot, what of it is live, and who worked on it [P-430]', async () => {
  await put(ids.Troca ?? '', { hello: text('Olá de novo') })
  const version = await made('version', { bot, name: 'Antes da Páscoa' })
  const now = await overview()
  expect(now).toMatchObject({
    talked: false,
    tasks: { total: 1, nomain: [{ id: task, name: 'Pedidos' }] },
    dialogs: { total: 3, published: 2, modified: 1 },
    handlers: { total: 1, published: 0, modified: 0 },
    versions: { total: 1, latest: { id: version, name: 'Antes da Páscoa' } },
    editing: [],
  })
  expect(now.pending.total).toBe(3)
  expect(now.pending.items.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'Troca modified',
    'Prazo unpublished',
    'Novo unpublished',
  ])
  expect(now.pending.items[0]).toMatchObject({ dialogtask: { id: task }, editor: { username: 'admin' } })
  expect(now.days).toHaveLength(14)
  expect(sum(now.publishes)).toBe(2)
  // A day may have ended since the first of them.
  expect(sum(now.edits.slice(-2))).toBe(sum(now.edits))
  expect(now.people).toMatchObject([{ person: { username: 'admin' }, edits: sum(now.edits) }])
  expect(now.changes.map(({ name }) => name)).not.toContain('Alheia')
  expect(now.changes[0]).toMatchObject({ entity: 'version', entityid: version, action: 'created' })

  await admin.patch(`/dialogtask/${task}`, { principaldialog: ids.Troca }, 1)
  const later = await overview()
  expect(later.tasks?.nomain).toEqual([])
  expect(later.pending.items[0]).toMatchObject({ name: 'Troca', main: true })
})

test('shows of a bot only what the caller may read, and nothing of one outside their levels [P-430]', async () => {
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const reader = await person(parley, admin, { username: 'ana', level: root, actions: ['readbot'] })
  const seen = await overview(reader.client)
  for (const part of ['tasks', 'dialogs', 'handlers', 'versions']) expect(seen).not.toHaveProperty(part)
  expect(seen.pending).toEqual({ total: 0, items: [] })
  expect(seen.changes.map(({ entity }) => entity)).toEqual(['bot'])

  const south = await level(admin, 'South')
  const away = await person(parley, admin, { username: 'rui', level: south, actions: ['readbot'] })
  expect((await away.client.get(`/bot/${bot}/overview`)).status).toBe(404)
  const stranger = await person(parley, admin, { username: 'zoe', level: root, actions: [] })
  expect((await stranger.client.get(`/bot/${bot}/overview`)).status).toBe(403)
})

test('names the flows of a bot that publishing refuses for their errors [P-431]', async () => {
  expect((await admin.get(`/bot/${bot}/flow/errors`)).body).toEqual({ items: [] })
  await put(ids.Novo ?? '', { go: { ...text(''), type: 'subdialog', properties: {} } })
  const { items } = (await admin.get(`/bot/${bot}/flow/errors`)).body
  expect(items).toMatchObject([{ kind: 'dialog', id: ids.Novo, name: 'Novo', dialogtask: { id: task } }])
  expect(items[0]?.errors).toBeGreaterThan(0)
  expect((await admin.post(`/dialog/${ids.Novo}/publish`, {})).status).not.toBe(200)
})
