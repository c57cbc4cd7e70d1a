import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { ASK_NAME, bearer, type ChatServer, SITE, startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'

const server = await startChatServer(ASK_NAME)
afterAll(async () => server.close())

const say: ChatServer['say'] = (...given) => server.say(...given)
const opened = async (body: object = {}) => (await server.open(body)).body
const until = async (conversation: string) => server.conversations.settled(conversation, 2_000)

test("opens nothing with a stranger's, forged or foreign token [R-76] [P-520]", async () => {
  const [mine, theirs] = [await opened(), await opened()]
  const at = (id: string, token: string) =>
    server.send('GET', `/chat/conversations/${id}/messages`, undefined, bearer(token))
  expect((await at(theirs.conversation, mine.token)).status).toBe(404)
  expect((await at(randomUUID(), mine.token)).status).toBe(404)
  const [content = '', signature = ''] = mine.token.split('.')
  const [, ...rest] = JSON.parse(Buffer.from(content, 'base64url').toString())
  const swapped = Buffer.from(JSON.stringify([theirs.conversation, ...rest])).toString('base64url')
  for (const token of [`${swapped}.${signature}`, `${content}.`, `${content}.${signature}.x`, 'x', 'a'.repeat(5_000)])
    expect((await at(theirs.conversation, token)).status).toBe(401)
  const unsent = await server.send('GET', `/chat/conversations/${mine.conversation}/messages`)
  expect(unsent.body.code).toBe('chat.token')
  for (const part of ['messages', 'files', 'end'])
    expect(
      (await server.send('POST', `/chat/conversations/${theirs.conversation}/${part}`, undefined, bearer(mine.token)))
        .status,
    ).toBe(404)
  expect(
    (await server.send('DELETE', `/chat/conversations/${theirs.conversation}`, undefined, bearer(mine.token))).status,
  ).toBe(404)
})

test("answers pages of the channel's origins alone, and without cookies [D-3.1.02] [P-521]", async () => {
  const allowed = await server.open({}, { origin: SITE })
  expect(allowed.status).toBe(201)
  expect(allowed.headers.get('access-control-allow-origin')).toBe(SITE)
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
  expect(allowed.headers.get('set-cookie')).toBeNull()
  expect(allowed.headers.get('vary')).toContain('Origin')
  for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null']) {
    const refused = await server.open({}, { origin })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
    const { conversation, token } = allowed.body
    expect((await say(conversation, token, { text: 'a' }, { origin })).status).toBe(403)
  }
  const path = `/chat/conversations/${allowed.body.conversation}/messages`
  for (const address of ['/chat/web/conversations', path]) {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const preflight = await server.send('OPTIONS', address, undefined, { origin: SITE, ...asked })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, SITE])
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(
      (await server.send('OPTIONS', address, undefined, { origin: 'https://evil.example', ...asked })).status,
    ).toBe(403)
  }
})

test('lets an allowed page read why it is refused [P-521]', async () => {
  const { conversation } = await opened()
  const path = `/chat/conversations/${conversation}/messages`
  const old = await server.send('GET', path, undefined, { ...bearer('old.token'), origin: SITE })
  expect([old.status, old.headers.get('access-control-allow-origin')]).toEqual([401, SITE])
  const closed = await server.send('POST', '/chat/closed/conversations', {}, { origin: SITE })
  expect([closed.status, closed.headers.get('access-control-allow-origin')]).toEqual([404, SITE])
  const foreign = await server.send('GET', path, undefined, { ...bearer('old.token'), origin: 'https://evil.example' })
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
})

test('keeps scripts in names and texts the texts that they are [P-522]', async () => {
  const script = '<img src=x onerror=alert(1)>'
  const { conversation, token } = await opened({ user: { name: script } })
  await say(conversation, token, { text: script })
  await until(conversation)
  const path = `/chat/conversations/${conversation}`
  const page = await server.send('GET', `${path}/messages`, undefined, bearer(token))
  expect(page.headers.get('content-type')).toContain('application/json')
  expect(page.body.messages[1].text).toBe(script)
  const text = await server.send('GET', `${path}/transcript?format=text`, undefined, bearer(token))
  expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text.headers.get('x-content-type-options')).toBe('nosniff')
})

