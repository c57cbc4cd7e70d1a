import { setTimeout as pause } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { nluProjectOf, trainedProject } from '#test/api/nlu-project-of.ts'
import { openParley } from '#test/api/open-parley.ts'
import { level } from '#test/api/people.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'

/** ms: time of an answer to a visitor beside a flood, and of `/health/live`. */
const ANSWER_MS = 1_000
const LIVE_MS = 200
const LONG = 180_000

/** Its search takes longer than any computer lives. */
const ENDLESS = '$match($join([1..60].("a")) & "b", /^(a+)+$/)'

let parley: Parley
let admin: Client
const levels = { a: '', b: '' }

beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  levels.a = await level(admin, 'Cliente A')
  levels.b = await level(admin, 'Cliente B')
}, LONG)
afterAll(() => discard(parley))

const made = async (entity: string, fields: object): Promise<string> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  expect(status, text).toBe(201)
  return body.id
}

/** A started bot that asks, runs the block and answers "pronto 2" when that worked. Answers its id and its web chat. */
const botWith = async (
  hierarchylevel: string,
  { block, end }: { readonly block: ReturnType<typeof plainBlock>; readonly end: string },
  fields: object = {},
) => {
  const bot = await made('bot', { name: `Bot ${crypto.randomUUID().slice(0, 8)}`, hierarchylevel, ...fields })
  const task = await made('dialogtask', { name: 'Tudo', bot })
  const dialog = await made('dialog', { name: 'Tudo', dialogtask: task })
  const flow = {
    operators: {
      start: plainBlock('start', 0),
      ask: plainBlock('prompt', 90, { varname: 'x', data: { type: 'text', text: 'O quê?' } }),
      work: block,
      done: plainBlock('text', 270, { text: end }),
    },
    links: { a: link('start', 'ask'), b: link('ask', 'work'), c: link('work', 'done'), d: link('done', 'ask') },
  }
  const drawn = await admin.put(`/dialog/${dialog}/flow`, flow)
  expect(drawn.status, drawn.text).toBe(200)
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
  await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
  const channel = await made('channel', { bot, type: 'webchat' })
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  return { bot, channel }
}
const script = (js: string) => ({
  block: plainBlock('handler', 180, { quickscript: true, js, resultVariable: 'r' }),
  end: 'pronto {{r}}',
})
const text = (words: string) => ({ block: plainBlock('text', 180, { text: words }), end: 'pronto {{1 + 1}}' })

interface Chat {
  readonly conversation: string
  readonly token: string
}

const send = async (path: string, token: string, body?: object) => {
  const answer = await fetch(parley.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBeLessThan(300)
  return (await answer.json()) as Chat & { readonly state: string; readonly messages: readonly { text: string }[] }
}
const opened = (channel: string): Promise<Chat> => send(`/chat/${channel}/conversations`, '', { user: { name: 'Ana' } })
const say = ({ conversation, token }: Chat) =>
  send(`/chat/conversations/${conversation}/messages`, token, { id: crypto.randomUUID(), type: 'text', text: 'oi' })
/** The bot's texts once its turn is over. */
const textsOf = async ({ conversation, token }: Chat): Promise<readonly string[]> => {
  for (;;) {
    const { state, messages } = await send(`/chat/conversations/${conversation}/messages?after=`, token)
    if (state !== 'active') return messages.map(message => message.text)
    await pause(20)
  }
}

/** ms of 20 answers to four visitors, one after the other, in ascending order. */
const answerTimes = async (channel: string): Promise<readonly number[]> => {
  const times: number[] = []
  for (let visitor = 0; visitor < 4; visitor += 1) {
    const chat = await opened(channel)
    await textsOf(chat)
    for (let count = 1; count <= 5; count += 1) {
      const began = performance.now()
      await say(chat)
      expect((await textsOf(chat)).filter(words => words === 'pronto 2')).toHaveLength(count)
      times.push(performance.now() - began)
      await pause(200)
    }
  }
  return times.toSorted((one, other) => one - other)
}
const p95 = (times: readonly number[]): number => times[Math.ceil(times.length * 0.95) - 1] ?? 0

/** Visitors of a bot that say one thing and wait for their answer. */
const flood = async (channel: string, visitors: number) => {
  const chats = await Promise.all(Array.from({ length: visitors }, () => opened(channel)))
  await Promise.all(chats.map(textsOf))
  await Promise.all(chats.map(say))
  return chats
}

test(
  'answers visitors of a level within 1 s beside 24 endless scripts of another level [P-1610]',
  async () => {
    const a = await botWith(levels.a, script('1 + 1'))
    const b = await botWith(levels.b, script('for (;;) {}'))
    const chat = await opened(a.channel)
    await textsOf(chat)
    await say(chat)
    await textsOf(chat)
    await flood(b.channel, 24)
    const took = await answerTimes(a.channel)
    expect(p95(took)).toBeLessThan(ANSWER_MS)
    await admin.post(`/bot/${b.bot}/stop`)
  },
  LONG,
)

test(
  'answers visitors of a level within 1 s beside 12 visitors with endless JSONata of another level [P-1611]',
  async () => {
    const jsonata = { expressionparser: 'JsonAta' }
    const a = await botWith(levels.a, text('{{1 + 1}}'), jsonata)
    const b = await botWith(levels.b, text(`{{${ENDLESS}}} `.repeat(8)), jsonata)
    const chat = await opened(a.channel)
    await textsOf(chat)
    await flood(b.channel, 12)
    const took = await answerTimes(a.channel)
    expect(p95(took)).toBeLessThan(ANSWER_MS)
    await admin.post(`/bot/${b.bot}/stop`)
  },
  LONG,
)

test(
  'drops the waiting jobs of a bot that is stopped, and says that it is busy after 10 s [P-1612]',
  async () => {
    const b = await botWith(levels.b, script('for (;;) {}'))
    const chats = await flood(b.channel, 24)
    const said = (await Promise.all(chats.map(textsOf))).flat()
    expect(said.filter(words => words.startsWith('Há muita procura')).length).toBeGreaterThan(0)
    const again = await flood(b.channel, 24)
    expect((await admin.post(`/bot/${b.bot}/stop`)).status).toBe(200)
    const began = performance.now()
    await Promise.all(again.map(textsOf))
    expect(performance.now() - began).toBeLessThan(8_000)
  },
  LONG,
)

test(
  'parses texts of a level within 1 s beside six slow patterns of another level [P-1613]',
  async () => {
    const lines = { oi: ['oi', 'olá'], tchau: ['tchau', 'até logo'] }
    const projectIn = async (hierarchylevel: string, pattern: string) => {
      const project = await nluProjectOf(admin, `P ${pattern}`, lines, { hierarchylevel })
      await made('regex', { nluproject: project, name: 'r', entity: 'r', pattern })
      const { id: model } = await trainedProject(admin, project)
      return { project, model }
    }
    const a = await projectIn(levels.a, 'oi')
    const b = await projectIn(levels.b, '\\d*\\d*\\d*\\d*\\d*\\d*x')
    const parse = ({ project, model }: typeof a, words: string) =>
      admin.post(`/nluproject/${project}/parse`, { text: words, model })
    expect((await parse(a, 'oi')).status).toBe(200)
    const times: number[] = []
    const slow = Array.from({ length: 6 }, () => parse(b, '1'.repeat(3_990)))
    for (let place = 0; place < 20; place += 1) {
      if (place % 4 === 0) slow.push(...Array.from({ length: 6 }, () => parse(b, '1'.repeat(3_990))))
      const began = performance.now()
      const { status, body } = await parse(a, 'oi')
      times.push(performance.now() - began)
      expect(status).toBe(200)
      expect(body.entities).toHaveLength(1)
    }
    expect(p95(times.toSorted((one, other) => one - other))).toBeLessThan(ANSWER_MS)
    await Promise.all(slow)
  },
  LONG,
)

/** Longest wait for `/health/live` until the work is done, without what this process itself waited for its processor. */
const livenessDuring = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false
  let longest = 0
  let lag = 0
  let due = performance.now() + 10
  const timer = setInterval(() => {
    lag = Math.max(lag, performance.now() - due)
    due = performance.now() + 10
  }, 10)
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    lag = 0
    const began = performance.now()
    expect((await parley.anyone.get('/health/live')).status).toBe(200)
    longest = Math.max(longest, performance.now() - began - lag)
    await pause(20)
  }
  clearInterval(timer)
  await done
  return longest
}

