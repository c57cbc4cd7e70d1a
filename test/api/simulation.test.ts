import { expect, test, vi } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import type { Answer } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)

const draw = (greeting = 'Olá') =>
  admin.put(`/dialog/${dialog}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      hello: plainBlock('text', 90, { text: greeting }),
      ask: plainBlock('prompt', 180, { varname: 'pedido', data: { type: 'number', text: 'Qual pedido?' } }),
      call: plainBlock('restservice', 270, {
        url: 'https://loja.example/{{pedido}}',
        resultVariable: 'r',
        errorVariable: 'e',
      }),
      told: plainBlock('text', 360, { text: 'Chega {{r.dia}}' }),
      failed: plainBlock('text', 450, { text: 'Erro {{e.status}}' }),
    },
    links: {
      a: link('start', 'hello'),
      b: link('hello', 'ask'),
      c: link('ask', 'call'),
      d: link('call', 'told'),
      e: link('call', 'failed', 'output_error'),
    },
  })

const said = ({ body }: Answer): readonly string[] =>
  (body.said as unknown as readonly { readonly from: string; readonly text: string }[]).map(
    ({ from, text }) => `${from}: ${text}`,
  )
const begin = (more: object = {}, client = admin) => client.post(`/bot/${bot}/simulation`, { dialog, ...more })
const act = (simulation: Answer, name: string, body: object = {}, client = admin) =>
  client.post(`/simulation/${simulation.body.simulation}/${name}`, body)

const { bot, task, dialog } = await admin.createDialog({ name: 'Loja' }, 'Pedidos', 'Prazo')
await draw()

test('a drawing is talked to before it is published, calls answered by hand [R-81]', async () => {
  const begun = await begin()
  expect(begun.status).toBe(201)
  expect(said(begun)).toEqual(['bot: Olá', 'bot: Qual pedido?'])
  expect(begun.body).toMatchObject({ status: 'waiting', at: { dialog, block: 'ask' } })
  expect(said(await act(begun, 'say', { text: 'abc' })).slice(-2)).toEqual([
    'bot: Por favor, responda com um número.',
    'bot: Qual pedido?',
  ])
  const calling = await act(begun, 'say', { text: '17' })
  expect(calling.body).toMatchObject({
    status: 'calling',
    state: { conversation: { pedido: 17 } },
    calls: [{ block: 'call', method: 'GET', url: 'https://loja.example/17' }],
  })
  const answered = await act(begun, 'answer', { status: 200, body: { dia: 'amanhã' } })
  expect(said(answered).at(-1)).toBe('bot: Chega amanhã')
  expect(answered.body).toMatchObject({ status: 'idle', calls: [{ outcome: '200' }] })
})

test('variables of the dialog are shown after its end as they were then, until the dialog runs again [P-1822]', async () => {
  const variable = await made('variable', { name: 'pedido', bot, scope: 'dialog', dialog })
  const begun = await begin()
  await act(begun, 'say', { text: '17' })
  const answered = await act(begun, 'answer', { status: 200, body: { dia: 'amanhã' } })
  expect(answered.body).toMatchObject({
    status: 'idle',
    at: null,
    state: { dialog: { pedido: '17' }, conversation: { r: { dia: 'amanhã' } }, frames: [] },
  })
  const again = await begin()
  expect(again.body).toMatchObject({ state: { dialog: {} } })
  await admin.delete(`/variable/${variable}`)
})

test('it is stepped through, gone back in, and left another way [R-81]', async () => {
  const begun = await begin({ paused: true })
  expect(begun.body).toMatchObject({ status: 'paused', at: { block: 'start' }, said: [] })
  const hello = await act(begun, 'step')
  expect(hello.body.at).toEqual({ dialog, block: 'hello' })
  const run = await act(begun, 'run', { until: ['ask'] })
  expect([run.body.at, said(run)]).toEqual([{ dialog, block: 'ask' }, ['bot: Olá']])
  await act(begun, 'run')
  await act(begun, 'say', { text: '17' })
  const failed = await act(begun, 'answer', { status: 404 })
  expect(said(failed).at(-1)).toBe('bot: Erro 404')
  // Before the text, before the call, and then the call is answered otherwise.
  await act(begun, 'back')
  expect((await act(begun, 'back')).body).toMatchObject({ status: 'paused', at: { block: 'call' } })
  await act(begun, 'set', { name: 'pedido', value: 18 })
  const again = await act(begun, 'run')
  expect(again.body.status).toBe('calling')
  expect(said(await act(begun, 'answer', { status: 200, body: { dia: 'hoje' } })).at(-1)).toBe('bot: Chega hoje')
})

test('an edit of a block that has not run yet counts at once [R-81]', async () => {
  const begun = await begin({ paused: true })
  await act(begun, 'step')
  await draw('Bom dia')
  expect(said(await act(begun, 'run'))).toEqual(['bot: Bom dia', 'bot: Qual pedido?'])
  await draw()
})

test('its clock is moved: it reminds and ends [R-72]', async () => {
  const begun = await begin({ now: '2026-05-05T13:00:00Z' })
  const reminded = await act(begun, 'clock', { now: '2026-05-05T13:00:41Z' })
  expect(said(reminded).at(-1)).toBe('bot: Você ainda está aí?')
  expect((await act(begun, 'clock', { now: '2026-05-05T13:02:01Z' })).body.status).toBe('ended')
})

test('says that WhatsApp gets the text, or the template after a day of silence [P-2516]', async () => {
  await admin.put(`/dialog/${dialog}/flow`, {
    operators: {
      start: plainBlock('start', 0),
      told: plainBlock('sendmessage', 180, { text: 'Chegou', template: 't1', templateValues: { 1: '{{x}}' } }),
      plan: plainBlock('schedule', 270, { scheduleQuantity: 2, scheduleUnit: 'day', task, taskdialog: dialog }),
    },
    links: { a: link('start', 'told'), b: link('told', 'plan') },
  })
  const begun = await begin({ now: '2026-05-05T13:00:00Z' })
  const templates = ({ body }: Answer) =>
    (body.said as unknown as readonly { readonly template?: object }[]).map(({ template }) => template)
  expect(templates(begun)).toEqual([{ id: 't1', values: { 1: '' }, sent: false }])
  const late = await act(begun, 'clock', { now: '2026-05-07T13:00:01Z' })
  expect(templates(late).at(-1)).toEqual({ id: 't1', values: { 1: '' }, sent: true })
  await draw()
})

test('it is its own person’s, who may draw there, and three of them at most [R-81]', async () => {
  const begun = await begin()
  const elsewhere = await level(admin, 'Outra')
  const drawing = { username: 'vizinha', level: elsewhere, actions: ['updatedialog', 'readdialog', 'readbot'] }
  const { client: neighbour } = await person(parley, admin, drawing)
  expect((await act(begun, 'say', { text: '1' }, neighbour)).status).toBe(404)
  expect((await begin({}, neighbour)).status).toBe(404)
  const { client: viewer } = await person(parley, admin, {
    ...drawing,
    username: 'leitora',
    actions: ['readdialog', 'readbot'],
  })
  expect((await begin({}, viewer)).status).toBe(403)
  for (let count = 0; count < 3; count++) await begin()
  expect((await act(begun, 'back')).status).toBe(404)
})

test('rejects invalid input with its place [R-81]', async () => {
  const begun = await begin()
  expect((await act(begun, 'step')).body.code).toBe('simulation.turn')
  expect((await act(begun, 'answer', { status: 200 })).body.code).toBe('simulation.turn')
  expect((await act(begun, 'say', { type: 'choice', value: 'none' })).body).toMatchObject({
    code: 'validation.failed',
    errors: [{ path: 'value', code: 'option' }],
  })
  expect((await begin({ dialog: 'elsewhere' })).status).toBe(422)
  expect((await act(begun, 'say', { text: 'x'.repeat(4001) })).status).toBe(422)
})

test('stops before a chosen block of a later turn, and loads a dialog when a turn reaches it [R-81] [P-714]', async () => {
  const task = (await admin.get(`/dialog/${dialog}`)).body.dialogtask
  const other = await made('dialog', { name: 'Outro', dialogtask: task })
  const caller = await made('dialog', { name: 'Chama', dialogtask: task })
  const flow = (operators: object, links: object) => ({ format: 'parley-flow', version: 1, operators, links })
  await admin.put(
    `/dialog/${other}/flow`,
    flow(
      { start: plainBlock('start', 0), there: plainBlock('text', 90, { text: 'Aqui é o outro' }) },
      { a: link('start', 'there') },
    ),
  )
  await admin.put(
    `/dialog/${caller}/flow`,
    flow(
      {
        start: plainBlock('start', 0),
        ask: plainBlock('prompt', 90, { varname: 'n', data: { type: 'number', text: 'Quantos?' } }),
        sub: plainBlock('subdialog', 180, { subScenario: other }),
        end: plainBlock('text', 270, { text: 'De volta com {{n}}' }),
      },
      { a: link('start', 'ask'), b: link('ask', 'sub'), c: link('sub', 'end') },
    ),
  )
  const begun = await begin({ dialog: caller })
  expect(said(begun)).toEqual(['bot: Quantos?'])
  const stopped = await act(begun, 'say', { text: '3', until: ['end'] })
  expect(stopped.body).toMatchObject({ status: 'paused', at: { dialog: caller, block: 'end' } })
  expect(said(stopped).at(-1)).toBe('bot: Aqui é o outro')
  expect(said(await act(stopped, 'run')).at(-1)).toBe('bot: De volta com 3')
  const back = await act(begun, 'back')
  expect(back.body).toMatchObject({ status: 'paused', at: { block: 'end' } })
})

test('a call that changes something is asked about once before it is made for real [R-81] [P-715]', async () => {
  const task = (await admin.get(`/dialog/${dialog}`)).body.dialogtask
  const poster = await made('dialog', { name: 'Grava', dialogtask: task })
  const post = (top: number) =>
    plainBlock('restservice', top, { methodType: 'post', url: 'https://loja.invalid/', errorVariable: 'e' })
  await admin.put(`/dialog/${poster}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      one: post(90),
      two: post(180),
      end: plainBlock('text', 270, { text: 'Fim' }),
    },
    links: {
      a: link('start', 'one'),
      b: link('one', 'two', 'output_error'),
      c: link('two', 'end', 'output_error'),
    },
  })
  const begun = await begin({ dialog: poster, effects: { rest: 'real' } })
  expect(begun.body.status).toBe('calling')
  const sent = await act(begun, 'answer', { real: true })
  expect(said(sent)).toEqual(['bot: Fim'])
  expect(sent.body.calls).toMatchObject([
    { turn: 1, method: 'POST' },
    { turn: 1, method: 'POST' },
  ])
}, 60_000)

