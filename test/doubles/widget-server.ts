import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { chatLook } from '#domain/chat-look.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

const SCRIPT = join(import.meta.dirname, '../../web/dist/chat/widget.js')
const PROTOCOL = 'parley.chat.v1'

/** The bot's replies to an input; `open` is the start. */
export type WidgetScript = (input: string, sent: JsonObject) => readonly JsonObject[]

interface Talk {
  readonly id: string
  readonly messages: JsonObject[]
  readonly sent: Map<string, string>
  readonly sockets: Set<WebSocket>
  isEnded: boolean
}

const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data: https:; media-src https:; style-src 'unsafe-inline'"

/** A page of a site with the widget in it, under a policy that allows no styles of others and no script in the page. */
const page = (attributes: string) =>
  `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><a href="#a">Lamps</a></main>` +
  `<script src="/chat/widget.js" data-channel="web" data-language="en"${attributes}></script></html>`

const bodyOf = async (request: IncomingMessage): Promise<JsonObject> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  return request.headers['content-type']?.startsWith('application/json') ? (JSON.parse(text || '{}') as JsonObject) : {}
}

/** The chat API in its wire format over a script, with pages that hold the widget. Test code only. */
class WidgetServer {
  readonly talks = new Map<string, Talk>()
  /** Fields of chatinterface and of the bot. */
  look: { [name: string]: Json } = {}
  bot: { [name: string]: Json } = {}
  menu: JsonObject[] = [{ id: 'restart' }, { id: 'agent' }, { id: 'task-1', title: 'Orders' }]
  /** Sockets are refused: the widget has to do with events or polling. */
  refusesSockets = false
  refusesEvents = false
  /** The next opening is refused with this status. */
  refusal: number | undefined
  url = ''
  readonly #script: WidgetScript
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL })

  constructor(script: WidgetScript) {
    this.#script = script
    this.#server.on('upgrade', (request, socket, head) => {
      const talk = this.#talkOf(request.headers['sec-websocket-protocol']?.split(', ')[1])
      if (this.refusesSockets || talk === undefined) return socket.destroy()
      const after = new URL(request.url ?? '', this.url).searchParams.get('after') ?? ''
      this.#sockets.handleUpgrade(request, socket, head, opened => this.#listen(talk, opened, after))
    })
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** All open sockets break as a lost network breaks them. */
  drop(): void {
    for (const talk of this.talks.values()) for (const socket of talk.sockets) socket.terminate()
  }

  async close(): Promise<void> {
    this.drop()
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** Adds a message of the bot or an agent to each conversation. */
  say(message: JsonObject): void {
    for (const talk of this.talks.values()) this.#append(talk, { from: 'bot', ...message })
  }

  texts(): readonly string[] {
    return [...this.talks.values()].flatMap(({ messages }) =>
      messages.flatMap(({ from, text }) => (from === 'user' ? [String(text)] : [])),
    )
  }

  #talkOf(token: string | undefined): Talk | undefined {
    const talk = this.talks.get(token?.replace(/^token-/, '') ?? '')
    return talk?.isEnded === true ? undefined : talk
  }

  #listen(talk: Talk, socket: WebSocket, after: string): void {
    talk.sockets.add(socket)
    socket.on('close', () => talk.sockets.delete(socket))
    for (const message of this.#after(talk, after)) this.#tell(socket, message)
    socket.send(
      JSON.stringify({ t: 'state', position: this.#watermark(talk), state: 'waiting', wait: this.#wait(talk) }),
    )
  }

  #tell(socket: WebSocket, message: JsonObject): void {
    socket.send(JSON.stringify({ t: 'message', position: message.position, message }))
  }

  #after({ messages }: Talk, position: string): readonly JsonObject[] {
    return messages.slice(Number(position.replace(/^p/, '')) || 0)
  }

  #watermark({ messages }: Talk): string {
    return messages.length === 0 ? '' : `p${messages.length}`
  }

  #wait({ messages }: Talk): Json {
    return messages.findLast(({ from }) => from !== 'user')?.wait ?? null
  }

  #append(talk: Talk, message: JsonObject): string {
    const position = `p${talk.messages.length + 1}`
    const whole = {
      id: `m${talk.messages.length + 1}`,
      type: 'text',
      time: new Date().toISOString(),
      ...message,
      position,
    }
    talk.messages.push(whole)
    for (const socket of talk.sockets) this.#tell(socket, whole)
    return position
  }

  #turn(talk: Talk, input: string, sent: JsonObject): void {
    for (const message of this.#script(input, sent)) this.#append(talk, { from: 'bot', ...message })
    const frame = { t: 'state', position: this.#watermark(talk), state: 'waiting', wait: this.#wait(talk) }
    for (const socket of talk.sockets) socket.send(JSON.stringify(frame))
  }

  #open(body: JsonObject) {
    const kept = this.#talkOf(typeof body.resume === 'string' ? body.resume : undefined)
    const talk: Talk = kept ?? { id: randomUUID(), messages: [], sent: new Map(), sockets: new Set(), isEnded: false }
    this.talks.set(talk.id, talk)
    if (kept === undefined) this.#turn(talk, 'open', body)
    return {
      conversation: talk.id,
      token: `token-${talk.id}`,
      expires: new Date(Date.now() + 1_800_000).toISOString(),
      stream: `${this.url.replace('http', 'ws')}/chat/conversations/${talk.id}/stream`,
      resumed: kept !== undefined,
      watermark: this.#watermark(talk),
      messages: talk.messages,
      theme: this.#theme(),
      menu: this.menu,
      state: 'waiting',
      wait: this.#wait(talk),
    }
  }

  #theme() {
    const fileAddress = (id: string) => `/chat/web/picture/${id}`
    return chatLook({ bot: { name: 'Lume', ...this.bot }, look: this.look, themes: [], conversation: {}, fileAddress })
  }

  /** Stored once; the same id again is answered the same. */
  #accept(talk: Talk, sent: JsonObject) {
    const id = String(sent.id)
    const known = talk.sent.get(id)
    if (known !== undefined) return { id, position: known }
    const pressed = talk.messages.find(message => message.id === sent.of)
    const actions = Array.isArray(pressed?.actions) ? (pressed.actions as JsonObject[]) : []
    const action = sent.type === 'choice' ? actions.find(one => one.id === sent.value) : undefined
    const text = String(action?.title ?? sent.text ?? sent.value ?? sent.type)
    const position = this.#append(talk, { id, from: 'user', text })
    talk.sent.set(id, position)
    setImmediate(() => this.#turn(talk, text, sent))
    return { id, position }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const html = (attributes: string) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page(attributes))
    if (pathname === '/') return void html('')
    if (pathname === '/hosted') return void html(' data-open')
    if (pathname === '/chat/widget.js')
      return void response
        .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' })
        .end(readFileSync(SCRIPT))
    if (pathname === '/chat/web/look') return void json(200, { look: this.#theme() })
    if (pathname === '/chat/web/conversations') {
      const body = await bodyOf(request)
      return void (this.refusal === undefined ? json(201, this.#open(body)) : json(this.refusal, { code: 'refused' }))
    }
    const talk = this.#talkOf(request.headers.authorization?.replace('Bearer ', ''))
    if (talk === undefined) return void json(401, { code: 'chat.token' })
    const after = searchParams.get('after') ?? ''
    switch (pathname.split('/').at(-1)) {
      case 'messages':
        if (request.method === 'POST') return void json(202, this.#accept(talk, await bodyOf(request)))
        return void json(200, {
          messages: this.#after(talk, after),
          watermark: this.#watermark(talk),
          state: 'waiting',
          wait: this.#wait(talk),
        })
      case 'stream':
        if (this.refusesEvents) return void json(404, { code: 'entity.notfound' })
        return this.#events(talk, after, response)
      case 'files':
        return void json(201, { id: 'file-1' })
      case 'end':
        talk.isEnded = true
        return void response.writeHead(204).end()
      default:
        return void json(200, { token: `token-${talk.id}`, expires: new Date(Date.now() + 1_800_000).toISOString() })
    }
  }

  #events(talk: Talk, after: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const sink = {
      send: (text: string) => response.write(`data: ${text}\n\n`),
      terminate: () => response.destroy(),
      on: (_event: string, run: () => void) => response.on('close', run),
    }
    this.#listen(talk, sink as unknown as WebSocket, after)
  }
}

export const startWidgetServer = (script: WidgetScript): Promise<WidgetServer> => new WidgetServer(script).start()
