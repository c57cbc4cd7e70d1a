import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wholeSample } from '#test/fixture/whole-sample.ts'
import { type Client, discard, type ParleyProcess, startParley } from './harness.ts'

const SAMPLE_MS = 180_000

interface View {
  readonly simulation: string
  readonly status: string
  readonly said: readonly { readonly from: string; readonly text?: string }[]
  readonly steps: readonly { readonly block: string; readonly problem?: object }[]
}

let parley: ParleyProcess
let admin: Client
beforeAll(async () => {
  parley = await startParley({ env: { PARLEY_SAMPLE: 'on' } })
  admin = await parley.signIn()
  await wholeSample(admin, SAMPLE_MS)
}, 2 * SAMPLE_MS)
afterAll(() => discard(parley))

const project = async () => (await admin.get('/nluproject?search=Atendimento')).body.items[0]

/** A web chat with the health department's started bot. */
const openTalk = async () => {
  const [bot] = (await admin.get('/bot?search=Clara')).body.items
  const [channel] = (await admin.get(`/channel?bot=${bot?.id}&type=webchat`)).body.items
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(parley.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { conversation: string; token: string } }
  }
  const opened = await post(`/chat/${channel?.id}/conversations`, {})
  expect(opened.status).toBe(201)
  const chat = `/chat/conversations/${opened.body.conversation}/messages`
  const page = async () => {
    const headers = { authorization: `Bearer ${opened.body.token}` }
    const answer = await fetch(`${parley.origin}${chat}?after=&size=100`, { headers })
    return (await answer.json()) as { state: string; messages: readonly { from: string; text?: string }[] }
  }
  const say = async (text: string) => {
    const sent = await post(chat, { id: crypto.randomUUID(), type: 'text', text }, opened.body.token)
    expect(sent.status).toBe(202)
    await vi.waitFor(async () => expect((await page()).state).not.toBe('active'), { timeout: 20_000, interval: 20 })
    const { messages } = await page()
    const last = messages.findLastIndex(({ from }) => from === 'user')
    return messages.slice(last + 1).map(({ text: told = '' }) => told)
  }
  return { page, say }
}

/** Runs the published bot in a simulation; returns its texts and its errors. */
const talk = async (name: string, words: readonly string[]) => {
  const [bot] = (await admin.get(`/bot?search=${encodeURIComponent(name)}`)).body.items
  const begun = await admin.post(`/bot/${bot?.id}/simulation`, { source: 'published', effects: { rest: 'real' } })
  expect(begun.status).toBe(201)
  let view = begun.body as unknown as View
  const take = async (act: string, given: object) => {
    const { status, text, body } = await admin.post(`/simulation/${view.simulation}/${act}`, given)
    expect(status, text).toBe(200)
    view = body as unknown as View
  }
  for (const text of words) {
    await take('say', { type: 'text', text })
    // The first call of a simulation that changes something is made when that is wanted.
    while (view.status === 'calling') await take('answer', { real: true })
  }
  return {
    said: view.said.flatMap(({ from, text = '' }) => (from === 'bot' ? [text] : [])),
    problems: view.steps.filter(({ problem }) => problem !== undefined),
  }
}

test.each([
  {
    name: 'Clara',
    words: ['Marcar consulta', '529.982.247-25', 'Clínica geral', 'Amanhã, 8h20', 'Confirmar'],
    told: [
      'Olá, Fábio! Encontrei seu cadastro na UBS Jardim das Flores.',
      'Posso confirmar Clínica geral, Amanhã, 8h20, na UBS Jardim das Flores?',
      'Prontinho! Seu código é VC4101. Chegue 15 minutos antes, com documento. 📅',
    ],
  },
  {
    name: 'Clara',
    words: ['Remarcar ou cancelar', 'VC4101', 'Remarcar', 'Sexta, 10h20'],
    told: ['Você quer remarcar ou cancelar Clínica geral, Amanhã, 8h20?', 'Consulta remarcada para Sexta, 10h20.'],
  },
  {
    name: 'Clara',
    words: ['Marcar consulta', '529.982.247-25', 'Odontologia', 'Sim'],
    told: ['Você é o número 1 da lista. Aviso assim que surgir uma vaga.'],
  },
  {
    name: 'Ventania',
    words: ['123456787', 'Pix'],
    told: ['Conta de novembro: R$ 187,40, vence em 10/12/2026.'],
  },
  {
    name: 'Lume',
    words: ['Rastrear pedido', 'CL204516'],
    told: [
      expect.stringContaining('Oi, Marina!'),
      expect.stringMatching(/^Seu pedido CL204516 está com a Rota Certa e chega \S/u),
    ],
  },
])(
  'the published bot $name of the sample holds a conversation with its own services: $words [P-460]',
  async ({ name, words, told }) => {
    const { said, problems } = await talk(name, words)

    expect(problems).toEqual([])
    expect(said).toEqual(expect.arrayContaining(told))
  },
)

