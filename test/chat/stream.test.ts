import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, expect, test, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { bearer, SITE, startChatServer } from '../doubles/chat-server.ts'
import type { Script } from '../doubles/memory-conversations.ts'

const script: Script = said => {
  if (said === undefined) return { say: [{ text: 'Olá' }], wait: { kind: 'text' } }
  if (said.text === 'fim') return { say: [{ text: 'Tchau' }], ends: true }
  if (said.text === 'devagar') return { say: [{ text: 'um' }, { text: 'dois', delay: 5_000 }] }
  return { say: [{ text: `Eco ${said.text}` }], ms: 20 }
}

interface Frame {
  readonly t: string
  readonly position: string
  readonly [member: string]: unknown
}

const server = await startChatServer(script)
afterAll(async () => server.close())

/** Listens as a browser does. */
const listen = (url: string, token: string, headers: Record<string, string> = {}, more: ClientOptions = {}) => {
  const socket = new WebSocket(url, ['parley.chat.v1', token], { ...more, headers })
  const frames: Frame[] = []
  socket.on('message', data => frames.push(JSON.parse(String(data))))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').then(([code]) => code as number)
  const texts = () => frames.flatMap(({ t, message }) => (t === 'message' ? [(message as { text: string }).text] : []))
  return { socket, frames, closed, texts, opened: once(socket, 'open') }
}
const soon = (check: () => void) => vi.waitFor(check, { interval: 10 })
const sendFrame = (text: string) => JSON.stringify({ t: 'send', id: randomUUID(), type: 'text', text })

test('streams messages, states and receipts of what was sent over a socket [R-75]', async () => {
  const { body } = await server.open()
  const { socket, frames, texts, opened } = listen(`${body.stream}?after=${body.watermark}`, body.token)
  await opened
  expect(socket.protocol).toBe('parley.chat.v1')
  const id = randomUUID()
  socket.send(JSON.stringify({ t: 'send', id, text: 'oi' }))
  await soon(() => expect(texts()).toEqual(['oi', 'Eco oi']))
  const delivered = frames.find(({ t }) => t === 'delivered')
  expect(delivered).toEqual({ t: 'delivered', id, position: expect.any(String) })
  await soon(() => expect(frames.filter(({ t }) => t === 'state').at(-1)).toMatchObject({ state: 'idle', wait: null }))
  expect(frames.map(({ t }) => t)).toContain('typing')
  socket.send(JSON.stringify({ t: 'typing' }))
  socket.send(JSON.stringify({ t: 'read', position: delivered?.position }))
  socket.send(JSON.stringify({ t: 'pong' }))
  socket.send('{')
  socket.send(JSON.stringify({ t: 'send', id: 'x-1', text: 'a'.repeat(4_001) }))
  await soon(() =>
    expect(frames.filter(({ problem }) => problem !== undefined)).toMatchObject([
      { t: 'delivered', problem: { code: 'request.unreadable' } },
      { t: 'delivered', id: 'x-1', problem: { code: 'request.toolarge', status: 413 } },
    ]),
  )
  socket.close()
})

test('shows every tab the same messages once, from where it left off [R-75]', async () => {
  const { body } = await server.open()
  const [one, two] = [listen(body.stream, body.token), listen(body.stream, body.token)]
  await Promise.all([one.opened, two.opened])
  for (const text of ['a', 'b', 'c']) one.socket.send(sendFrame(text))
  const all = ['Olá', 'a', 'b', 'c', 'Eco a', 'Eco b', 'Eco c']
  await soon(() => {
    expect(one.texts().sort()).toEqual([...all].sort())
    expect(two.texts()).toEqual(one.texts())
  })
  one.socket.close()
  const last = one.frames.findLast(({ t }) => t === 'message')?.position
  two.socket.send(sendFrame('d'))
  await soon(() => expect(two.texts()).toContain('Eco d'))
  const again = listen(`${body.stream}?after=${last}`, body.token)
  await soon(() => expect(again.texts()).toEqual(['d', 'Eco d']))
  again.socket.close()
  two.socket.close()
})

