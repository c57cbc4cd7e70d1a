import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'

/** Longer than any computer lives. */
const BOMB = '$match($join([1..60].("a")) & "b", /^(a+)+$/)'
const SCRIPT = '<img src=x onerror=alert(1)>'

/** Calls that reached what nobody outside may reach. */
let reached = 0

const inside = createServer((_, answer) => {
  reached += 1
  answer.end('{"secret":"internal"}')
})
await new Promise<void>(resolve => inside.listen(0, '127.0.0.1', resolve))
const { port } = inside.address() as AddressInfo
const { parley, admin } = await openAdmin()
const made = (entity: string, fields: object) => admin.create(entity, fields)
const { bot, task, dialog } = await admin.createDialog({ name: 'Bia', expressionparser: 'JsonAta' }, 'Tudo', 'Tudo')
const call = (top: number, url: string) =>
  plainBlock('restservice', top, { methodType: 'get', url, retries: 0, resultVariable: 'r', errorVariable: 'e' })
const flow = {
  format: 'parley-flow',
  version: 1,
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 90, {
      varname: 'quer',
      data: {
        type: 'choice',
        text: 'Qual?',
        options: ['Rede', 'Bomba', 'Sair'].map(label => ({ label, value: label })),
      },
    }),
    which: plainBlock('condition', 180, {
      conditions: ['Rede', 'Bomba'].map((value, n) => ({
        id: `output_${n + 1}`,
        match: 'and',
        rules: [{ source: 'input', comparison: 'equals', datatype: 'string', values: [value] }],
      })),
    }),
    named: call(270, `http://localhost:${port}/`),
    numbered: call(360, `http://127.0.0.1:${port}/`),
    mapped: call(450, `http://[::ffff:127.0.0.1]:${port}/`),
    metadata: call(540, 'http://169.254.169.254/latest/meta-data/'),
    told: plainBlock('text', 630, { text: 'Erro {{e.code}}' }),
    bomb: plainBlock('text', 270, { text: `Antes {{${BOMB}}} depois` }),
    again: plainBlock('gotonodesrc', 720, { destination: 'here' }),
    here: plainBlock('gotonodedest', 810),
    bye: plainBlock('text', 270, { text: 'Tchau' }),
  },
  links: {
    a: link('start', 'ask'),
    b: link('here', 'ask'),
    c: link('ask', 'which'),
    d: link('which', 'named', 'output_1'),
    e: link('which', 'bomb', 'output_2'),
    f: link('which', 'bye', 'output_default'),
    g: link('named', 'numbered', 'output_error'),
    h: link('numbered', 'mapped', 'output_error'),
    i: link('mapped', 'metadata', 'output_error'),
    j: link('metadata', 'told', 'output_error'),
    k: link('told', 'again'),
    l: link('bomb', 'again'),
  },
}
expect((await admin.put(`/dialog/${dialog}/flow`, flow)).status).toBe(200)
expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
await admin.patch(`/bot/${bot}`, { defaultdialogtask: task, disable_buttons_from_previous_messages: true }, 1)
const channel = await made('channel', { bot, type: 'webchat' })
expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
afterAll(async () => {
  inside.close()
})

/** Messages without the members of their type [P-1731]. */
const INCOMPLETE: readonly object[] = [
  ...[{}, { type: 'text' }, { type: 'text', text: '  ' }, { value: 'x' }],
  ...[{ type: 'choice' }, { type: 'choice', of: '1' }, { type: 'choice', value: '1' }],
  ...[{ type: 'location' }, { type: 'location', data: {} }, { type: 'location', data: { latitude: 91, longitude: 0 } }],
  ...[{ type: 'attachment' }, { type: 'attachment', attachments: [] }, { type: 'order' }, { type: 'submit' }],
  ...[{ type: 'menu' }, { type: 'menu', value: 'nosuch' }],
]

interface Message {
  readonly id: string
  readonly from: string
  readonly text: string
  readonly actions: readonly { readonly id: string; readonly title: string }[]
}
interface Chat {
  readonly conversation: string
  readonly token: string
}

const send = async (path: string, body?: object, token = '', method = body === undefined ? 'GET' : 'POST') => {
  const answer = await fetch(parley.origin + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, never> }
}
const opened = async (user: object = { name: 'Ana' }) =>
  (await send(`/chat/${channel}/conversations`, { user })).body as unknown as Chat
const say = ({ conversation, token }: Chat, message: object) =>
  send(`/chat/conversations/${conversation}/messages`, { id: crypto.randomUUID(), ...message }, token)