test('includes its NLU project with its statements, trained like any other [P-970]', async () => {
  const { id, training_status, models } = (await project()) ?? {}
  const { items } = (await admin.get(`/intent?nluproject=${id}&size=100`)).body
  const statements = items.flatMap(item => item.statements as readonly { readonly text: string }[])

  expect(items.length).toBeGreaterThanOrEqual(12)
  expect(statements.length).toBeGreaterThanOrEqual(300)
  expect(statements.filter(({ text }) => /\]\(\w+\)/u.test(text)).length).toBeGreaterThan(40)
  expect(training_status).toBe('finished')
  // It was trained three times, each time with more lines.
  expect(models).toMatchObject([
    { number: 3, production: true, figures: { lines: statements.length, intents: items.length } },
    { number: 2, production: false },
    { number: 1, production: false },
  ])
})

test('its started bot understands what people write in their own words, and answers by level [P-970] [R-17] [R-18] [R-38]', async () => {
  const { say } = await openTalk()
  const asksDocument = expect.stringContaining('me diga o seu CPF')

  expect(await say('queria levar minha menina no pediatra')).toEqual([asksDocument])
  // The mapping of the dialog comes before that of the bot, and what waits asks again.
  expect(await say('onde acho o número do cartão do SUS?')).toEqual([
    'O número do Cartão SUS tem 15 dígitos e fica na frente do cartão. Sem ele, use o seu CPF.',
    asksDocument,
  ])
  expect(await say('529.982.247-25')).toContain('Você quer marcar Pediatria, certo?')
  expect(await say('não, prefiro o dentista')).toEqual(['Não há vaga que sirva agora. Quer entrar na lista de espera?'])
  expect(await say('deixa pra lá')).toEqual(['Certo, cancelei.'])
  expect(await say('meu exame de sangue já saiu?')).toEqual([
    'Resultados ficam em saude.valeclaro.example, com o código da coleta.',
  ])
})

test('understands the wish for a person in three languages, and asks its question again [P-2821]', async () => {
  const { say } = await openTalk()
  expect(await say('quero falar com uma pessoa')).toEqual([expect.stringContaining('no 156'), 'Como posso ajudar?'])
  expect(await say('I want to talk to a person')).toEqual([expect.stringContaining('call 156'), 'Como posso ajudar?'])
  expect(await say('Quiero hablar con una persona')).toEqual([
    expect.stringContaining('llame al 156'),
    'Como posso ajudar?',
  ])
  const wishes = ['quero falar com uma pessoa', 'i want to talk to a person', 'quiero hablar con una persona']
  for (const [name, told] of [
    ['Lume', /Falar com a gente<\/b> (no menu|in the menu|en el menú)/u],
    ['Ventania', /0800 000 0196/u],
  ] as const) {
    const { said, problems } = await talk(name, wishes)
    expect([said.filter(text => told.test(text)).length, problems]).toEqual([3, []])
  }
})

test('repeats its question for unrecognized input or unrelated intents [P-970] [R-17]', async () => {
  const { say } = await openTalk()
  const asksAgain = ['Por favor, escolha uma das opções.', 'Como posso ajudar?']

  expect(await say('asdf qwer zxcv')).toEqual(asksAgain)
  expect(await say('quero pagar o IPTU')).toEqual(asksAgain)
  expect(await say('vou precisar mudar o dia da consulta')).toEqual([expect.stringContaining('código da consulta')])
})

