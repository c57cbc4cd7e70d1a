import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)

test('accepts three tasks of the bot itself and the language of its greeting [C-3.11]', async () => {
  const id = await made('bot', { name: 'Três tarefas' })
  const others = await made('dialogtask', { bot: await made('bot', { name: 'Banco' }), name: 'Conta' })
  const [first, fallback, after] = await Promise.all(
    ['Início', 'Não entendi', 'De volta'].map(name => made('dialogtask', { bot: id, name })),
  )
  const fresh = (await admin.get(`/bot/${id}`)).body
  const none = { defaultdialogtask: null, fallbacktask: null, on_return_from_agent_execute_task: null }
  expect(fresh).toMatchObject({ ...none, defaultlocale: 'pt' })
  const tasks = { defaultdialogtask: first, fallbacktask: fallback, on_return_from_agent_execute_task: after }
  const change = { ...tasks, defaultlocale: 'en' }
  expect((await admin.patch(`/bot/${id}`, change, fresh.revision)).status).toBe(200)
  const { revision, ...changed } = (await admin.get(`/bot/${id}`)).body
  expect(changed).toMatchObject(change)
  for (const field of Object.keys(tasks))
    expect((await admin.patch(`/bot/${id}`, { [field]: others }, revision)).status, field).toBe(422)
  expect((await admin.patch(`/bot/${id}`, { defaultlocale: 'fr' }, revision)).status).toBe(422)
})
