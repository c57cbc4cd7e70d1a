import { afterAll, expect, test } from 'vitest'
import { startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'
import type { Script } from '../doubles/memory-conversations.ts'

const script: Script = said => {
  if (said?.text === 'slow') return { say: [{ text: 'late' }], ms: 400 }
  if (said?.text === 'bye') return { say: [{ text: 'Tchau' }], ends: true }
  return { say: [{ text: `Eco ${said?.text ?? said?.value}` }, { text: 'E agora?' }], wait: { kind: 'text' } }
}

const server = await startChatServer(script, { limits: { restWaitMs: 150 } })
afterAll(() => server.close())

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
