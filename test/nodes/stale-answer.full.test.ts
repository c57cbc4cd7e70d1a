import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Parley } from '#test/api/harness.ts'
import { PASSWORD } from '#test/api/people.ts'

process.env.PARLEY_TEST_STORE = 'eventstoredb'
const { ADMIN_PASSWORD, discard, startParley } = await import('#test/api/harness.ts')
const { doubleOf } = await import('#test/api/store-behind.ts')

let first: Parley
let second: Parley
let one: Client
let two: Client
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stale-'))
  const { url } = await doubleOf(folder)
  first = await startParley({ folder })
  second = await startParley({ env: { EVENTSTORE_URL: url } })
  one = await first.signIn()
  two = await second.signIn()
}, 120_000)
afterAll(async () => {
  await discard(second)
  await discard(first)
})

let named = 0
const CONFIRM = { confirm: 'CONFIRM' }
const made = (kind: string, fields: object) => one.create(kind, fields)
const groupOfAdministrators = async () => String((await one.get('/usergroup')).body.items[0]?.id)
const someone = async (fields: object = {}) => {
  const username = `pessoa${named++}`
  return { username, id: await made('user', { username, password: PASSWORD, ...fields }) }
}
const signIn = ({ username }: { username: string }, parley = second) =>
  parley.anyone.post('/auth/login', { username, password: PASSWORD })
const done = async (...commands: readonly (readonly [Client, string])[]) => {
  for (const [client, path] of commands) expect((await client.post(path)).status, path).toBe(200)
}

test('locks a user on one node when another node has unlocked them since', async () => {
  const who = await someone()
  await done([one, `/user/${who.id}/lock`], [two, `/user/${who.id}/unlock`], [one, `/user/${who.id}/lock`])
  expect((await signIn(who)).status).toBe(423)
})

test('unlocks a user on one node when another node has locked them since', async () => {
  const who = await someone()
  const path = `/user/${who.id}`
  await done([one, `${path}/lock`], [one, `${path}/unlock`], [two, `${path}/lock`], [one, `${path}/unlock`])
  expect((await signIn(who)).status).toBe(200)
})

test('stops a bot on one node when another node has started it since', async () => {
  const path = `/bot/${await made('bot', { name: `Bot ${named++}` })}`
  await done([two, `${path}/start`], [one, `${path}/stop`], [two, `${path}/start`], [one, `${path}/stop`])
  expect((await one.get(path)).body.runningstatus).toBe('stopped')
})

test('unpublishes a dialog on one node when another node has published it since', async () => {
  const bot = await made('bot', { name: `Bot ${named++}` })
  const dialogtask = await made('dialogtask', { name: 'Tarefa', bot })
  const path = `/dialog/${await made('dialog', { name: 'Diálogo', dialogtask })}`
  await done([one, `${path}/publish`], [one, `${path}/unpublish`])
  await done([two, `${path}/publish`], [one, `${path}/unpublish`])
  expect((await one.get(path)).body.published).toBe(false)
})

test('restores on one node what another node has changed or removed since', async () => {
  const path = `/codesample/${await made('codesample', { name: 'a', code: '1' })}`
  expect((await two.patch(path, { code: '2' }, 1)).status).toBe(200)
  expect((await one.post(`${path}/restore`, { revision: 1 })).body).toEqual({ revision: 3 })
  expect((await one.get(path)).body.code).toBe('1')
  await two.delete(path, CONFIRM)
  expect((await one.post(`${path}/restore`, { revision: 3 })).body).toEqual({ revision: 5 })
})

test('answers 409 to a value that is current in a stale state alone, with an older revision', async () => {
  const path = `/codesample/${await made('codesample', { name: 'a', code: '1' })}`
  expect((await two.patch(path, { code: '2' }, 1)).status).toBe(200)
  const answer = await one.patch(path, { code: '1' }, 1)
  expect([answer.status, answer.body.code]).toEqual([409, 'entity.conflict'])
})

test('refuses a reference to, and a flow for, what another node has removed', async () => {
  const bot = await made('bot', { name: `Bot ${named++}` })
  const schema = await made('variableschema', { name: 'Esquema', bot })
  const variable = await made('variable', { name: 'variavel', bot, schema })
  const dialogtask = await made('dialogtask', { name: 'Tarefa', bot })
  const dialog = await made('dialog', { name: 'Diálogo', dialogtask })
  expect((await one.patch(`/variable/${variable}`, { schema: null }, 1)).status).toBe(200)
  await two.delete(`/variableschema/${schema}`, CONFIRM)
  await two.delete(`/dialog/${dialog}`, CONFIRM)
  expect((await one.patch(`/variable/${variable}`, { schema }, 2)).status).toBe(422)
  const flow = (await one.get(`/dialog/${dialog}/flow`)).body
  expect((await one.put(`/dialog/${dialog}/flow`, flow, { 'if-match': '*' })).status).toBe(404)
})

test('leaves one administrator when the last two lock each other on two nodes at once', async () => {
  const group = await groupOfAdministrators()
  const other = await someone({ usergroup: [group] })
  const admin = String((await one.get('/user?username=admin')).body.items[0]?.id)
  const changed = await second.anyone.post('/user/password', {
    username: other.username,
    old: PASSWORD,
    new: ADMIN_PASSWORD,
    confirm: ADMIN_PASSWORD,
  })
  expect(changed.status).toBeLessThan(300)
  const rival = await second.signIn(other.username, ADMIN_PASSWORD)
  const answers = await Promise.all([one.post(`/user/${other.id}/lock`), rival.post(`/user/${admin}/lock`)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const login = (username: string) => second.anyone.post('/auth/login', { username, password: ADMIN_PASSWORD })
  const statuses = [(await login('admin')).status, (await login(other.username)).status]
  expect(statuses.toSorted()).toEqual([200, 423])
})