test(
  'survives a zip of 68 kB with 60 MB of lists, and answers all the while [P-1614]',
  async () => {
    const bomb = strToU8(`{"b":[${'[{}],'.repeat(4_000_000)}0],"a":[${'0,'.repeat(20_000_000)}0]}`)
    const zip = zipSync({ 'b.json': bomb }, { level: 9 })
    expect(zip.length).toBeLessThan(100_000)
    const project = await made('nluproject', { name: 'Bomba', locale: 'pt' })
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(zip)]), 'b.zip')
    const upload = admin.send('POST', `/nluproject/${project}/upload?dryrun=true`, { body })
    expect(await livenessDuring(upload)).toBeLessThan(LIVE_MS)
    expect((await upload).status).toBe(422)
  },
  LONG,
)

test('refuses a pattern whose check would take seconds, and answers all the while [P-1615]', async () => {
  const project = await made('nluproject', { name: 'Regex', locale: 'pt' })
  const fields = { nluproject: project, name: 'r', entity: 'r', pattern: `${'.{0,8}'.repeat(12)}x` }
  const asked = admin.post('/regex', fields)
  expect(await livenessDuring(asked)).toBeLessThan(LIVE_MS)
  expect(await asked).toMatchObject({ status: 422, body: { errors: [{ path: 'pattern', code: 'format' }] } })
})

test(
  'reads tests, stories and compose files with many keys apart from the main thread [P-1616]',
  async () => {
    const bot = await made('bot', { name: 'Chaves', hierarchylevel: levels.b })
    const keys = (count: number) => Array.from({ length: count }, (_, place) => `k${place}: 1`).join(', ')
    const file = `format: parley-test\nversion: 1\nname: t\ngiven: { ${keys(17_000)} }\nsteps:\n  - user: oi\n`
    const stories = `stories:\n- story: a\n  steps:\n  - user: oi\n    intent: a\n    x: { ${keys(80_000)} }\n`
    const compose = `services:\n  a:\n    image: x\n    labels: { ${keys(30_000)} }\n`
    const kept = admin.post('/conversationtest', { bot, name: 't', file })
    expect(await livenessDuring(kept)).toBeLessThan(LIVE_MS)
    expect((await kept).status).toBe(422)
    const began = performance.now()
    const read = admin.post(`/bot/${bot}/readtests`, { name: 's.yml', text: stories })
    expect(await livenessDuring(read)).toBeLessThan(LIVE_MS)
    expect([200, 413]).toContain((await read).status)
    expect(performance.now() - began).toBeLessThan(10_000)
    const { body: settings } = await admin.get('/deploymentsettings/deploymentsettings')
    const checked = admin.patch('/deploymentsettings/deploymentsettings', { compose_file: compose }, settings.revision)
    expect(await livenessDuring(checked)).toBeLessThan(LIVE_MS)
    expect((await checked).status).toBe(200)
  },
  LONG,
)
