import { afterAll, expect, test, vi } from 'vitest'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import { CLIENT_SECRET, REMOTE_PROJECT, startRemoteServer } from '#test/doubles/ml/remote-server.ts'
import { makeChatBot } from './chat-bot.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
const remote = await startRemoteServer()
afterAll(() => remote.close())

const TEST = '/nlusettings/nlusettings/test'
const change = async (fields: object) => {
  const { revision } = (await admin.get('/nlusettings/nlusettings')).body
  const { status, text } = await admin.patch('/nlusettings/nlusettings', fields, revision)
  expect(status, text).toBe(200)
}

test('the connection test of the NLU settings says what works, to those who may test [P-1084]', async () => {
  expect((await admin.post(TEST, {})).body).toMatchObject({
    ok: false,
    checks: [{ part: 'system', code: 'ml.settings' }],
  })
  await change({
    authurl: `${remote.url}/token`,
    parseurl: `${remote.url}/parse`,
    clientsecret: CLIENT_SECRET,
    project: REMOTE_PROJECT,
    model: 'm1',
    timeout: 3000,
    minscore: 40,
  })
  const parts = [
    { part: 'credentials', ok: true, detail: '' },
    { part: 'understanding', ok: true, detail: 'saude · m1' },
  ]
  expect((await admin.post(TEST, {})).body).toMatchObject({ ok: true, checks: parts })
  await change({ clientsecret: 'wr0ng-secret' })
  const wrong = await admin.post(TEST, {})
  expect(wrong.body).toMatchObject({ ok: false, checks: [{ part: 'credentials', code: 'ml.unauthorized' }] })
  expect(wrong.text).not.toContain('wr0ng-secret')
  await change({ clientsecret: CLIENT_SECRET })
  const reader = await person(parley, admin, {
    username: 'reader',
    level: await level(admin, 'Outra'),
    actions: ['readnlusettings'],
  })
  expect((await reader.client.post(TEST, {})).status).toBe(403)
  expect((await admin.post('/nlusettings/none/test', {})).status).toBe(404)
})

test('a bot whose NLU system is remote is understood for by the service of the NLU settings [D-3.6.01] [N-5.16] [P-1085]', async () => {
  const options = [{ label: 'Um' }, { label: 'Dois' }]
  const asks = { varname: 'x', data: { type: 'choice', text: 'Qual?', options } }
  const nlu = { nluenabled: true, default_nlu_system: 'remote', intentconfidence: 60 }
  const { bot, channel } = await makeChatBot(admin, { name: 'Longe', ...nlu }, asks)
  const mapping = { bot, type: 'intent', action: 'randomresponses', intent: 'second_invoice' }
  expect((await admin.post('/intentmapping', { ...mapping, responses: ['Aqui está a segunda via'] })).status).toBe(201)
  const saidTo = async (...words: readonly string[]) => {
    const id = await openChat(parley.origin, channel, words)
    const { body } = await admin.get(`/conversation/${id}/replay`)
    return (body.turns as readonly ReplayTurn[]).slice(1).map(turn => turn.said.map(({ text }) => text))
  }
  await vi.waitFor(async () => expect((await saidTo('perdi meu boleto'))[0]).toContain('Aqui está a segunda via'), {
    timeout: 10_000,
    interval: 250,
  })
  expect((await saidTo('qualquer coisa'))[0]).not.toContain('Aqui está a segunda via')
  remote.fault = 'html'
  expect((await saidTo('perdi meu boleto'))[0]).not.toContain('Aqui está a segunda via')
  remote.fault = undefined
  expect((await saidTo('perdi meu boleto'))[0]).toContain('Aqui está a segunda via')
})
