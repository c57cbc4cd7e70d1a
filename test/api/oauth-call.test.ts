import { afterAll, expect, test, vi } from 'vitest'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import { startOAuthServer } from '#test/doubles/oauth-server.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })

const server = await startOAuthServer()
const bot = (await admin.post('/bot', { name: 'Loja' })).body.id
const configuration = (
  await admin.post('/oauth', {
    bot,
    name: 'banco',
    grant_type: 'client_credentials',
    access_token_url: `${server.url}/issue`,
    client_id: 'parley',
    secret: 's3cr:t/ção',
  })
).body.id
const task = (await admin.post('/dialogtask', { name: 'Saldo', bot })).body.id
const dialog = (await admin.post('/dialog', { name: 'Principal', dialogtask: task })).body.id
const call = { methodType: 'get', url: `${server.url}/balance`, resultVariable: 'conta', errorVariable: 'falha' }
const operators = {
  start: plainBlock('start', 0),
  call: plainBlock('restservice', 100, { ...call, oauthConfigName: configuration }),
  good: plainBlock('text', 200, { text: 'Saldo {{conta.balance}}' }),
  bad: plainBlock('text', 200, { text: 'Falhou {{falha.code}}' }),
}
const links = { a: link('start', 'call'), b: link('call', 'good'), c: link('call', 'bad', 'output_error') }
expect((await admin.put(`/dialog/${dialog}/flow`, { operators, links })).status).toBe(200)
expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
const channel = (await admin.post('/channel', { bot, type: 'webchat' })).body.id
expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
afterAll(() => server.close())

const said = async (): Promise<unknown> => {
  const id = await openChat(parley.origin, channel)
  const replay = await vi.waitFor(async () => {
    const { turns } = (await admin.get(`/conversation/${id}/replay`)).body as unknown as { turns: ReplayTurn[] }
    expect(turns).toHaveLength(1)
    return turns
  })
  return replay[0]?.said.map(({ text }) => text)
}

test('a call has the access token of its configuration, fetched once and renewed once when it is refused [C-3.55] [R-45]', async () => {
  expect(await said()).toEqual(['Saldo 42'])
  expect(await said()).toEqual(['Saldo 42'])
  expect(server.issued).toBe(1)
  server.revoke()
  expect(await said()).toEqual(['Saldo 42'])
  expect(server.issued).toBe(2)
})

test('test mode with real calls has one as well [C-3.55]', async () => {
  const begun = await admin.post(`/bot/${bot}/simulation`, { dialog, source: 'published', effects: { rest: 'real' } })
  expect(begun.status, begun.text).toBe(201)
  expect(begun.text).toContain('Saldo 42')
  expect(begun.text).not.toMatch(/Bearer|\bT2\b/u)
})

test('a call whose token cannot be had leaves by its error [C-3.55]', async () => {
  const [configuration] = (await admin.get(`/oauth?bot=${bot}`)).body.items
  const changed = await admin.patch(`/oauth/${configuration?.id}`, { secret: 'wrong' }, Number(configuration?.revision))
  expect(changed.status).toBe(200)
  expect(await said()).toEqual(['Falhou oauth'])
})
