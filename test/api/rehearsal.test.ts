import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dayIn } from '#domain/metrics/conversation-fact.ts'
import { rehearsedDays } from '#gateway/routes/rehearsal.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { makeFlowBot, NAME_AND_AGE } from './chat-bot.ts'
import { type Client, discard, type Parley } from './harness.ts'
import { openChat } from './open-chat.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

type Rehearsal = AnswerOf<'GET /rehearsal/{id}'>

const FLOW = NAME_AND_AGE
const OPERATORS = FLOW.operators
/** The age leads elsewhere. */
const ELSEWHERE = {
  ...FLOW,
  operators: { ...OPERATORS, club: plainBlock('text', 400, { text: 'Bem-vindo ao clube' }) },
  links: { a: link('start', 'name'), b: link('name', 'age'), c: link('age', 'club') },
}
/** A question before the age. */
const ASKS = {
  ...FLOW,
  operators: {
    ...OPERATORS,
    city: plainBlock('prompt', 150, { varname: 'cidade', data: { type: 'text', text: 'Onde?' } }),
  },
  links: { a: link('start', 'name'), b: link('name', 'city'), c: link('city', 'age'), d: link('age', 'bye') },
}
/** A service before the age. */
const CALLS = {
  ...FLOW,
  operators: { ...OPERATORS, find: plainBlock('restservice', 150, { methodType: 'get', url: 'https://localhost/x' }) },
  links: { a: link('start', 'name'), b: link('name', 'find'), c: link('find', 'age'), d: link('age', 'bye') },
}
/** The question for the name is left out. */
const SHORTER = {
  ...FLOW,
  operators: { start: OPERATORS.start, age: OPERATORS.age, bye: OPERATORS.bye },
  links: { a: link('start', 'age'), c: link('age', 'bye') },
}

const FULL = 6
const LEFT = 2

let parley: Parley
let admin: Client
let editor: Client
let clerk: Client
let outsider: Client
let bot: string
let dialog: string
let channel: string
let first: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  const north = await level(admin, 'Ensaios')
  // In its time zone the next day begins up to 17 hours before it does in the console's.
  const own = { name: 'Lia', hierarchylevel: north, timezone: 'Pacific/Kiritimati' }
  ;({ bot, dialog, channel } = await makeFlowBot(admin, own, FLOW))
  const actions = ['readbot', 'readdialog', 'readdialogtask']
  editor = (await person(parley, admin, { username: 'iva', level: north, actions: [...actions, 'updatedialog'] }))
    .client
  clerk = (await person(parley, admin, { username: 'ugo', level: north, actions })).client
  const south = await level(admin, 'Longe')
  outsider = (await person(parley, admin, { username: 'ema', level: south, actions: [...actions, 'updatedialog'] }))
    .client
  first = await openChat(parley.origin, channel, ['Ana', '30'])
  for (let more = 1; more < FULL; more += 1) await openChat(parley.origin, channel, ['Ana', '30'])
  for (let more = 0; more < LEFT; more += 1) await openChat(parley.origin, channel, ['Bia'])
  const all = FULL + LEFT
  await vi.waitFor(async () => expect((await admin.get(`/conversation?bot=${bot}`)).body.total).toBe(all))
})
afterAll(() => discard(parley))

test('rehearses conversations of a day that has begun in the time zone of the bot alone [P-2868]', () => {
  // Noon in London, nine in São Paulo: the first hours of the next day in Kiritimati.
  const now = Date.parse('2026-12-31T12:00:00Z')
  expect(dayIn(now, 'Pacific/Kiritimati')).toBe('2027-01-01')
  expect(rehearsedDays(now)).toEqual({ from: '2025-12-30', to: '2027-01-01' })
})

test('counts of blocks and of the desk are found by the days of a bot in any time zone [P-2827]', async () => {
  // At any hour, today's date in one of these zones differs from that in São Paulo.
  const now = Date.now()
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
  const timezone = dayIn(now, east) === dayIn(now, 'America/Sao_Paulo') ? west : east
  const { revision } = (await admin.get(`/bot/${bot}`)).body
  expect((await admin.patch(`/bot/${bot}`, { timezone }, Number(revision))).status).toBe(200)
  const day = dayIn(now, timezone)
  const found = { timezone, from: day, to: day, questions: { answered: 2 * FULL + LEFT, invalid: 0 } }
  await vi.waitFor(async () =>
    expect((await admin.get(`/bot/${bot}/metrics?from=${day}&to=${day}`)).body).toMatchObject(found),
  )
})

