import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, discard, type Parley, startParley } from './harness.ts'
import { openChat } from './open-chat.ts'

const operator = (type: string, top: number, properties: object = {}) => ({
  type,
  title: type,
  top,
  left: 0,
  properties,
})
const link = (from: string, to: string) => ({
  fromOperator: from,
  fromConnector: 'output_1',
  fromSubConnector: 0,
  toOperator: to,
  toConnector: 'input_1',
  toSubConnector: 0,
})
const flow = (block: object) => ({
  format: 'parley-flow',
  version: 1,
  operators: { start: operator('start', 0), block },
  links: { a: link('start', 'block') },
})

let parley: Parley
let admin: Client
beforeAll(async () => {
  parley = await startParley()
  admin = await parley.signIn()
})
afterAll(() => discard(parley))

const made = async (entity: string, fields: object): Promise<string> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  expect(status, text).toBe(201)
  return body.id
}
const change = async (entity: string, id: string, fields: object) => {
  const { revision } = (await admin.get(`/${entity}/${id}`)).body
  const { status, text } = await admin.patch(`/${entity}/${id}`, fields, revision)
  expect(status, text).toBe(200)
}
const taskWith = async (bot: string, name: string, block: object): Promise<string> => {
  const task = await made('dialogtask', { name, bot })
  const dialog = await made('dialog', { name, dialogtask: task })
  expect((await admin.put(`/dialog/${dialog}/flow`, flow(block))).status).toBe(200)
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  await change('dialogtask', task, { principaldialog: dialog })
  return task
}
const production = async (project: string): Promise<string> => {
  expect((await admin.post(`/nluproject/${project}/train`)).status).toBe(200)
  const model = await vi.waitFor(
    async () => {
      const row = (await admin.get(`/nluproject/${project}`)).body
      expect(row.training_status).toBe('finished')
      return (row.models as { id: string }[])[0]?.id ?? ''
    },
    { timeout: 20_000, interval: 50 },
  )
  expect((await admin.post(`/nluproject/${project}/setproduction`, { model })).status).toBe(200)
  return model
}
const said = async (conversation: string): Promise<string> =>
  JSON.stringify((await admin.get(`/conversation/${conversation}/transcript`)).body)

test('a bot follows what the model of its project understands, by the release it began with [N-5.10] [P-731]', async () => {
  const nluproject = await made('nluproject', { name: 'Banco', locale: 'pt' })
  const intents = {
    saldo: ['qual o meu saldo', 'quanto dinheiro eu tenho', 'ver saldo da conta', 'saldo disponível'],
    cartao: ['perdi meu cartão', 'bloquear o cartão', 'meu cartão foi roubado', 'cancelar cartão'],
  }
  for (const [name, lines] of Object.entries(intents))
    await made('intent', { nluproject, name, statements: lines.map(text => ({ text })) })
  await production(nluproject)
  const bot = await made('bot', { name: 'Bia', nluenabled: true, nluproject })
  const hello = await taskWith(
    bot,
    'Início',
    operator('prompt', 100, { varname: 'x', data: { type: 'text', text: 'Como ajudo?' } }),
  )
  const balance = await taskWith(bot, 'Saldo', operator('text', 100, { text: 'São 5 reais' }))
  await made('intentmapping', {
    bot,
    type: 'intent',
    intent: 'saldo',
    level: 'bot',
    action: 'calltask',
    target_task: balance,
  })
  await change('bot', bot, { defaultdialogtask: hello })
  const channel = await made('channel', { bot, type: 'webchat' })
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  expect(await said(await openChat(parley.origin, channel, ['quero saber quanto tenho de saldo']))).toContain(
    'São 5 reais',
  )
  expect(await said(await openChat(parley.origin, channel, ['perdi o cartão']))).not.toContain('São 5 reais')
  expect(await said(await openChat(parley.origin, channel, ['asdf qwer zxcv']))).not.toContain('São 5 reais')
  await made('intent', {
    nluproject,
    name: 'grana',
    statements: [{ text: 'cadê minha grana' }, { text: 'tem grana aí' }],
  })
  await made('intentmapping', {
    bot,
    type: 'intent',
    intent: 'grana',
    level: 'bot',
    action: 'calltask',
    target_task: balance,
  })
  await production(nluproject)
  await vi.waitFor(async () => {
    expect(await said(await openChat(parley.origin, channel, ['cadê minha grana']))).toContain('São 5 reais')
  }, 10_000)
})