test('bounds how many conversations one address opens within a minute [P-523]', async () => {
  const small = await startChatServer(ASK_NAME, { settings: { LIMIT_CONVERSATIONS: '3' } })
  try {
    for (let n = 0; n < 3; n++) expect((await small.open()).status).toBe(201)
    expect((await small.open()).status).toBe(429)
    expect((await small.open({ token: VERIFY_TOKEN })).status).toBe(201)
    small.later(61_000)
    expect((await small.open()).status).toBe(201)
  } finally {
    await small.close()
  }
})

test('bounds the messages of one person over all of their conversations, however they arrive [P-2003]', async () => {
  const small = await startChatServer(ASK_NAME, { settings: { LIMIT_MESSAGES_SENDER: '4' } })
  const secret = bearer(VERIFY_TOKEN)
  try {
    const open = (id: string) => small.open({ token: VERIFY_TOKEN, user: { id } })
    const send = ({ conversation, token }: { conversation: string; token: string }, id: string) =>
      small.send('POST', `/chat/conversations/${conversation}/messages`, { id, text: 'oi' }, bearer(token))
    const [first, second] = [(await open('ana')).body, (await open('ana')).body]
    expect((await send(first, 'm-1')).status).toBe(202)
    expect((await send(second, 'm-2')).status).toBe(202)
    const refused = await send(second, 'm-3')
    expect([refused.status, refused.body.code]).toEqual([429, 'request.toomany'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await open('ana')).status).toBe(429)
    expect((await small.send('POST', '/directline/web/tokens/generate', { user: { id: 'ana' } }, secret)).status).toBe(
      429,
    )
    expect((await open('bia')).status).toBe(201)
    const rest = (from: string, id: string) => small.send('POST', '/rest/api', { id, from, text: 'oi' }, secret)
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await rest('caio', `r-${n}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect((await rest('duda', 'r-1')).status).toBe(200)
    small.later(66_000)
    expect((await send(second, 'm-3')).status).toBe(202)
  } finally {
    await small.close()
  }
})

test('bounds the messages that one address reads in a minute, and slows a download down [P-2004]', async () => {
  const small = await startChatServer(ASK_NAME, { settings: { LIMIT_READS: '200' } })
  try {
    const { conversation, token } = (await small.open()).body
    small.conversations.say(conversation, ...Array.from({ length: 179 }, (_, n) => ({ text: `line ${n}` })))
    const path = `/chat/conversations/${conversation}`
    const get = (query: string) => small.send('GET', `${path}/${query}`, undefined, bearer(token))
    expect((await get('messages?size=150')).body.messages).toHaveLength(150)
    for (const query of ['messages?size=100', 'transcript?size=100', 'transcript?format=text&size=100'])
      expect((await get(query)).status).toBe(429)
    const download = get('transcript')
    const isEarly = await Promise.race([download.then(() => true), new Promise(resolve => setTimeout(resolve, 300))])
    expect(isEarly).toBeUndefined()
    small.later(66_000)
    expect((await download).body.messages).toHaveLength(180)
  } finally {
    await small.close()
  }
})

test('refuses files with 507 once the bot keeps too many bytes, and takes messages [P-2000]', async () => {
  const small = await startChatServer(ASK_NAME, { keptBytes: 1_000 })
  try {
    const send = async ({ conversation, token }: { conversation: string; token: string }, size: number) => {
      const form = new FormData()
      form.set('file', new Blob([Buffer.alloc(size, 97)]), 'a.txt')
      return small.send('POST', `/chat/conversations/${conversation}/files`, form, bearer(token))
    }
    const [one, two] = [(await small.open()).body, (await small.open()).body]
    expect((await send(one, 900)).status).toBe(201)
    const refused = await send(two, 200)
    expect([refused.status, refused.body.code]).toEqual([507, 'files.full'])
    expect(refused.body.detail).toBe(
      'This bot keeps too many files and cannot take another one. You can send your message without the file',
    )
    const path = `/chat/conversations/${two.conversation}/messages`
    expect((await small.send('POST', path, { id: 'm-1', text: 'oi' }, bearer(two.token))).status).toBe(202)
    expect((await send(two, 100)).status).toBe(201)
  } finally {
    await small.close()
  }
})

test('writes no token, text or secret into the log [P-524]', async () => {
  const { conversation, token } = await opened({ token: VERIFY_TOKEN })
  await say(conversation, token, { text: 'very-private-words' })
  await server.send('GET', `/chat/conversations/${conversation}/messages`, undefined, bearer(token))
  const log = server.lines.join('')
  expect(log).toContain('request completed')
  for (const secret of [token, VERIFY_TOKEN, 'very-private-words']) expect(log).not.toContain(secret)
})
