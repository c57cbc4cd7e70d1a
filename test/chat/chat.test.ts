import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { ASK_NAME, bearer, type ChatServer, startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'

const server = await startChatServer(ASK_NAME, { settings: { UPLOAD_MB_CHAT: '1' } })
afterAll(async () => server.close())

const say: ChatServer['say'] = (...given) => server.say(...given)
const opened = async (body: object = {}) => (await server.open(body)).body
const until = async (conversation: string) => server.conversations.settled(conversation, 2_000)

test('opens a conversation with its first message and returns the expected input [R-73] [P-2826]', async () => {
  const { status, body } = await server.open({ user: { name: 'Ana' }, locale: 'pt', payload: 'promo' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    stream: `${server.url.replace('http', 'ws')}/chat/conversations/${body.conversation}/stream`,
    state: 'waiting',
    wait: { kind: 'text' },
    resumed: false,
    theme: { primary: '#123456' },
    menu: [{ id: 'restart' }],
    messages: [{ from: 'bot', type: 'text', text: 'Qual é o seu nome?' }],
  })
  expect(body.watermark).toBe(body.messages[0].position)
  expect(Date.parse(body.expires) - Date.now()).toBeGreaterThan(1_700_000)
  expect(server.conversations.held.get(body.conversation)?.begun).toEqual({ payload: 'promo', locale: 'pt' })
  // Without a language of the caller it is the bot's.
  const plain = await server.send('POST', '/chat/web/conversations', {}, { 'accept-language': '*' })
  expect(server.conversations.held.get(plain.body.conversation)?.begun.locale).toBeUndefined()
})

test('says that web chat is not enabled when the channel is off, unknown or of another type [C-8.18] [R-73]', async () => {
  for (const channel of ['closed', 'nowhere', 'api']) {
    const { status, body } = await server.send('POST', `/chat/${channel}/conversations`, {})
    expect([status, body.code, body.detail]).toEqual([404, 'chat.disabled', 'Webchat is not enabled, you can not chat'])
  }
  const said = await server.send('POST', '/chat/closed/conversations', {}, { 'accept-language': 'pt-BR' })
  expect(said.body.detail).toContain('não está habilitado')
})

test('refuses to open while the bot is stopped [R-73]', async () => {
  server.conversations.stopped.add('web')
  const { status, body } = await server.open()
  server.conversations.stopped.delete('web')
  expect([status, body.code]).toEqual([409, 'bot.stopped'])
})

test('believes who a person is by HMAC or by the verify token alone [R-73]', async () => {
  const user = { id: 'customer-1', name: 'Ana' }
  const userhash = createHmac('sha256', VERIFY_TOKEN).update(user.id).digest('hex')
  const proved = await server.open({ user, userhash })
  expect(server.conversations.held.get(proved.body.conversation)?.user).toEqual(user)
  expect((await server.open({ user, token: VERIFY_TOKEN })).status).toBe(201)
  for (const body of [{ user }, { user, userhash: `${userhash.slice(1)}0` }, { user: { id: 'customer-2' }, userhash }])
    expect((await server.open(body)).body.code).toBe('chat.user')
  expect((await server.open({ user, token: 'guess' })).body.code).toBe('chat.token')
})

test('proves no identity on a channel without a verify token [R-73]', async () => {
  server.channels.set('bare', { ...server.channels.get('web'), id: 'bare', verifyToken: '' } as never)
  const userhash = createHmac('sha256', '').update('x').digest('hex')
  for (const body of [
    { user: { id: 'x' }, userhash },
    { user: { id: 'x' }, token: '' },
  ])
    expect((await server.send('POST', '/chat/bare/conversations', body)).status).toBe(401)
  expect((await server.send('POST', '/chat/bare/conversations', {})).status).toBe(201)
})

test('stores a message once and answers in the same conversation [R-62] [R-74]', async () => {
  const { conversation, token, watermark } = await opened()
  const id = randomUUID()
  const first = await say(conversation, token, { id, text: 'Ana' })
  const second = await say(conversation, token, { id, text: 'Ana' })
  expect([first.status, second.body]).toEqual([202, first.body])
  expect(first.body).toEqual({ id, position: expect.any(String) })
  await until(conversation)
  const path = `/chat/conversations/${conversation}/messages?after=${watermark}`
  const page = (await server.send('GET', path, undefined, bearer(token))).body
  expect(page.messages.map(({ from, text }: { from: string; text: string }) => [from, text])).toEqual([
    ['user', 'Ana'],
    ['bot', 'Olá Ana, certo?'],
  ])
  expect(page).toMatchObject({ state: 'waiting', wait: { kind: 'confirm' }, watermark: page.messages[1].position })
  const one = (await server.send('GET', `${path}&size=1`, undefined, bearer(token))).body
  expect(one.messages).toHaveLength(1)
})

test('refuses a press on an older message and any message after the end [R-74]', async () => {
  const { conversation, token } = await opened()
  await say(conversation, token, { text: 'Ana' })
  await until(conversation)
  const offered = server.conversations.held.get(conversation)?.messages.at(-1)?.id
  expect((await say(conversation, token, { type: 'choice', of: 'b1', value: '1' })).body.code).toBe('chat.stale')
  const press = { id: randomUUID(), type: 'choice', of: offered, value: '2' }
  expect((await say(conversation, token, press)).status).toBe(202)
  await until(conversation)
  const replayed = await say(conversation, token, { ...press, id: randomUUID() })
  expect([replayed.status, replayed.body.code]).toEqual([409, 'chat.ended'])
  expect((await say(conversation, token, press)).status).toBe(202)
  const held = server.conversations.held.get(conversation)
  expect(held?.messages.filter(({ type }) => type === 'choice')).toHaveLength(1)
})

test('bounds the length and the pace of messages [R-74]', async () => {
  const { conversation, token } = await opened()
  const long = await say(conversation, token, { text: 'a'.repeat(4_001) })
  expect([long.status, long.body.detail]).toEqual([413, 'The message is too long, max is 4,000 characters'])
  expect((await say(conversation, token, { text: 'a', data: 'b'.repeat(16_384) })).status).toBe(413)
  expect((await say(conversation, token, { text: 'ç'.repeat(4_000) })).status).toBe(202)
  for (let n = 1; n < 20; n++) expect((await say(conversation, token, { text: 'ok' })).status).toBe(202)
  const over = await say(conversation, token, { text: 'more' })
  expect([over.status, Number(over.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  const other = await opened()
  expect((await say(other.conversation, other.token, { text: 'Eva' })).status).toBe(202)
})

test('names the field of a message that is not understood [R-74]', async () => {
  const { conversation, token } = await opened()
  for (const [message, path] of [
    [{ type: 'dance' }, 'type'],
    [{ id: '<script>' }, 'id'],
    [{ text: 5 }, 'text'],
    [{ text: 'a', admin: true }, 'admin'],
  ] as const) {
    const { status, body } = await say(conversation, token, message)
    expect([status, body.errors[0].path]).toEqual([422, path])
  }
})

test('continues a live conversation with a kept token, and starts a new one after its end [R-73]', async () => {
  const { conversation, token } = await opened()
  for (const text of ['Ana', 'Eva', 'Bia']) await say(conversation, token, { text })
  await until(conversation)
  server.later(3_600_000)
  const again = await server.open({ resume: token })
  server.later(-3_600_000)
  expect(again.body).toMatchObject({ conversation, resumed: true })
  expect(again.body.messages).toHaveLength(3)
  expect((await server.send('POST', `/chat/conversations/${conversation}/end`, undefined, bearer(token))).status).toBe(
    204,
  )
  const next = await opened({ resume: token })
  expect(next).toMatchObject({ resumed: false })
  expect(next.conversation).not.toBe(conversation)
  const person = (id: string) => server.conversations.held.get(id)?.user.id
  expect(person(next.conversation)).toBe(person(conversation))
})

test('renews a token within a day of its last renewal, and opens nothing with an old one [R-76]', async () => {
  const { conversation, token } = await opened()
  const path = `/chat/conversations/${conversation}`
  const renew = (kept: string) => server.send('POST', `${path}/token`, undefined, bearer(kept))
  server.later(1_801_000)
  const old = await server.send('GET', `${path}/messages`, undefined, bearer(token))
  expect([old.status, old.body.code, old.headers.get('www-authenticate')]).toEqual([401, 'chat.token', 'Bearer'])
  const renewed = (await renew(token)).body
  expect((await server.send('GET', `${path}/messages`, undefined, bearer(renewed.token))).status).toBe(200)
  server.later(85_000_000)
  expect((await renew(token)).status).toBe(401)
  expect((await renew(renewed.token)).status).toBe(200)
  server.later(-86_801_000)
})

test('takes files of at most 1 MB that the channel does not deny, and shows them by their address [R-76]', async () => {
  const { conversation, token } = await opened()
  const path = `/chat/conversations/${conversation}/files`
  const send = (content: string | Buffer<ArrayBuffer>, name: string, headers = bearer(token)) => {
    const form = new FormData()
    form.append('file', new Blob([content]), name)
    return server.send('POST', path, form, headers)
  }
  const stored = await send('olá', '..\\..\\nota.txt')
  expect([stored.status, stored.body]).toEqual([
    201,
    { id: expect.any(String), name: 'nota.txt', type: 'text/plain', size: 4 },
  ])
  expect((await send('%PDF-1.7', 'a.pdf')).status).toBe(422)
  expect((await send('<svg onload=alert(1)>', 'a.svg')).status).toBe(422)
  const large = await send(Buffer.alloc(1_048_577, 97), 'a.txt')
  expect([large.status, large.body.detail]).toEqual([413, 'File is too big , max is 1MB'])
  const other = await opened()
  const theft = await say(other.conversation, other.token, { type: 'attachment', attachments: [stored.body.id] })
  expect([theft.status, theft.body.errors[0].path]).toEqual([422, 'attachments.0'])
  expect((await say(conversation, token, { type: 'attachment', attachments: [stored.body.id] })).status).toBe(202)
  const held = server.conversations.held.get(conversation)?.messages.find(({ type }) => type === 'attachment')
  const [file] = (held?.attachments ?? []) as readonly { contentUrl: string }[]
  const shown = await fetch(String(file?.contentUrl))
  expect(await shown.text()).toBe('olá')
  expect(shown.headers.get('content-security-policy')).toContain('sandbox')
  expect(shown.headers.get('content-disposition')).toContain('attachment')
  await until(conversation)
  await server.send('DELETE', `/chat/conversations/${conversation}`, undefined, bearer(token))
  expect((await fetch(String(file?.contentUrl))).status).toBe(404)
})

test('answers the same file of a conversation again with the first one [P-2010]', async () => {
  const [one, other] = [await opened(), await opened()]
  const send = async ({ conversation, token }: typeof one, content: string, name = 'nota.txt') => {
    const form = new FormData()
    form.set('file', new Blob([content]), name)
    return (await server.send('POST', `/chat/conversations/${conversation}/files`, form, bearer(token))).body
      .id as string
  }
  const first = await send(one, 'olá')
  expect(await send(one, 'olá')).toBe(first)
  const others = [await send(one, 'olá!'), await send(one, 'olá', 'b.txt'), await send(other, 'olá')]
  expect(new Set([first, ...others]).size).toBe(4)
})

test('answers at most 100 messages of a transcript for any size, and streams a whole transcript [P-2002]', async () => {
  const { conversation, token } = await opened()
  server.conversations.say(conversation, ...Array.from({ length: 249 }, (_, n) => ({ text: `line ${n}` })))
  const path = `/chat/conversations/${conversation}/transcript`
  const get = (query: string) => server.send('GET', `${path}?${query}`, undefined, bearer(token))
  const whole = (await get('format=json')).body
  expect([whole.conversation, whole.messages.length, whole.next]).toEqual([conversation, 250, null])
  const pages: unknown[] = []
  let next: string | null = ''
  const sizes: number[] = []
  while (next !== null) {
    const { body, headers }: Awaited<ReturnType<typeof get>> = await get(`size=100000&after=${next}`)
    sizes.push(body.messages.length)
    pages.push(...body.messages)
    next = body.next
    expect(headers.get('link')).toBe(next === null ? null : `<${path}?size=100000&after=${next}>; rel="next"`)
  }
  expect(sizes).toEqual([100, 100, 50])
  expect(pages).toEqual(whole.messages)
  expect((await get('format=text&size=7')).text.split('\n')).toHaveLength(8)
  expect((await get('format=activities&size=300')).body).toHaveLength(100)
  expect((await get('format=text')).text.split('\n')).toHaveLength(251)
  expect((await get('format=activities')).body).toHaveLength(250)
  expect((await get('size=0')).status).toBe(422)
})

test('gives a transcript as JSON, text and Bot Framework activities, and forgets [R-76]', async () => {
  const { conversation, token } = await opened({ user: { name: 'Ana' } })
  await say(conversation, token, { id: 'm-1', text: 'Ana' })
  await until(conversation)
  const path = `/chat/conversations/${conversation}`
  const as = (format: string) => server.send('GET', `${path}/transcript?format=${format}`, undefined, bearer(token))
  expect((await as('json')).body.messages).toHaveLength(3)
  expect((await as('text')).text).toMatch(/user: Ana\n.* bot: Olá Ana, certo\? \[Sim\] \[Não\]\n$/)
  const activities = (await as('activities')).body
  expect(activities[1]).toMatchObject({ type: 'message', text: 'Ana', from: { name: 'Ana', role: 'user' } })
  expect(activities[2]).toMatchObject({
    from: { role: 'bot' },
    suggestedActions: { actions: [{ type: 'imBack', title: 'Sim', value: 'sim' }, { title: 'Não' }] },
    inputHint: 'acceptingInput',
  })
  expect((await server.send('DELETE', path, undefined, bearer(token))).status).toBe(204)
  expect((await as('json')).status).toBe(404)
})
