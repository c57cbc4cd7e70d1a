import { type ChatHttp, ChatRefusal } from './chat-http.ts'
import type { ChatFrame, MessagePage } from './chat-protocol.ts'

const POLL_INTERVAL_MS = 3_000
const MAX_WAIT_MS = 30_000
/** Without a frame for this long the connection counts as lost. */
const SILENCE_MS = 60_000
/** Sockets that never opened before the next transport is tried. */
const MAX_FAILURES = 2
/** Share of polls after which a socket is tried again. */
const SOCKET_CHANCE = 0.05
const PROTOCOL = 'parley.chat.v1'

interface StreamOptions {
  readonly http: ChatHttp
  readonly conversation: string
  token(): string
  after(): string
  onFrame(frame: ChatFrame): void
  onPage(page: MessagePage): void
  /** Connected or not, and why not where the server said so. */
  onLine(isConnected: boolean, code?: number): void
}

/** ms before the next attempt, with jitter so that many widgets do not come back at once. */
export const backoff = (failures: number, chance = Math.random()): number =>
  Math.min(MAX_WAIT_MS, 500 * 2 ** Math.min(failures, 10)) * (0.5 + chance / 2)

/** Closed for good: token, origin, or no such conversation. */
const FINAL = new Set([4401, 4403, 4404])

/** A refusal by HTTP as the close code that a socket would have. */
const closeCode = (error: unknown): number | undefined =>
  error instanceof ChatRefusal ? 4000 + error.status : undefined

/** Keeps a conversation's messages coming: a socket, else server-sent events, else polling. */
export class ChatStream {
  readonly #options: StreamOptions
  readonly #path: string
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #request: AbortController | undefined
  #failures = 0
  #unopened = 0
  #isClosed = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#path = `/chat/conversations/${encodeURIComponent(options.conversation)}`
    this.#connect()
  }

  say(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  /** At once, for example because the browser says that the network is back. */
  retry(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) return
    this.#failures = 0
    this.#schedule(0)
  }

  /** Closes a connection lost without a close event. */
  drop(): void {
    this.#socket?.close()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#request?.abort()
    const last = this.#socket
    this.#socket = undefined
    last?.close()
  }

  #connect(): void {
    if (this.#isClosed) return
    if (this.#unopened < MAX_FAILURES) this.#openSocket()
    else if (this.#unopened === MAX_FAILURES) void this.#readEvents()
    else void this.#poll()
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#connect(), wait)
  }

  #lost(code?: number): void {
    clearTimeout(this.#silence)
    if (this.#isClosed) return
    this.#options.onLine(false, code)
    if (code !== undefined && FINAL.has(code)) return
    this.#failures += 1
    this.#schedule(backoff(this.#failures))
  }

  #read(data: unknown): void {
    this.#failures = 0
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.drop(), SILENCE_MS)
    const frame = JSON.parse(String(data)) as ChatFrame | number
    // A stream of events ends with the code that a socket is closed with.
    if (typeof frame === 'number') this.#options.onLine(false, frame)
    else if (frame.t === 'ping') this.say({ t: 'pong' })
    else this.#options.onFrame(frame)
  }

  #openSocket(): void {
    const { http, after, token, onLine } = this.#options
    const address = new URL(`${http.base}${this.#path}/stream?after=${encodeURIComponent(after())}`, location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(address, [PROTOCOL, token()])
    let wasOpen = false
    this.#socket = socket
    socket.onopen = () => {
      wasOpen = true
      this.#unopened = 0
      onLine(true)
    }
    socket.onmessage = ({ data }) => this.#read(data)
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      if (!wasOpen) this.#unopened += 1
      this.#lost(code)
    }
  }

  async #readEvents(): Promise<void> {
    const { http, after, token, onLine } = this.#options
    this.#request = new AbortController()
    try {
      const path = `${this.#path}/stream?after=${encodeURIComponent(after())}`
      for await (const data of http.events(path, token(), this.#request.signal)) {
        onLine(true)
        this.#read(data)
      }
      this.#lost()
    } catch {
      this.#unopened += 1
      await this.#poll()
    }
  }

  async #poll(): Promise<void> {
    const { http, after, token, onPage, onLine } = this.#options
    if (this.#isClosed) return
    try {
      onPage(
        await http.call<MessagePage>(`${this.#path}/messages?after=${encodeURIComponent(after())}`, { token: token() }),
      )
      this.#failures = 0
      onLine(true)
      // Sockets may work again: a proxy was restarted, or another network was joined.
      if (Math.random() < SOCKET_CHANCE) this.#unopened = 0
      this.#schedule(POLL_INTERVAL_MS)
    } catch (error) {
      this.#lost(closeCode(error))
    }
  }
}
