import { expect, test, vi } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { person } from './people.ts'

const flow = (block: object) => ({
  format: 'parley-flow',
  version: 1,
  operators: { start: plainBlock('start', 0), block },
  links: { a: link('start', 'block') },
})

const { parley, admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)
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
const production = async (project: string, entity = 'nluproject'): Promise<string> => {
  expect((await admin.post(`/${entity}/${project}/train`)).status).toBe(200)
  const model = await vi.waitFor(
    async () => {
      const row = (await admin.get(`/${entity}/${project}`)).body
      expect(row.training_status).toBe('finished')
      return (row.models as { id: string }[])[0]?.id ?? ''
    },
    { timeout: 20_000, interval: 50 },
  )
  expect((await admin.post(`/${entity}/${project}/setproduction`, { model })).status).toBe(200)
  return model
}
const said = async (conversation: string): Promise<string> =>
  JSON.stringify((await admin.get(`/conversation/${conversation}/transcript`)).body)

test('a bot follows what the model of its project understands, by the release it began with [N-5.10] [P-731]', async () => {
  const nluproject = await projectOf('Banco')
  const bot = await made('bot', { name: 'Bia', nluenabled: true, nluproject })
  const hello = await taskWith(
    bot,
    'Início',
    plainBlock('prompt', 100, { varname: 'x', data: { type: 'text', text: 'Como ajudo?' } }),
  )
  const balance = await taskWith(bot, 'Saldo', plainBlock('text', 100, { text: 'São 5 reais' }))
  const begins = { bot, type: 'intent', action: 'calltask', target_task: balance }
  await made('intentmapping', { ...begins, intent: 'saldo' })
  const channel = await started(bot, hello)
  expect(await said(await openChat(parley.origin, channel, ['quero saber quanto tenho de saldo']))).toContain(
    'São 5 reais',
  )
  expect(await said(await openChat(parley.origin, channel, ['perdi o cartão']))).not.toContain('São 5 reais')
  expect(await said(await openChat(parley.origin, channel, ['xyz kkk']))).not.toContain('São 5 reais')
  await made('intent', {
    nluproject,
    name: 'grana',
    statements: [{ text: 'cadê minha grana' }, { text: 'tem grana aí' }],
  })
  await made('intentmapping', { ...begins, intent: 'grana' })
  await production(nluproject)
  await vi.waitFor(async () => {
    expect(await said(await openChat(parley.origin, channel, ['cadê minha grana']))).toContain('São 5 reais')
  }, 10_000)
})

const INTENTS = {
  saldo: ['qual o meu saldo', 'quanto dinheiro eu tenho', 'ver saldo da conta', 'saldo disponível'],
  cartao: ['perdi meu cartão', 'bloquear o cartão', 'meu cartão foi roubado', 'cancelar cartão'],
  horario: ['que horas abre a agência', 'horário da agência', 'a agência abre no sábado', 'até que horas funciona'],
  fatura: ['segunda via da fatura', 'quero minha fatura', 'manda a fatura', 'fatura deste mês'],
}
const projectOf = async (name: string, responses: Readonly<Record<string, readonly string[]>> = {}) => {
  const nluproject = await made('nluproject', { name, locale: 'pt' })
  const rows = (lines: readonly string[]) => lines.map(text => ({ text }))
  for (const [intent, lines] of Object.entries(INTENTS))
    await made('intent', {
      nluproject,
      name: intent,
      statements: rows(lines),
      responses: rows(responses[intent] ?? []),
    })
  await production(nluproject)
  return nluproject
}
const started = async (bot: string, defaultdialogtask: string): Promise<string> => {
  await change('bot', bot, { defaultdialogtask })
  const channel = await made('channel', { bot, type: 'webchat' })
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  return channel
}
interface Told {
  readonly from: string
  readonly text?: string
  readonly actions?: readonly { readonly title: string }[]
}
const transcriptOf = async (conversation: string): Promise<readonly Told[]> =>
  (await admin.get(`/conversation/${conversation}/transcript`)).body.messages as readonly Told[]
/** The bot's replies to the last of `words`. */
const toldLast = async (channel: string, ...words: readonly string[]): Promise<readonly string[]> => {
  const messages = await transcriptOf(await openChat(parley.origin, channel, words))
  return messages.slice(messages.findLastIndex(({ from }) => from === 'user') + 1).map(({ text = '' }) => text)
}

