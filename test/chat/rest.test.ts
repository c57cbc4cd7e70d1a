import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChatServer, startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'
import type { Script } from '../doubles/memory-conversations.ts'

const script: Script = said => {
  if (said?.text === 'slow') return { say: [{ text: 'late' }], ms: 400 }
  if (said?.text === 'bye') return { say: [{ text: 'Tchau' }], ends: true }
  return { say: [{ text: `Eco ${said?.text ?? said?.value}` }, { text: 'E agora?' }], wait: { kind: 'text' } }
}

let server: ChatServer
/** What the other system's callback got; it refuses the first `failing` posts. */
const posts: {
  headers: IncomingHttpHeaders
  body: { conversation: string; user: string; message: { text: string } }
}[] = []
let failing = 0
const callback = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  posts.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
  failing -= 1
  response.writeHead(failing >= 0 ? 503 : 204).end()
})

beforeAll(async () => {
  callback.listen(0, '127.0.0.1')
  await once(callback, 'listening')
  const callbackUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/parley`
  server = await startChatServer(script, {
    limits: { restWaitMs: 150, retryMs: [0, 30, 30, 30, 30] },
    channels: [{ id: 'calling', type: 'rest', callbackUrl, password: 'callback-password' }],
  })
})
afterAll(async () => {
  await server.close()
  callback.close()
})

const AUTHORIZED = { authorization: VERIFY_TOKEN }
const post = (body: object, headers: Record<string, string> = AUTHORIZED, channel = 'api') =>
  server.send('POST', `/rest/${channel}`, body, headers)
const textsOf = (messages: readonly { text: string }[]) => messages.map(({ text }) => text)

test('answers a message with what the bot says to it, in the conversation of its person [R-79]', async () => {
  const first = await post({ id: 'a-1', from: 'ana', text: 'oi' })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({ conversation: expect.any(String), state: 'waiting', wait: { kind: 'text' } })
  expect(textsOf(first.body.messages)).toEqual(['Eco oi', 'E agora?'])
  const second = await post({ id: 'a-2', from: { id: 'ana', name: 'Ana' }, type: 'menu', value: 'x' })
  expect(second.body.conversation).toBe(first.body.conversation)
  expect(textsOf(second.body.messages)).toEqual(['Eco x', 'E agora?'])
  const other = await post({ id: 'b-1', from: 'bia', text: 'oi' }, { authorization: `Bearer ${VERIFY_TOKEN}` })
  expect(other.body.conversation).not.toBe(first.body.conversation)
})

test('answers the same to a message that is sent twice, after the end of its conversation too [R-62] [R-79]', async () => {
  const message = { id: 'c-1', from: 'caio', text: 'bye' }
  const [first, twin] = await Promise.all([post(message), post(message)])
  const again = await post(message)
  expect(textsOf(first.body.messages)).toEqual(['Tchau'])
  expect(twin.body).toEqual(first.body)
  expect(again.body).toEqual(first.body)
  expect(first.body.state).toBe('ended')
  const next = await post({ id: 'c-2', from: 'caio', text: 'oi' })
  expect(next.body.conversation).not.toBe(first.body.conversation)
})

test('answers 202 when the turn takes longer, and refuses hasty, large and malformed messages [R-79]', async () => {
  const slow = await post({ id: 'd-1', from: 'davi', text: 'slow' })
  expect([slow.status, slow.body.state, slow.body.messages]).toEqual([202, 'active', undefined])
  expect((await post({ id: 'd-2', from: 'davi', text: 'a'.repeat(4_001) })).status).toBe(413)
  expect((await post({ id: 'd-3', from: 'davi', data: 'a'.repeat(17_000) })).status).toBe(413)
  expect((await post({ from: 'davi', text: 'a' })).status).toBe(422)
  const answers = await Promise.all(
    Array.from({ length: 21 }, (_, n) => post({ id: `e-${n}`, from: 'eva', text: 'oi' })),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
})

test('lets in who has the verify token of an enabled REST channel alone [R-79] [P-527]', async () => {
  const body = { id: 'f-1', from: 'fabio', text: 'oi' }
  for (const headers of [{}, { authorization: 'guess' }, { authorization: `${VERIFY_TOKEN}x` }, { authorization: '' }])
    expect((await post(body, headers as Record<string, string>)).body.code).toBe('chat.token')
  for (const channel of ['nowhere', 'web', 'closed']) expect((await post(body, AUTHORIZED, channel)).status).toBe(401)
  for (let n = 0; n < 60; n++) await post(body, { authorization: 'guess' })
  expect((await post(body, { authorization: 'guess' })).status).toBe(429)
})

test('posts every message to the callback in order, again when it is not taken [R-79]', async () => {
  const calling = await startChatServer(script, {
    limits: { retryMs: [0, 30, 30, 30, 30] },
    channels: [server.channels.get('calling') ?? {}],
  })
  try {
    failing = 2
    const path = '/rest/calling'
    const { body } = await calling.send('POST', path, { id: 'g-1', from: 'gil', text: 'oi' }, AUTHORIZED)
    const said = () => posts.map(post => post.body.message.text)
    await vi.waitFor(() => expect(said()).toEqual(['Eco oi', 'Eco oi', 'Eco oi', 'E agora?']), 5_000)
    const [first, ...rest] = posts
    expect(first?.headers.authorization).toBe('callback-password')
    expect(first?.body).toMatchObject({ conversation: body.conversation, user: 'gil', message: { from: 'bot' } })
    expect(rest[0]?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(rest[2]?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
    calling.conversations.say(body.conversation, { text: 'lembrete' })
    await vi.waitFor(() => expect(said().at(-1)).toBe('lembrete'), 5_000)
    failing = 5
    calling.conversations.say(body.conversation, { text: 'perdida' }, { text: 'depois' })
    await vi.waitFor(() => expect(said().at(-1)).toBe('depois'), 5_000)
    expect(said().filter(text => text === 'perdida')).toHaveLength(5)
    expect(calling.lines.join('')).toContain('a callback did not take a message')
    expect(calling.lines.join('')).not.toContain('callback-password')
  } finally {
    await calling.close()
  }
})