test('chats in the started bot of the sample, and continues after the gateway was killed [P-461]', async () => {
  const { page, say } = await openTalk()
  for (const text of ['Marcar consulta', '529.982.247-25', 'Clínica geral']) await say(text)
  await parley.end('SIGKILL')
  parley = await startParley({ folder: parley.folder, env: { PARLEY_SAMPLE: 'on' } })
  admin = await parley.signIn()
  for (const text of ['Amanhã, 14h40', 'Confirmar']) await say(text)

  expect((await page()).messages.map(({ text }) => text)).toContain(
    'Posso confirmar Clínica geral, Amanhã, 14h40, na UBS Jardim das Flores?',
  )
  expect((await page()).messages.at(-2)?.text).toMatch(/^Prontinho! Seu código é VC\d+\./u)
})

const bots = async () =>
  (await admin.get('/bot?size=100')).body.items as unknown as readonly { id: string; name: string }[]
const DAY_MS = 86_400_000
interface Counts {
  readonly started: number
  readonly outcomes: { readonly completed: number }
}
interface Figures {
  readonly rows: readonly { readonly key: string; readonly conversations: Counts }[]
  readonly total: Counts
}
interface DeskFigures {
  readonly rows: readonly { readonly served: number; readonly csat: { readonly rated: number } }[]
}
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

test('has two months of conversations of each bot in lists, figures, drop-off and the desk [P-2485]', async () => {
  for (const { id, name } of await bots()) {
    const total = (await admin.get(`/conversation?bot=${id}&size=1`)).body.total
    expect(total, name).toBeGreaterThan(100)
    const period = `from=${dayBefore(61)}&to=${dayBefore(0)}`
    const figures = (await admin.get(`/bot/${id}/metrics?${period}`)).body as unknown as Figures
    expect(figures.total.started, name).toBeGreaterThan(100)
    const busy = figures.rows.filter(({ conversations }) => conversations.started > 0).map(({ key }) => key)
    expect(busy.length, name).toBeGreaterThan(45)
    expect(busy.toSorted()[0]?.localeCompare(dayBefore(50)), name).toBe(-1)
    // The first releases of one bot lose most people. The day of the week decides on the number of people then.
    expect(figures.total.outcomes.completed, name).toBeGreaterThan(25)
    const releases = (await admin.get(`/bot/${id}/metrics?${period}&by=release`)).body as unknown as Figures
    expect(releases.rows.filter(({ conversations }) => conversations.started > 20).length, name).toBeGreaterThan(1)
    const tests = (await admin.get(`/conversationtest?bot=${id}`)).body.items
    expect(tests.map(({ last }) => (last as unknown as { passed: boolean }).passed)).not.toContain(false)
    expect(tests.length).toBeGreaterThan(0)
  }
  const desk = (await admin.get(`/desk/metrics?from=${dayBefore(7)}&to=${dayBefore(0)}`)).body as unknown as DeskFigures
  const served = desk.rows.map(row => row.served)
  expect(Math.max(...served)).toBeGreaterThan(20)
  expect(desk.rows.reduce((sum, { csat }) => sum + csat.rated, 0)).toBeGreaterThan(8)
})

test('an administrator removes all of it at once, with its conversations, under their name [P-2486]', async () => {
  const before = await bots()
  const conversations = (await admin.get('/conversation?size=1')).body.total
  const own = (await admin.post('/bot', { name: 'Meu bot' })).body
  const removed = await admin.send('DELETE', '/sample')
  expect(removed.status, removed.text).toBe(200)
  expect(removed.body.kept).toEqual([])
  expect(removed.body.conversations).toBe(conversations)

  expect((await bots()).map(({ id }) => id)).toEqual([own.id])
  for (const entity of ['conversation', 'nluproject', 'campaign', 'deskqueue', 'template', 'metaaccount'])
    expect((await admin.get(`/${entity}?size=1`)).body.total, entity).toBe(0)
  expect((await admin.get('/user?size=10')).body.items.map(({ username }) => username)).toEqual(['admin'])
  expect((await admin.get('/selectfromoriginallevel')).body).toHaveLength(1)
  expect((await admin.get('/sample')).body).toMatchObject({ state: 'removed', removable: false })
  const audit = (await admin.get(`/audit?entity=bot&entityid=${before[0]?.id}&size=5`)).body.items
  expect(JSON.stringify(audit)).toContain('admin')
  expect((await admin.send('DELETE', '/sample')).body).toEqual({ things: 0, conversations: 0, kept: [] })
}, 60_000)