test('each action of a mapping follows from what a model understands, at the innermost level [C-3.60] [R-17] [R-18]', async () => {
  const nluproject = await projectOf('Agência')
  const bot = await made('bot', { name: 'Ágata', nluenabled: true, nluproject })
  const hello = await taskWith(
    bot,
    'Início',
    plainBlock('prompt', 100, { varname: 'x', data: { type: 'text', text: 'Como ajudo{{handler.result}}?' } }),
  )
  const balance = await taskWith(bot, 'Saldo', plainBlock('text', 100, { text: 'São 5 reais' }))
  const dialogOf = async (task: string) => (await admin.get(`/dialogtask/${task}`)).body.principaldialog
  const handler = await made('handler', { name: 'bloqueia', dialogtask: hello })
  const js = 'function run() { return ", bloqueado" }'
  const script = { format: 'parley-flow', version: 1, operators: {}, links: {}, js }
  expect((await admin.put(`/handler/${handler}/flow`, script)).status).toBe(200)
  expect((await admin.post(`/handler/${handler}/publish`)).status).toBe(200)
  const mapping = (intent: string, more: object) =>
    made('intentmapping', { bot, type: 'intent', intent, action: 'randomresponses', ...more })
  const group = await made('intentgroup', { bot, name: 'Contas', intents: ['saldo', 'fatura'] })
  await made('intentmapping', {
    bot,
    type: 'intentgroup',
    intentgroup: group,
    action: 'calltask',
    target_task: balance,
  })
  await mapping('fatura', {
    level: 'dialog',
    dialog: await dialogOf(hello),
    action: 'calldialog',
    target_dialog: await dialogOf(balance),
  })
  await mapping('cartao', { action: 'callhandler', target_handler: handler })
  await mapping('horario', { responses: ['Nível do robô'] })
  await mapping('horario', { level: 'task', dialogtask: hello, responses: ['Nível da tarefa'] })
  const innermost = await mapping('horario', {
    level: 'dialog',
    dialog: await dialogOf(hello),
    responses: ['Nível do diálogo'],
  })
  const elsewhere = { level: 'dialog', dialog: await dialogOf(balance), responses: ['Outro diálogo'] }
  await mapping('horario', elsewhere)
  const channel = await started(bot, hello)

  expect(await toldLast(channel, 'queria ver o saldo da minha conta')).toEqual(['São 5 reais', 'Como ajudo?'])
  expect(await toldLast(channel, 'me manda a segunda via da fatura')).toEqual(['São 5 reais', 'Como ajudo?'])
  expect(await toldLast(channel, 'roubaram meu cartão')).toEqual(['Como ajudo, bloqueado?'])
  expect(await toldLast(channel, 'a agência abre que horas?')).toEqual(['Nível do diálogo', 'Como ajudo?'])
  await admin.delete(`/intentmapping/${innermost}`)
  await vi.waitFor(
    async () =>
      expect(await toldLast(channel, 'a agência abre que horas?')).toEqual(['Nível da tarefa', 'Como ajudo?']),
    10_000,
  )
})

test('a brain answers what no dialog does, by its own model, and is not asked where it is off [C-3.21] [R-15] [N-5.12]', async () => {
  const brain = await made('brain', { name: 'Perguntas', locale: 'pt' })
  const question = (name: string, lines: readonly string[], responses: readonly string[]) =>
    made('nluintent', {
      brain,
      name,
      statements: lines.map(text => ({ text })),
      responses: responses.map(text => ({ text })),
    })
  await question('wifi', ['tem wifi', 'qual a senha do wifi', 'internet sem fio'], ['Sim: a senha é parley'])
  await question('estacionamento', ['tem estacionamento', 'onde paro o carro', 'vaga para carro'], ['Na rua ao lado'])
  await question('banheiro', ['onde fica o banheiro', 'tem banheiro', 'preciso ir ao banheiro'], ['No fim do corredor'])
  await question('cafe', ['vocês servem café', 'quero um café', 'tem cafezinho'], ['Na copa'])
  await production(brain, 'brain')
  const bot = await made('bot', { name: 'Bento', brainenabled: true, brain })
  const hello = await taskWith(bot, 'Início', plainBlock('text', 100, { text: 'Oi!' }))
  const other = await taskWith(bot, 'Resto', plainBlock('text', 100, { text: 'Não sei' }))
  await change('bot', bot, { fallbacktask: other })
  const channel = await started(bot, hello)

  expect(await toldLast(channel, 'qual é a senha do wifi?')).toEqual(['Sim: a senha é parley'])
  expect(await toldLast(channel, 'onde posso parar meu carro')).toEqual(['Na rua ao lado'])
  expect(await toldLast(channel, 'xyz kkk')).toEqual(['Não sei'])
  await change('bot', bot, { brainenabled: false })
  await vi.waitFor(async () => expect(await toldLast(channel, 'tem wifi')).toEqual(['Não sei']), 10_000)
})