test('runs a release as published, without later edits and publications [R-91] [P-654]', async () => {
  await draw('Olá do primeiro')
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  await vi.waitFor(async () => expect((await begin({ release: 1 })).status).toBe(201))
  await draw('Olá do segundo')
  await admin.post(`/dialog/${dialog}/publish`)
  await vi.waitFor(async () =>
    expect(said(await begin({ release: 2 }))).toEqual(['bot: Olá do segundo', 'bot: Qual pedido?']),
  )
  await draw()
  const old = await begin({ release: 1, block: 'hello' })
  expect(said(old)).toEqual(['bot: Olá do primeiro', 'bot: Qual pedido?'])
  expect(said(await act(old, 'say', { text: 'abc' })).at(-1)).toBe('bot: Qual pedido?')
  expect(said(await begin())).toEqual(['bot: Olá', 'bot: Qual pedido?'])
  expect((await begin({ release: 99 })).body).toMatchObject({ errors: [{ path: 'release', code: 'reference' }] })
})

test('shows times by block and reverts them, and passes responses of calls to the next run [R-81] [P-1050]', async () => {
  const task = (await admin.get(`/dialog/${dialog}`)).body.dialogtask
  const slow = await made('dialog', { name: 'Devagar', dialogtask: task })
  await admin.put(`/dialog/${slow}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      hello: plainBlock('text', 90, { text: 'Oi', enableDelay: true }),
      ask: plainBlock('prompt', 180, { varname: 'n', data: { type: 'number', text: 'Quantos?' } }),
      call: plainBlock('restservice', 270, { url: 'https://loja.example/{{n}}', resultVariable: 'r' }),
      told: plainBlock('text', 360, { text: 'Chega {{r.dia}}', enableDelay: true }),
    },
    links: { a: link('start', 'hello'), b: link('hello', 'ask'), c: link('ask', 'call'), d: link('call', 'told') },
  })
  const begun = await begin({ dialog: slow })
  interface Span {
    readonly block: string
    readonly kind: string
    readonly start: number
    readonly ms: number
  }
  /** A typing span starts at the sum of the spans before it; evaluating takes longer on a busy machine. */
  const typingOf = (answer: Answer, block: string): Span | undefined => {
    const spans = answer.body.spans as unknown as readonly Span[]
    const at = spans.findIndex(span => span.block === block && span.kind === 'typing')
    if (at !== -1) expect(spans[at]?.start).toBe(spans.slice(0, at).reduce((sum, { ms }) => sum + ms, 0))
    return spans[at]
  }
  const hello = typingOf(begun, 'hello')
  expect(hello).toMatchObject({ by: null, ms: 2000 })
  expect(begun.body.times).toMatchObject({ services: 0, person: 0 })
  const messages = begun.body.said as unknown as { text: string; after: number }[]
  expect(messages.map(({ text }) => text)).toEqual(['Oi', 'Quantos?'])
  const shown = (hello?.start ?? 0) + 2000
  expect(messages.map(({ after }) => after)).toEqual([shown, expect.any(Number)])
  expect(messages[1]?.after).toBeGreaterThanOrEqual(shown)
  await new Promise(resolve => setTimeout(resolve, 120))
  await act(begun, 'say', { text: '3' })
  const told = await act(begun, 'answer', { status: 200, body: { dia: 'hoje' } })
  expect(typingOf(told, 'told')).toMatchObject({ by: null, ms: 2000 })
  expect(typingOf(told, 'told')?.start).toBeGreaterThanOrEqual(2000)
  expect((told.body.times as unknown as { person: number }).person).toBeGreaterThanOrEqual(120)
  await act(begun, 'back')
  expect((await act(begun, 'back')).body).toMatchObject({ status: 'paused', at: { block: 'call' } })
  expect(typingOf(await act(begun, 'run'), 'told')).toBeUndefined()
  // The next run of this window takes its place: it knows what was answered.
  const next = await begin({
    dialog: slow,
    block: 'call',
    variables: { n: 3 },
    effects: { rest: 'sample' },
    replaces: begun.body.simulation,
  })
  expect(said(next)).toEqual(['bot: Chega hoje'])
  expect((await act(begun, 'run')).status).toBe(404)
})

test('several people, and windows of one, run the same drawing at once and disturb nobody [R-81] [P-1051]', async () => {
  const place = String((await admin.get(`/bot/${bot}`)).body.hierarchylevel)
  const drawing = { level: place, actions: ['updatedialog', 'readdialog', 'readbot'] }
  const { client: other } = await person(parley, admin, { username: 'colega', ...drawing })
  const [mine, theirs] = await Promise.all([begin(), begin({}, other)])
  await Promise.all([act(mine, 'say', { text: '17' }), act(theirs, 'say', { text: 'nada' }, other)])
  const ours = await act(mine, 'set', { name: 'pedido', value: 18 })
  // A call waits there, so nothing is changed in it.
  expect(ours.body.code).toBe('simulation.turn')
  expect((await act(theirs, 'set', { name: 'pedido', value: 99 }, other)).body).toMatchObject({
    status: 'waiting',
    state: { conversation: { pedido: 99 } },
  })
  expect((await act(mine, 'answer', { status: 200, body: { dia: 'já' } })).body).toMatchObject({
    status: 'idle',
    state: { conversation: { pedido: 17 } },
  })
  expect((await act(theirs, 'say', { text: '5' })).status).toBe(404)
  expect((await begin({ replaces: theirs.body.simulation })).status).toBe(201)
  expect((await act(theirs, 'say', { text: '5' }, other)).body).toMatchObject({ status: 'calling' })
  // Another window of mine that begins again and again ends only what nobody has touched.
  const again = async (replaces: unknown) => (await begin({ replaces })).body.simulation
  let window: unknown
  for (let count = 0; count < 5; count++) window = await again(window)
  for (let count = 0; count < 3; count++) await begin()
  expect((await act(mine, 'back')).status).toBe(200)
})

test('an adaptive card offers its own actions and takes what they send, once [R-81] [P-1720] [P-1721]', async () => {
  const form = await made('dialog', {
    name: 'Ficha',
    dialogtask: (await admin.get(`/dialog/${dialog}`)).body.dialogtask,
  })
  const submit = { type: 'Action.Submit', title: 'Enviar', data: { etapa: 1 } }
  const card = (top: number, varname: string) =>
    plainBlock('adaptivecard', top, { varname, body: [{ type: 'Input.Text', id: 'n' }], actions: [submit] })
  await admin.put(`/dialog/${form}/flow`, {
    operators: {
      start: plainBlock('start', 0),
      um: card(100, 'um'),
      dois: card(200, 'dois'),
      fim: plainBlock('text', 300, { text: '{{um.n}} {{dois.n}}' }),
    },
    links: { a: link('start', 'um'), b: link('um', 'dois'), c: link('dois', 'fim') },
  })
  const begun = await begin({ dialog: form })
  const messages = ({ body }: Answer) =>
    body.said as unknown as readonly { id: number; from: string; actions: unknown }[]
  expect(messages(begun).map(({ actions }) => actions)).toEqual([[submit]])
  const first = messages(begun)[0]?.id
  const second = messages(await act(begun, 'say', { type: 'submit', of: first, data: { n: 'A' } })).at(-1)?.id
  const again = await act(begun, 'say', { type: 'submit', of: first, data: { n: 'A' } })
  expect(again.body.status).toBe('waiting')
  expect(said(await act(begun, 'say', { type: 'submit', of: second, data: { n: 'B' } })).at(-1)).toBe('bot: A B')
})

test('opens a draft to people without an account until its link ends, and stores no conversation [P-2943]', async () => {
  const drawn = await made('dialog', { name: 'Rascunho', dialogtask: task })
  const flow = (greeting: string) =>
    admin.put(`/dialog/${drawn}/flow`, {
      format: 'parley-flow',
      version: 1,
      operators: {
        start: plainBlock('start', 0),
        ask: plainBlock('prompt', 90, { varname: 'pedido', data: { type: 'number', text: 'Qual pedido?' } }),
        told: plainBlock('text', 180, { text: greeting }),
      },
      links: { a: link('start', 'ask'), b: link('ask', 'told') },
    })
  await flow('Pedido {{pedido}}')
  const share = async (until: string | null, client = admin) =>
    client.patch(`/dialog/${drawn}`, { sharedraftuntil: until }, (await admin.get(`/dialog/${drawn}`)).body.revision)
  const linkOf = async () => (await admin.get(`/dialog/${drawn}/draftlink`)).body
  const after = (ms: number) => new Date(Date.now() + ms).toISOString()
  const DAY = 86_400_000

  // Given a dialog without a link
  expect(await linkOf()).toEqual({ address: null, until: null })
  expect((await share(after(31 * DAY))).body).toMatchObject({
    errors: [{ path: 'sharedraftuntil', code: 'toolarge' }],
  })
  const until = after(DAY)
  expect((await share(until)).status).toBe(200)
  const { address } = await linkOf()
  expect(await linkOf()).toEqual({ address, until })
  const { client: reader } = await person(parley, admin, {
    username: 'leitor',
    level: String((await admin.get(`/bot/${bot}`)).body.hierarchylevel),
    actions: ['readbot', 'readdialog', 'readdialogtask'],
  })
  expect((await reader.get(`/dialog/${drawn}/draftlink`)).status).toBe(403)

  // When a person without a session opens it
  const base = `${parley.origin}${new URL(String(address)).pathname}`
  const post = async (path: string, body: object, at = base) => {
    const answer = await fetch(`${at}/chat/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, never> & Answer['body'] }
  }
  const page = await fetch(base)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(`data-channel="${drawn}"`)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const opened = await post(`${drawn}/conversations`, { locale: 'pt' })
  expect(opened).toMatchObject({
    status: 201,
    body: {
      stream: null,
      state: 'waiting',
      messages: [{ from: 'bot', text: 'Qual pedido?' }],
      wait: { kind: 'number' },
    },
  })
  const { conversation, watermark } = opened.body
  const say = (id: string, text: string, mark = String(watermark)) =>
    post(`conversations/${conversation}/messages?after=${mark}`, { id, type: 'text', text })
  const texts = ({ body }: { readonly body: object }) =>
    (body as { page: { messages: { text: string }[] } }).page.messages.map(({ text }) => text)
  expect(texts(await say('m1', 'abc'))).toEqual(['Por favor, responda com um número.', 'Qual pedido?'])
  // The next turn runs the changed flow. The second copy of a message is ignored.
  await flow('Anotado: {{pedido}}')
  expect(texts(await say('m2', '17')).at(-1)).toBe('Anotado: 17')
  expect(texts(await say('m2', '17', '0003')).at(-1)).toBe('Anotado: 17')

  // Then no conversation is stored, and revoked, forged and replaced links answer 404
  expect((await admin.get(`/conversation?bot=${bot}`)).body.total).toBe(0)
  const forged = base.slice(0, -1) + (base.endsWith('0') ? '1' : '0')
  expect((await fetch(forged)).status).toBe(404)
  expect((await post(`${drawn}/conversations`, {}, forged)).status).toBe(404)
  await share(after(2 * DAY))
  expect((await fetch(base)).status).toBe(404)
  expect((await say('m3', '18')).status).toBe(404)
  const renewed = `${parley.origin}${new URL(String((await linkOf()).address)).pathname}`
  expect((await fetch(renewed)).status).toBe(200)
  await share(null)
  expect((await fetch(renewed)).status).toBe(404)
  expect(await linkOf()).toEqual({ address: null, until: null })
})
