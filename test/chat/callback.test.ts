import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { discard } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'

const ENV = { ALLOW_PRIVATE_ADDRESSES: 'true' }
const TOKEN = 'verify-token'
const SOON = { timeout: 20_000, interval: 50 }

interface Post {
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly conversation: string; readonly user: string; readonly message: { readonly text: string } }
}

/** Callback of the calling system: stores each post and answers as `answer` says. */
const posts: Post[] = []
const held: ServerResponse[] = []
let answer: 'taken' | 'refused' | 'held' = 'taken'
const callback = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  posts.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
  if (answer === 'held') held.push(response)
  else response.writeHead(answer === 'taken' ? 204 : 401).end()
})

callback.listen(0, '127.0.0.1')
await once(callback, 'listening')
let parley = await openParley({ env: ENV })
const admin = await parley.signIn()
const bot = (await makeChatBot(admin)).bot
const url = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/parley`
const given = { channel_verify_token: TOKEN, channel_password: 'callback-token', callback_url: url }
const made = await admin.post('/channel', { bot, type: 'rest', ...given })
expect(made.status, made.text).toBe(201)
const channel = made.body.id
afterAll(async () => {
  await discard(parley)
  callback.closeAllConnections()
  callback.close()
})

const write = (from: string, id: string, text: string, authorization = TOKEN) =>
  fetch(`${parley.origin}/rest/${channel}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ id, from, text }),
  })
const postsTo = (user: string) => posts.filter(({ body }) => body.user === user)
const textsTo = (user: string) => postsTo(user).map(({ body }) => body.message.text)

test('a call without the channel’s token begins nothing and tells nobody [D-3.1.21]', async () => {
  expect((await write('eva', 'x-1', 'oi', '')).status).toBe(401)
  expect((await write('eva', 'x-2', 'oi', 'guess')).status).toBe(401)
  expect(posts).toEqual([])
  expect((await admin.get(`/conversation?bot=${bot}&channel=${channel}`)).body.items).toEqual([])
  // Its callback is no address at which it takes messages.
  expect((await fetch(`${parley.origin}/channel/${channel}`, { method: 'POST', body: '{}' })).status).toBe(404)
})

test('sends answers to the callback with its token, in order, each with its own key [D-3.1.21]', async () => {
  const { conversation } = (await (await write('ana', 'a-1', 'oi')).json()) as { conversation: string }
  await write('ana', 'a-2', 'Ana')
  await vi.waitFor(() => expect(textsTo('ana')).toEqual(['Seu nome?', 'Oi, Ana', 'Seu nome?']), SOON)
  for (const { headers, body } of postsTo('ana')) {
    expect(headers.authorization).toBe('callback-token')
    expect(body).toMatchObject({ conversation, message: { from: 'bot', type: 'text' } })
  }
  const keys = postsTo('ana').map(({ headers }) => String(headers['idempotency-key']))
  expect(new Set(keys).size).toBe(3)
  expect(keys[0]).toMatch(new RegExp(`^${conversation}\\.[\\w-]+$`))
  // That the last one arrived is written down after its answer.
  await vi.waitFor(async () => {
    const { messages } = (await admin.get(`/conversation/${conversation}/transcript`)).body as unknown as {
      messages: readonly { readonly from: string; readonly delivery?: { readonly status: string } }[]
    }
    const told = messages.filter(({ from }) => from === 'bot').map(({ delivery }) => delivery?.status)
    expect(told).toEqual(['sent', 'sent', 'sent'])
  }, SOON)
})

test('delays a new post after a refusal of the callback [D-3.1.21] [P-1401]', async () => {
  answer = 'refused'
  const { conversation } = (await (await write('caio', 'c-1', 'oi')).json()) as { conversation: string }
  await vi.waitFor(async () => {
    const { text } = await admin.get(`/conversation/${conversation}/transcript`)
    expect(text).toContain('"status":"waiting"')
  }, SOON)
  expect(textsTo('caio')).toEqual(['Seu nome?'])
  answer = 'taken'
})

test('resumes a post after the gateway died, with the same key [D-3.1.21] [P-1401]', async () => {
  answer = 'held'
  await write('bia', 'b-1', 'oi')
  await vi.waitFor(() => expect(textsTo('bia')).toEqual(['Seu nome?']), SOON)
  await parley.kill()
  answer = 'taken'
  parley = await openParley({ env: ENV, folder: parley.folder })
  await vi.waitFor(() => expect(textsTo('bia')).toEqual(['Seu nome?', 'Seu nome?']), SOON)
  const [first, again] = postsTo('bia').map(({ headers }) => headers['idempotency-key'])
  expect(again).toBe(first)
  await write('bia', 'b-2', 'Bia')
  await vi.waitFor(() => expect(textsTo('bia').slice(2)).toEqual(['Oi, Bia', 'Seu nome?']), SOON)
}, 90_000)