test('reports that a conversation ended and why [R-75]', async () => {
  const { body } = await server.open()
  const { socket, frames, texts, opened } = listen(body.stream, body.token)
  await opened
  socket.send(sendFrame('fim'))
  await soon(() => expect(frames.at(-1)).toMatchObject({ t: 'ended', reason: 'flow' }))
  expect(texts()).toEqual(['Olá', 'fim', 'Tchau'])
  expect(frames.at(-2)).toMatchObject({ t: 'state', state: 'ended' })
  socket.close()
  const late = listen(body.stream, body.token)
  await soon(() => expect(late.frames.at(-1)).toMatchObject({ t: 'ended', reason: null }))
  late.socket.close()
})

test('delays a message with a typing indicator until the person continues [R-70]', async () => {
  const { body } = await server.open()
  const { socket, frames, texts, opened } = listen(`${body.stream}?after=${body.watermark}`, body.token)
  await opened
  socket.send(sendFrame('devagar'))
  await soon(() => expect(texts()).toEqual(['devagar', 'um']))
  await soon(() => expect(frames.at(-1)?.t).toBe('typing'))
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(texts()).toEqual(['devagar', 'um'])
  const time = performance.now()
  socket.send(sendFrame('anda'))
  await soon(() => expect(texts()).toEqual(['devagar', 'um', 'dois', 'anda', 'Eco anda']))
  expect(performance.now() - time).toBeLessThan(3_000)
  socket.close()
})

test('closes by a code that says why [R-75]', async () => {
  const [{ body }, other] = [await server.open(), await server.open()]
  const codeOf = (url: string, token: string, headers = {}) => listen(url, token, headers).closed
  expect(await codeOf(body.stream, 'forged.token')).toBe(4401)
  expect(await codeOf(body.stream, body.token, { origin: 'https://evil.example' })).toBe(4403)
  expect(await codeOf(body.stream, other.body.token)).toBe(4404)
  const site = listen(body.stream, body.token, { origin: SITE })
  await site.opened
  const flood = listen(body.stream, body.token)
  await flood.opened
  for (let n = 0; n < 200; n++) flood.socket.send('{"t":"typing"}')
  expect(await flood.closed).toBe(4429)
  const huge = listen(body.stream, body.token)
  await huge.opened
  huge.socket.send('a'.repeat(40_000))
  expect(await huge.closed).toBe(1009)
  await server.send('DELETE', `/chat/conversations/${body.conversation}`, undefined, bearer(body.token))
  expect(await site.closed).toBe(4404)
})

test('takes no message on an open socket after its channel was turned off [P-525]', async () => {
  const { body } = await server.open()
  const { socket, frames, opened } = listen(body.stream, body.token)
  await opened
  const web = server.channels.get('web')
  server.channels.set('web', { ...web, isEnabled: false } as never)
  socket.send(sendFrame('oi'))
  await soon(() => expect(frames.at(-1)).toMatchObject({ t: 'delivered', problem: { code: 'chat.disabled' } }))
  server.channels.set('web', web as never)
  socket.close()
})

test('sends nothing on an open socket after its channel was turned off [D-4.01] [P-2911]', async () => {
  const { body } = await server.open()
  const { texts, opened, closed } = listen(body.stream, body.token)
  await opened
  await soon(() => expect(texts()).toEqual(['Olá']))
  const web = server.channels.get('web')
  server.channels.set('web', { ...web, isEnabled: false } as never)
  server.conversations.say(body.conversation, { text: 'Ainda está aí?' })
  expect(await closed).toBe(4404)
  expect(texts()).toEqual(['Olá'])
  expect(
    (await server.send('GET', `/chat/conversations/${body.conversation}/messages`, undefined, bearer(body.token))).body
      .code,
  ).toBe('chat.disabled')
  server.channels.set('web', web as never)
})

test('sends no delayed message after its channel was turned off meanwhile [D-4.01] [P-2911]', async () => {
  const { body } = await server.open()
  const { texts, opened, closed } = listen(body.stream, body.token)
  await opened
  server.conversations.say(body.conversation, { text: 'um' }, { text: 'dois', delay: 400 })
  await soon(() => expect(texts()).toEqual(['Olá', 'um']))
  const web = server.channels.get('web')
  server.channels.set('web', { ...web, isEnabled: false } as never)
  expect(await closed).toBe(4404)
  expect(texts()).toEqual(['Olá', 'um'])
  server.channels.set('web', web as never)
})