const rehearse = async (client: Client, flow?: object): Promise<Rehearsal> => {
  if (flow !== undefined) expect((await admin.put(`/dialog/${dialog}/flow`, flow)).status).toBe(200)
  const begun = await client.post(`/bot/${bot}/rehearsal`, { dialogs: [dialog] })
  expect(begun.status).toBe(201)
  const { rehearsal } = begun.body as unknown as Rehearsal
  return vi.waitFor(
    async () => {
      const { body } = await client.get(`/rehearsal/${rehearsal}`)
      expect(body).toMatchObject({ state: 'done' })
      return body as unknown as Rehearsal
    },
    { timeout: 50_000, interval: 200 },
  )
}

test('a draft that equals what is published changes no conversation [P-2522]', async () => {
  const found = await rehearse(admin, FLOW)
  expect(found).toMatchObject({ total: 8, done: 8, same: 8, ways: 0, elsewhere: 0, unknown: [], groups: [] })
})

test('groups the conversations that would end elsewhere by the block behind which their paths part [P-2523]', async () => {
  const found = await rehearse(admin, ELSEWHERE)
  expect(found).toMatchObject({ total: 8, done: 8, same: LEFT, elsewhere: FULL, unknown: [], words: true })
  const [group] = found.groups
  expect(found.groups).toHaveLength(1)
  expect(group).toMatchObject({
    n: 1,
    parts: { dialog, block: 'age', type: 'prompt' },
    today: { kind: 'over', at: { block: 'bye' } },
    after: { kind: 'over', at: { block: 'club' } },
    count: FULL,
    lost: false,
  })
  expect(group?.conversations.map(({ id }) => id)).toContain(first)
  const { ways } = (await admin.get(`/rehearsal/${found.rehearsal}/ways?group=1`))
    .body as unknown as AnswerOf<'GET /rehearsal/{id}/ways'>
  expect(Object.fromEntries(ways.map(({ block, out, today, after }) => [`${block} ${out}`, [today, after]]))).toEqual({
    'start output_1': [FULL, FULL],
    'name null': [FULL, FULL],
    'name output_1': [FULL, FULL],
    'age null': [FULL, FULL],
    'age output_1': [FULL, FULL],
    'bye output_1': [FULL, 0],
    'club output_1': [0, FULL],
  })

  const readers = `/conversation/${first}/readers`
  const opened = await admin.get(`/rehearsal/${found.rehearsal}/conversation?conversation=${first}`)
  const { today, after, ...shown } = opened.body as unknown as AnswerOf<'GET /rehearsal/{id}/conversation'>
  expect(shown).toMatchObject({ conversation: first, outcome: 'elsewhere', why: null, parts: { block: 'age' } })
  const said = (turns: typeof today.turns) =>
    turns.map(turn => [turn.input, ...turn.said.map(({ content }) => (content as { text: string }).text)])
  expect(said(today.turns)).toEqual([
    [null, 'Seu nome?'],
    ['Ana', 'Sua idade?'],
    ['30', 'Até logo, Ana'],
  ])
  expect(said(after.turns).at(-1)).toEqual(['30', 'Bem-vindo ao clube'])
  // The list of readers follows the log.
  await expect
    .poll(async () => (await admin.get(readers)).body.items)
    .toMatchObject([{ action: 'opened', conversation: first }])
})

test('says that an end is not known where the draft asks or calls for what is not on record [P-2524]', async () => {
  expect(await rehearse(admin, ASKS)).toMatchObject({
    same: 0,
    elsewhere: 0,
    unknown: [{ why: 'question', count: FULL + LEFT }],
  })
  expect(await rehearse(admin, CALLS)).toMatchObject({
    same: 0,
    elsewhere: 0,
    unknown: [{ why: 'call', count: FULL + LEFT }],
  })
})

test('gives a question the answer that was given to it, in any order of the draft [P-2525]', async () => {
  const found = await rehearse(admin, SHORTER)
  // The age stays unanswered in the draft where it was unanswered.
  expect(found).toMatchObject({ same: 0, ways: FULL + LEFT, elsewhere: 0, unknown: [] })
})

