import { afterAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { bearer, SITE, startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'
import type { Script } from '../doubles/memory-conversations.ts'

const BUTTONS = [
  { id: '1', type: 'reply', title: 'Sim', value: 'sim' },
  { id: '2', type: 'postBack', title: 'Não', value: 'n' },
  { id: '3', type: 'openUrl', title: 'Site', value: 'https://example.com/' },
]
const CARD = { title: 'Um', subtitle: 'Dois', text: 'Três', image: 'https://example.com/a.png', thumbnail: false }

const script: Script = said => {
  if (said?.type === 'choice') return { say: [{ text: `pressed ${said.value} of ${said.of}` }] }
  if (said?.type === 'submit') return { say: [{ text: `submitted ${JSON.stringify(said.data)}` }] }
  if (said?.type === 'attachment') return { say: [{ text: `got ${said.attachments?.[0]?.name}` }] }
  if (said?.text === 'bye') return { say: [{ text: 'Tchau' }], ends: true }
  if (said?.text === 'cards')
    return {
      say: [
        { type: 'card', ...CARD, actions: BUTTONS },
        { type: 'card', ...CARD, thumbnail: true },
        {
          type: 'carousel',
          cards: [
            { ...CARD, actions: BUTTONS },
            { ...CARD, title: 'Outro', actions: [] },
          ],
        },
        { type: 'media', title: 'Som', text: '', url: 'https://example.com/a.mp3', kind: 'Audio', aspectRatio: '' },
        {
          type: 'receipt',
          family: 'facebook',
          receipt: { merchant_name: 'Loja', elements: [{ title: 'Pão', price: '2' }], summary: { total_cost: '2' } },
        },
        { type: 'adaptive', body: [{ type: 'Input.Text', id: 'cpf' }], actions: [], submit: true },
        { type: 'location', address: 'Av. Paulista', latitude: -23.5, longitude: -46.6 },
      ],
    }
  return { say: [{ text: `Eco ${said?.text}`, actions: BUTTONS, wait: { kind: 'confirm' } }] }
}

const SECRET = bearer(VERIFY_TOKEN)

const server = await startChatServer(script)
afterAll(async () => server.close())

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = SECRET) =>
  server.send(method, `/directline/web${path}`, body, headers)
const begin = async () => (await call('POST', '/tokens/generate', { user: { id: 'u1', name: 'Ana' } })).body
const activitiesAfter = async (id: string, token: string, watermark = '') =>
  (await call('GET', `/conversations/${id}/activities?watermark=${watermark}`, undefined, bearer(token))).body
const message = (id: string, token: string, activity: object) =>
  call('POST', `/conversations/${id}/activities`, { type: 'message', from: { id: 'u1' }, ...activity }, bearer(token))
const settled = (id: string) => server.conversations.settled(id, 2_000)

test('a conversation has the language of its body, else of its caller, else that of the bot [P-2826]', async () => {
  const localeOf = async (body: object, headers: object = {}) => {
    const { conversationId } = (await call('POST', '/tokens/generate', body, { ...SECRET, ...headers })).body
    return server.conversations.held.get(conversationId)?.begun.locale
  }
  const spanish = { 'accept-language': 'es-MX,en;q=0.5' }
  expect(await localeOf({ locale: 'en-US' }, spanish)).toBe('en')
  expect(await localeOf({ locale: 'fr' }, spanish)).toBe('es')
  expect(await localeOf({ locale: 'fr' }, { 'accept-language': 'fr' })).toBeUndefined()
  expect(await localeOf({}, { 'accept-language': '*' })).toBeUndefined()
})

test('gives a token for the secret, a conversation for the token, and its activities by watermark [R-78]', async () => {
  const generated = await begin()
  expect(generated).toEqual({ conversationId: expect.any(String), token: expect.any(String), expires_in: 1_800 })
  const { body } = await call('POST', '/conversations', { locale: 'pt-BR' }, bearer(generated.token))
  expect(body).toMatchObject({ conversationId: generated.conversationId, streamUrl: expect.stringMatching(/^ws:/) })
  const { conversationId: id, token } = body
  const sent = await message(id, token, { text: 'oi', channelData: { clientActivityID: 'c-1' } })
  expect([sent.status, sent.body]).toEqual([200, { id: 'c-1' }])
  await settled(id)
  const first = await activitiesAfter(id, token)
  expect(first.activities).toMatchObject([
    {
      type: 'message',
      id: 'c-1',
      text: 'oi',
      from: { id: 'u1', name: 'Ana' },
      channelData: { clientActivityID: 'c-1' },
    },
    {
      type: 'message',
      text: 'Eco oi',
      from: { role: 'bot' },
      inputHint: 'expectingInput',
      suggestedActions: {
        actions: [{ type: 'imBack', value: 'sim' }, { type: 'postBack', title: 'Não' }, { type: 'openUrl' }],
      },
    },
  ])
  expect(await activitiesAfter(id, token, first.watermark)).toEqual({ activities: [], watermark: first.watermark })
  await message(id, token, { text: 'oi', channelData: { clientActivityID: 'c-1' } })
  expect((await activitiesAfter(id, token, first.watermark)).activities).toEqual([])
  const { suggestedActions } = first.activities[1]
  await message(id, token, { value: suggestedActions.actions[1].value, channelData: { postBack: true } })
  await settled(id)
  expect((await activitiesAfter(id, token, first.watermark)).activities.at(-1).text).toBe(
    `pressed 2 of ${first.activities[1].id}`,
  )
})

test('draws cards, carousels, media, receipts and adaptive cards as Bot Framework has them [R-78]', async () => {
  const { conversationId: id, token } = await begin()
  await message(id, token, { text: 'cards' })
  await settled(id)
  const [, ...said] = (await activitiesAfter(id, token)).activities
  const kinds = said.map(({ attachments = [] }: { attachments?: { contentType: string }[] }) =>
    attachments.map(({ contentType }) => contentType.split('.').at(-1)),
  )
  expect(kinds).toEqual([['hero'], ['thumbnail'], ['hero', 'hero'], ['audio'], ['receipt'], ['adaptive'], []])
  expect(said[0].attachments[0].content).toMatchObject({
    title: 'Um',
    images: [{ url: 'https://example.com/a.png' }],
    buttons: [{ type: 'imBack', value: 'sim' }, { type: 'postBack', displayText: 'Não' }, { type: 'openUrl' }],
  })
  expect(said[2].attachmentLayout).toBe('carousel')
  expect(said[4].attachments[0].content).toMatchObject({
    title: 'Loja',
    items: [{ title: 'Pão', price: '2' }],
    total: '2',
  })
  const { id: card } = said[5]
  const named = { data: { parleyMessage: card } }
  expect(said[5].attachments[0].content.actions).toEqual([{ type: 'Action.Submit', title: 'OK', ...named }])
  expect(said[6].entities[0]).toMatchObject({ type: 'Place', geo: { latitude: -23.5 } })
  await message(id, token, { value: { cpf: '529' } })
  await settled(id)
  expect((await activitiesAfter(id, token)).activities.at(-1).text).toBe('submitted {"cpf":"529"}')
})

test('streams activity sets to a socket whose address is good for a minute [R-78]', async () => {
  const { conversationId: id, token } = await begin()
  const { streamUrl } = (await call('POST', '/conversations', {}, bearer(token))).body
  expect(streamUrl).not.toContain(token)
  const socket = new WebSocket(streamUrl)
  const sets: { activities: { type: string; text?: string }[]; watermark: string }[] = []
  socket.on('message', data => sets.push(JSON.parse(String(data))))
  await new Promise(resolve => socket.once('open', resolve))
  await message(id, token, { text: 'bye' })
  const seen = () => sets.flatMap(({ activities }) => activities)
  await vi.waitFor(() => expect(seen().at(-1)?.type).toBe('endOfConversation'), 5_000)
  expect(seen().flatMap(({ text }) => text ?? [])).toEqual(['bye', 'Tchau'])
  expect(seen().some(({ type }) => type === 'typing')).toBe(true)
  socket.close()
  const polled = await activitiesAfter(id, token)
  expect(polled.activities.at(-1).type).toBe('endOfConversation')
  expect((await activitiesAfter(id, token, polled.watermark)).activities).toEqual([])
  const path = `/conversations/${id}?watermark=${sets.find(({ activities }) => activities[0]?.text === 'bye')?.watermark}`
  const again = (await call('GET', path, undefined, bearer(token))).body
  const later = new WebSocket(again.streamUrl)
  const [rest] = await new Promise<string[]>(resolve => later.once('message', data => resolve([String(data)])))
  expect(JSON.parse(String(rest)).activities[0].text).toBe('Tchau')
  later.close()
  server.later(61_000)
  const late = new WebSocket(streamUrl)
  expect(await new Promise(resolve => late.once('close', resolve))).toBe(4401)
  server.later(-61_000)
})

test('takes files with their activity, typing, events and the end [R-78]', async () => {
  const { conversationId: id, token } = await begin()
  const form = new FormData()
  const activity = JSON.stringify({ type: 'message', text: 'veja', channelData: { clientActivityID: 'f-1' } })
  form.append('activity', new Blob([activity], { type: 'application/vnd.microsoft.activity' }))
  form.append('file', new Blob(['olá']), 'nota.txt')
  const sent = await call('POST', `/conversations/${id}/upload?userId=u1`, form, bearer(token))
  expect([sent.status, sent.body]).toEqual([200, { id: 'f-1' }])
  await settled(id)
  const { activities } = await activitiesAfter(id, token)
  expect(activities[0]).toMatchObject({ text: 'veja', attachments: [{ name: 'nota.txt', contentType: 'text/plain' }] })
  expect(activities[1].text).toBe('got nota.txt')
  for (const type of ['typing', 'event'])
    expect((await call('POST', `/conversations/${id}/activities`, { type, name: 'x' }, bearer(token))).status).toBe(200)
  expect((await activitiesAfter(id, token)).activities).toHaveLength(2)
  expect(
    (await call('POST', `/conversations/${id}/activities`, { type: 'endOfConversation' }, bearer(token))).status,
  ).toBe(200)
  expect((await message(id, token, { text: 'oi' })).body.code).toBe('chat.ended')
})

test('renews tokens, tells old ones by 403, and opens nothing with those of others [R-78] [P-528]', async () => {
  const [mine, theirs] = [await begin(), await begin()]
  const get = (id: string, headers: Record<string, string>, channel = 'web') =>
    server.send('GET', `/directline/${channel}/conversations/${id}/activities`, undefined, headers)
  expect((await get(theirs.conversationId, bearer(mine.token))).status).toBe(404)
  expect((await get(mine.conversationId, {})).status).toBe(401)
  expect((await get(mine.conversationId, bearer('guess'))).status).toBe(403)
  expect((await get(mine.conversationId, SECRET)).status).toBe(200)
  server.channels.set('other', { ...server.channels.get('web'), id: 'other', verifyToken: 'other' } as never)
  expect((await get(mine.conversationId, bearer(mine.token), 'other')).status).toBe(403)
  expect((await get(mine.conversationId, bearer('other'), 'other')).status).toBe(404)
  expect((await get(mine.conversationId, { ...bearer(mine.token), origin: 'https://evil.example' })).status).toBe(403)
  expect((await call('POST', '/tokens/generate', {}, bearer(mine.token))).status).toBe(403)
  expect((await server.send('POST', '/directline/closed/tokens/generate', {}, SECRET)).body.code).toBe('chat.disabled')
  server.later(1_801_000)
  expect((await get(mine.conversationId, bearer(mine.token))).status).toBe(403)
  const renewed = await call('POST', '/tokens/refresh', undefined, bearer(mine.token))
  expect(renewed.body).toMatchObject({ conversationId: mine.conversationId, expires_in: 1_800 })
  expect((await get(mine.conversationId, bearer(renewed.body.token))).status).toBe(200)
  server.later(-1_801_000)
  const preflight = await server.send('OPTIONS', '/directline/web/conversations', undefined, { origin: SITE })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('x-ms-bot-agent'),
  ])
})