test('pings a reader, and ends its socket when a ping has no answer until the next one [P-2962]', async () => {
  const quick = await startChatServer(script, { limits: { pingMs: 400 } })
  try {
    const { body } = await quick.open()
    const alive = listen(body.stream, body.token)
    const dead = listen(body.stream, body.token, {}, { autoPong: false })
    await Promise.all([alive.opened, dead.opened])
    const pings: string[] = []
    alive.socket.on('ping', () => pings.push('socket'))
    alive.socket.on('message', data => String(data).includes('"t":"ping"') && pings.push('chat'))
    expect(await dead.closed).toBe(1006)
    await soon(() => expect(pings.slice(0, 4)).toEqual(['socket', 'chat', 'socket', 'chat']))
    expect(alive.socket.readyState).toBe(WebSocket.OPEN)
    alive.socket.close()
  } finally {
    await quick.close()
  }
})

test('bounds the sockets of a conversation and of the node [P-525]', async () => {
  const small = await startChatServer(script, { limits: { listenersPerConversation: 2, sockets: 3 } })
  try {
    const [{ body }, other] = [await small.open(), await small.open()]
    const open = [listen(body.stream, body.token), listen(body.stream, body.token)]
    await Promise.all(open.map(({ opened }) => opened))
    expect(await listen(body.stream, body.token).closed).toBe(4429)
    const third = listen(other.body.stream, other.body.token)
    await third.opened
    const fourth = await small.open()
    expect(await listen(fourth.body.stream, fourth.body.token).closed).toBe(4429)
    third.socket.close()
    await third.closed
    const late = listen(fourth.body.stream, fourth.body.token)
    await late.opened
    await small.close()
    expect(await late.closed).toBe(4503)
  } finally {
    await small.close()
  }
})

test('closes a reader that takes nothing, and holds little for it [P-526]', async () => {
  const small = await startChatServer(script, { limits: { bufferBytes: 65_536, slowMs: 300 } })
  try {
    const { body } = await small.open()
    const { socket, opened, closed, frames } = listen(body.stream, body.token)
    await opened
    await soon(() => expect(frames.length).toBeGreaterThan(0))
    socket.pause()
    const before = process.memoryUsage().arrayBuffers
    const text = 'a'.repeat(4_000)
    small.conversations.say(body.conversation, ...Array.from({ length: 8_000 }, () => ({ text })))
    await new Promise(resolve => setTimeout(resolve, 3_500))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
    socket.resume()
    expect([4408, 1006]).toContain(await closed)
    expect(frames.length).toBeLessThan(8_000)
    const page = await small.send(
      'GET',
      `/chat/conversations/${body.conversation}/messages`,
      undefined,
      bearer(body.token),
    )
    expect(page.status).toBe(200)
  } finally {
    await small.close()
  }
})

/** Reads server-sent events until a check holds. */
const readEvents = async (url: string, headers: Record<string, string>, done: (text: string) => boolean) => {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    if (done(text)) break
  }
  abort.abort()
  return { response, text }
}

test('streams the same frames as server-sent events without an upgrade [R-75]', async () => {
  const { body } = await server.open()
  const url = body.stream.replace('ws', 'http')
  const reading = readEvents(url, { ...bearer(body.token), origin: SITE }, text => text.includes('Eco oi'))
  await server.send(
    'POST',
    `/chat/conversations/${body.conversation}/messages`,
    { id: 'm1', text: 'oi' },
    bearer(body.token),
  )
  const { response, text } = await reading
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('access-control-allow-origin')).toBe(SITE)
  const positions = [...text.matchAll(/^id: (\S+)\ndata: \{"t":"message"/gm)].map(([, position]) => position)
  expect(positions).toHaveLength(3)
  const last = { ...bearer(body.token), 'last-event-id': String(positions[1]) }
  const rest = await readEvents(url, last, seen => seen.includes('"t":"state"'))
  expect(rest.text.match(/"t":"message"/g)).toHaveLength(1)
  expect((await fetch(url)).status).toBe(401)
  expect((await fetch(url, { headers: { ...bearer(body.token), origin: 'https://evil.example' } })).status).toBe(403)
})