test('shows responses of an intent beside a question, and fills the answer from an entity [D-3A.08] [R-38]', async () => {
  const nluproject = await projectOf('Sugestões', { saldo: ['Da conta', 'Da poupança'] })
  const bot = await made('bot', { name: 'Beto', nluenabled: true, nluproject })
  const lookup_data = [{ value: 'São Paulo', synonyms: ['sampa'] }]
  await made('nluprojectentity', { nluproject, name: 'cidade', type: 'lookup', lookup_data })
  await production(nluproject)
  const asks = {
    varname: 'cidade',
    enableSuggestedActions: true,
    intent: 'saldo',
    data: { type: 'text', text: 'Onde?' },
  }
  const hello = await made('dialogtask', { name: 'Início', bot })
  const dialog = await made('dialog', { name: 'Início', dialogtask: hello })
  const { operators, links } = flow(plainBlock('prompt', 100, asks))
  const told = { told: plainBlock('text', 200, { text: 'Em {{cidade}}' }) }
  const drawn = { operators: { ...operators, ...told }, links: { ...links, b: link('block', 'told') } }
  expect((await admin.put(`/dialog/${dialog}/flow`, { format: 'parley-flow', version: 1, ...drawn })).status).toBe(200)
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  await change('dialogtask', hello, { principaldialog: dialog })
  const conversation = await openChat(parley.origin, await started(bot, hello), ['moro aqui em sampa'])

  const offered = (await transcriptOf(conversation))[0]?.actions ?? []
  expect(offered.map(({ title }) => title)).toEqual(['Da conta', 'Da poupança'])
  expect(await said(conversation)).toContain('Em São Paulo')
  await vi.waitFor(async () => {
    const services = (await admin.get(`/botservice?bot=${bot}`)).body.items
    expect(services.find(({ systemid }) => systemid === 'nlu')).toMatchObject({ state: 'up' })
  }, 15_000)
})

test('lists unrecognized inputs for permitted readers, until they are statements [P-971]', async () => {
  const nluproject = await projectOf('Rótulos')
  const bot = await made('bot', { name: 'Breno', nluenabled: true, nluproject })
  const asks = { varname: 'x', data: { type: 'choice', text: 'Qual?', options: [{ label: 'Um' }, { label: 'Dois' }] } }
  const channel = await started(bot, await taskWith(bot, 'Início', plainBlock('prompt', 100, asks)))
  const lost = await openChat(parley.origin, channel, ['xyz kkk', 'XYZ kkk!', 'Um'])
  await openChat(parley.origin, channel, ['qual o meu saldo', 'kkk www'])
  const listed = async (client = admin) => client.get(`/nluproject/${nluproject}/unrecognized`)
  const texts = async () => (await listed()).body.items.map(({ text, count }) => [text, count])

  await vi.waitFor(async () => expect(await texts()).toContainEqual(['kkk www', 1]), 10_000)
  expect((await listed()).body.items.find(({ conversation }) => conversation === lost)).toMatchObject({ bot, turn: 3 })
  const level = String((await admin.get(`/bot/${bot}`)).body.hierarchylevel)
  const actions = ['readnluproject', 'readbot', 'readintent']
  const { client } = await person(parley, admin, { username: 'leo', level, actions })
  expect((await listed(client)).status).toBe(403)
  expect((await client.post(`/nluproject/${nluproject}/dismissline`, { line: 'a'.repeat(64) })).status).toBe(403)
  const [saldo] = (await admin.get(`/intent?nluproject=${nluproject}&search=saldo`)).body.items
  const statements = [...((saldo?.statements ?? []) as object[]), { text: 'kkk www' }]
  await change('intent', String(saldo?.id), { statements })
  expect(await texts()).not.toContainEqual(['kkk www', 1])
  await admin.post(`/conversation/${lost}/forget`, { confirm: 'CONFIRM' })
  await vi.waitFor(async () =>
    expect((await listed()).body.items.map(({ conversation }) => conversation)).not.toContain(lost),
  )
})

test('returns the recognition and reasons of each turn, and reverts them with a step back [P-972]', async () => {
  const nluproject = await projectOf('Simulado')
  const bot = await made('bot', { name: 'Bina', nluenabled: true, nluproject, intentconfidence: 60 })
  const asks = { varname: 'x', data: { type: 'text', text: 'Como ajudo?' } }
  await change('bot', bot, { defaultdialogtask: await taskWith(bot, 'Início', plainBlock('prompt', 100, asks)) })
  const begun = (await admin.post(`/bot/${bot}/simulation`, {})).body
  expect(begun).toMatchObject({ understood: [], nluproject })
  const say = async (text: string) => (await admin.post(`/simulation/${begun.simulation}/say`, { text })).body
  const { understood } = await say('qual é o meu saldo')

  const reasons = { for: expect.arrayContaining([expect.objectContaining({ text: expect.any(String) })]) }
  expect(understood).toMatchObject([{ turn: 2, by: 'nlu', intent: 'saldo', threshold: 0.6, reasons }])
  const [first] = understood as readonly { readonly ranking: readonly { readonly name: string }[] }[]
  expect(first?.ranking[0]?.name).toBe('saldo')
  expect(first?.ranking).toHaveLength(4)
  const back = (await admin.post(`/simulation/${begun.simulation}/back`, {})).body
  expect((back.understood as object[]).length).toBeLessThanOrEqual(1)
})