const messagesOf = async ({ conversation, token }: Chat): Promise<readonly Message[]> => {
  for (;;) {
    const { body } = await send(`/chat/conversations/${conversation}/messages?after=`, undefined, token)
    if (String(body.state) !== 'active') return body.messages as unknown as readonly Message[]
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
const press = async (chat: Chat, title: string, id = crypto.randomUUID()) => {
  const asked = (await messagesOf(chat)).findLast(({ actions }) => actions.length > 0)
  const action = asked?.actions.find(one => one.title === title)
  return { of: asked?.id, value: action?.id, id, type: 'choice' }
}

test('blocks calls of a started bot to this computer and its network, and reports it to the flow [R-45] [P-987]', async () => {
  const chat = await opened()
  expect((await say(chat, await press(chat, 'Rede'))).status).toBe(202)
  const said = (await messagesOf(chat)).map(({ text }) => text)
  expect(said.at(-2)).toMatch(/^Erro outbound\./u)
  expect(said.join()).not.toContain('internal')
  expect(reached).toBe(0)
})

test('an expression without an end ends its text and nothing else: others are answered meanwhile [R-14] [P-987]', async () => {
  const [chat, other] = [await opened(), await opened()]
  expect((await say(chat, await press(chat, 'Bomba'))).status).toBe(202)
  const began = ownClock(parley.pid)
  expect((await send(`/chat/conversations/${other.conversation}/messages?after=`, undefined, other.token)).status).toBe(
    200,
  )
  expect(ownClock(parley.pid) - began).toBeLessThan(900)
  expect((await messagesOf(chat)).map(({ text }) => text).slice(-2)).toEqual(['Antes  depois', 'Qual?'])
})

test('a button is pressed once: sent again, of an older message, of another chat and made up [R-53] [R-62] [P-987]', async () => {
  const [chat, other] = [await opened(), await opened()]
  const first = await press(chat, 'Bomba')
  const taken = await Promise.all(Array.from({ length: 5 }, () => say(chat, first)))
  expect(new Set(taken.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  const before = await messagesOf(chat)
  expect(before.filter(({ text }) => text === 'Antes  depois')).toHaveLength(1)
  for (const stale of [
    { ...first, id: 'again' },
    { ...(await press(chat, 'Rede')), value: '999', id: 'made-up' },
  ])
    expect(await say(chat, stale)).toMatchObject({ status: 409, body: { code: 'chat.stale' } })
  const foreign = { ...(await press(other, 'Sair')), of: '4711', id: 'foreign' }
  expect(await say(chat, foreign)).toMatchObject({ status: 409, body: { code: 'chat.stale' } })
  expect(await messagesOf(chat)).toEqual(before)
})

test('rejects messages that are too large or malformed [R-74] [P-987] [P-1731]', async () => {
  const chat = await opened()
  const before = await messagesOf(chat)
  const many = Array.from({ length: 1000 }, (_, n) => `f${n}`)
  const deep = Array.from({ length: 2000 }).reduce<unknown>(inner => [inner], 0)
  const refused: readonly (readonly [object, readonly number[]])[] = [
    [{ type: 'text', text: 'a'.repeat(4001) }, [413]],
    [{ type: 'choice', of: '1', value: 'a'.repeat(4001) }, [413]],
    [{ type: 'submit', data: { a: 'a'.repeat(17_000) } }, [413]],
    [{ type: 'submit', data: deep }, [400, 413, 422]],
    [{ type: 'text', text: 'a', id: 'a'.repeat(10_000) }, [413, 422]],
    [{ type: 'attachment', attachments: many }, [413, 422]],
    [{ type: 'attachment', attachments: ['../../../etc/passwd'] }, [422]],
    [{ type: 'evaluate', text: '1' }, [422]],
    [{ type: 'text', text: 'a', from: 'bot' }, [422]],
    ...INCOMPLETE.map((message): readonly [object, readonly number[]] => [message, [422]]),
    [{ type: 'text', text: 'a'.repeat(3_000_000) }, [413]],
  ]
  for (const [message, statuses] of refused)
    expect(statuses, JSON.stringify(message).slice(0, 60)).toContain((await say(chat, message)).status)
  expect(await messagesOf(chat)).toEqual(before)
  const opens: readonly object[] = [
    { name: 'a'.repeat(100_000) },
    { id: 'x'.repeat(100_000) },
    { data: { a: 'a'.repeat(100_000) } },
  ]
  for (const user of opens)
    expect([413, 422]).toContain((await send(`/chat/${channel}/conversations`, { user })).status)
})

test('a conversation that is guessed is not there, and neither is one with the token of another [R-76] [P-987]', async () => {
  const [mine, theirs] = [await opened(), await opened()]
  for (const conversation of [theirs.conversation, crypto.randomUUID(), '..%2f..', "' OR 1=1"])
    expect([400, 404, 422]).toContain(
      (await say({ conversation, token: mine.token }, { type: 'text', text: 'a' })).status,
    )
  expect(await messagesOf(theirs)).toHaveLength(1)
  // Its id alone opens nothing in the console either.
  const anyone = await parley.anyone.get(`/conversation/${theirs.conversation}/replay`)
  expect(anyone.status).toBe(401)
})

test('scripts in a name and in words come to the console as words [P-522] [P-987]', async () => {
  const chat = await opened({ name: SCRIPT })
  await say(chat, { type: 'text', text: SCRIPT })
  await messagesOf(chat)
  await vi.waitFor(async () => {
    const { status, headers, body } = await admin.get(`/conversation?bot=${bot}&search=${chat.conversation}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.items).toMatchObject([{ name: SCRIPT }])
  })
  const transcript = await admin.get(`/conversation/${chat.conversation}/transcript?format=text`)
  expect(transcript.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(transcript.headers.get('x-content-type-options')).toBe('nosniff')
})