test('shows counts of five and more alone to callers who may not read conversations [P-2526]', async () => {
  const found = await rehearse(editor, ELSEWHERE)
  expect(found).toMatchObject({ words: false, total: 5, done: 5, same: null, elsewhere: 5 })
  expect(found.groups).toMatchObject([{ count: 5, conversations: [] }])
  const path = `/rehearsal/${found.rehearsal}`
  expect((await editor.get(`${path}/conversation?conversation=${first}`)).status).toBe(403)
  expect((await editor.get(`${path}/ways?group=1`)).status).toBe(200)
  expect((await editor.get(`${path}/ways?group=2`)).status).toBe(404)
  // It belongs to the person who began it.
  expect((await admin.get(path)).status).toBe(404)
  expect((await clerk.get(path)).status).toBe(403)
  expect((await clerk.post(`/bot/${bot}/rehearsal`, {})).status).toBe(403)
  expect((await outsider.post(`/bot/${bot}/rehearsal`, {})).status).toBe(404)
})

test('a person has one rehearsal at a time, which can be stopped with its result so far [P-2527]', async () => {
  const begin = async () => (await admin.post(`/bot/${bot}/rehearsal`, {})).body as unknown as Rehearsal
  const one = await begin()
  const other = await begin()
  expect((await admin.get(`/rehearsal/${one.rehearsal}`)).status).toBe(404)
  const stopped = await admin.post(`/rehearsal/${other.rehearsal}/stop`)
  expect(stopped.status).toBe(200)
  const { state, done, total } = stopped.body as unknown as Rehearsal
  expect(['stopped', 'done']).toContain(state)
  expect(done).toBeLessThanOrEqual(total ?? 0)
  expect((await admin.get(`/rehearsal/${other.rehearsal}`)).body).toMatchObject({ state, done })
})

test('runs a conversation with the recorded answer of its service and the result of its script [P-2529]', async () => {
  const operators = {
    start: plainBlock('start', 0),
    age: plainBlock('prompt', 100, { varname: 'idade', data: { type: 'number', text: 'Sua idade?' } }),
    double: plainBlock('handler', 200, {
      quickscript: true,
      js: 'const run = age => ({ dobro: age * 2, when: Date.now() })',
      handlerparameters: ['idade'],
      resultVariable: 'conta',
    }),
    // The address is refused without a call.
    find: plainBlock('restservice', 300, {
      methodType: 'get',
      url: 'https://127.0.0.1/{{idade}}',
      errorVariable: 'erro',
    }),
    found: plainBlock('text', 400, { text: 'Achei' }),
    missing: plainBlock('text', 500, { text: '{{conta.dobro}} {{erro.code}}' }),
    other: plainBlock('text', 600, { text: 'Outro: {{conta.dobro}} {{erro.code}}' }),
  }
  const to = (end: string) => ({
    format: 'parley-flow',
    version: 1,
    operators,
    links: {
      a: link('start', 'age'),
      b: link('age', 'double'),
      c: link('double', 'find'),
      d: link('find', 'found'),
      e: link('find', end, 'output_error'),
    },
  })
  const lia = (await admin.get(`/bot/${bot}`)).body
  const fields = { name: 'Rui', hierarchylevel: lia.hierarchylevel }
  const { bot: caller, dialog: search, channel: chat } = await makeFlowBot(admin, fields, to('missing'))
  const id = await openChat(parley.origin, chat, ['21'])
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ turns: 2 }))
  expect((await admin.put(`/dialog/${search}/flow`, to('other'))).status).toBe(200)
  const found = await vi.waitFor(
    async () => {
      const begun = (await admin.post(`/bot/${caller}/rehearsal`, { dialogs: [search] })).body as unknown as Rehearsal
      expect(begun.total).toBe(1)
      return vi.waitFor(
        async () => {
          const { body } = await admin.get(`/rehearsal/${begun.rehearsal}`)
          expect(body).toMatchObject({ state: 'done' })
          return body as unknown as Rehearsal
        },
        { timeout: 40_000, interval: 200 },
      )
    },
    { timeout: 50_000, interval: 200 },
  )
  expect(found).toMatchObject({ done: 1, elsewhere: 1, unknown: [] })
  const { today, after } = (await admin.get(`/rehearsal/${found.rehearsal}/conversation?conversation=${id}`))
    .body as unknown as AnswerOf<'GET /rehearsal/{id}/conversation'>
  const last = ({ turns }: typeof today) => turns.at(-1)?.said.map(({ content }) => (content as { text: string }).text)
  const [said] = last(today) ?? []
  expect(said).toMatch(/^42 \w+/u)
  expect(last(after)).toEqual([`Outro: ${said}`])
})
