import { type ChatHttp, ChatRefusal } from './chat-http.ts'
import type {
  ChatConversationStatus,
  ChatFrame,
  ChatMessage,
  MessagePage,
  OpenedChat,
  Outgoing,
} from './chat-protocol.ts'
import type { ChatStorage, StoredMessage } from './chat-storage.ts'
import { backoff, ChatStream } from './chat-stream.ts'

/** State of a conversation, from a frame or a page. */
const standingOf = ({ state = 'idle', wait = null, agent = null }: Omit<ChatFrame, 't'>): ChatConversationStatus => ({
  state,
  wait,
  agent,
})

export interface ChatPerson {
  readonly user?: { readonly id: string; readonly name?: string; readonly data?: unknown }
  readonly userhash?: string
  readonly payload?: string
  /** A user of the console tries the bot: no figure counts the conversation. */
  readonly trial?: true
}

/** `onProgress`: called with what was sent so far, from 0 to 1. */
interface UploadOptions {
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

export type SendOutcome = 'sent' | 'stale' | 'refused'

interface ChatEvents {
  /** A new or resumed conversation: clears messages shown before. */
  opened(chat: OpenedChat, unsent: readonly StoredMessage[]): void
  /** New to this client, in order. */
  message(message: ChatMessage): void
  typing(name: string): void
  state(standing: ChatConversationStatus): void
  line(isConnected: boolean, unsent: number): void
  settled(id: string, outcome: SendOutcome, reason: string): void
  ended(reason: string): void
}

interface ClientOptions {
  readonly http: ChatHttp
  readonly channel: string
  readonly language: string
  readonly storage: ChatStorage
  readonly person: ChatPerson
  readonly events: ChatEvents
}

/** A token is renewed this long before its end. */
const RENEW_BEFORE_MS = 5 * 60_000
const TYPING_INTERVAL_MS = 3_000

/** One person's conversation: opens it, sends each message once, receives messages. */
export class ChatClient {
  readonly #options: ClientOptions
  /** The same object until the conversation is closed: a new token replaces its fields. */
  #chat: { readonly conversation: string; token: string; expires: string } | undefined
  /** Whether messages come by a stream; else with the answers to messages that are sent. */
  #isStreamed = true
  #stream: ChatStream | undefined
  #outbox: StoredMessage[] = []
  /** Messages sent before the conversation opens. */
  #early: StoredMessage[] = []
  #watermark = ''
  #known = new Set<string>()
  #isConnected = false
  #isFlushing = false
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewal: ReturnType<typeof setTimeout> | undefined
  #lastTyping = 0
  readonly #page = new AbortController()

  constructor(options: ClientOptions) {
    this.#options = options
    const { signal } = this.#page
    addEventListener('online', () => this.#back(), { signal })
    addEventListener('offline', () => this.#stream?.drop(), { signal })
    addEventListener(
      'storage',
      ({ key }) => {
        if (key === options.storage.key) void this.#follow()
      },
      { signal },
    )
  }

  /** Stops listening to the server and to the page; the conversation stays open. */
  stop(): void {
    this.#page.abort()
    this.#close()
  }

  get isOpen(): boolean {
    return this.#chat !== undefined
  }

  /** Whether something that the person said waits to be sent. */
  get hasUnsent(): boolean {
    return this.#early.length > 0 || (this.#options.storage.read()?.outbox ?? this.#outbox).length > 0
  }

  /** Resumes the stored conversation, else starts one. @throws the API's refusal */
  async open(): Promise<void> {
    // Two tabs that are opened together share one conversation: the second finds what the first stored.
    const key = this.#options.storage.key
    if (navigator.locks === undefined) return this.#begin()
    await navigator.locks.request(key, () => this.#begin())
  }

  /** Ends the conversation and begins a new one. */
  async restart(): Promise<void> {
    await this.end()
    this.#options.storage.write(undefined)
    await this.open()
  }

  async end(): Promise<void> {
    const chat = this.#chat
    if (chat === undefined) return
    this.#stream?.close()
    await this.#call(`/end`, 'POST', {}).catch(() => undefined)
    this.#close()
    this.#options.storage.write(undefined)
  }

  send(message: Outgoing, shown: string): void {
    const box = this.isOpen ? this.#outbox : this.#early
    box.push({ message, shown })
    this.#known.add(message.id)
    this.#store()
    void this.#flush()
  }

  /** @throws codes of refusals */
  async upload(file: File, options: UploadOptions): Promise<string> {
    const form = new FormData()
    form.append('file', file, file.name)
    return (await this.#call<{ id: string }>('/files', 'POST', form, options)).id
  }

  typing(): void {
    if (Date.now() - this.#lastTyping < TYPING_INTERVAL_MS) return
    this.#lastTyping = Date.now()
    this.#stream?.say({ t: 'typing' })
  }

  read(): void {
    this.#stream?.say({ t: 'read', position: this.#watermark })
  }

  #call<T>(path: string, method: 'GET' | 'POST', body?: unknown, more: Partial<UploadOptions> = {}): Promise<T> {
    const { conversation = '', token = '' } = this.#chat ?? {}
    const at = `/chat/conversations/${encodeURIComponent(conversation)}${path}`
    return this.#options.http.call<T>(at, { method, body, token, language: this.#options.language, ...more })
  }

  async #begin(): Promise<void> {
    const { storage } = this.#options
    const stored = storage.read()
    const opened = stored === undefined ? undefined : await this.#start(stored.token)
    const chat = opened ?? (await this.#start(undefined))
    if (chat === undefined) throw new ChatRefusal(404, 'chat.disabled', '', 1)
    const isSame = stored?.conversation === chat.conversation
    this.#outbox = [...(isSame ? stored.outbox : []), ...this.#early.splice(0)]
    this.#adopt(chat)
  }

  /** Undefined where the kept token is of no use any more. */
  async #start(resume: string | undefined): Promise<OpenedChat | undefined> {
    const { http, channel, language, person } = this.#options
    const body = { ...person, locale: language, ...(resume === undefined ? {} : { resume }) }
    try {
      const path = `/chat/${encodeURIComponent(channel)}/conversations`
      return await http.call<OpenedChat>(path, { method: 'POST', body, language })
    } catch (error) {
      const isUseless = error instanceof ChatRefusal && [400, 401, 403, 404, 409, 410, 422].includes(error.status)
      if (resume !== undefined && isUseless) return undefined
      throw error
    }
  }

  #adopt(chat: OpenedChat): void {
    const { storage, events } = this.#options
    const { conversation, token, expires, watermark, messages, theme } = chat
    this.#close()
    this.#chat = { conversation, token, expires }
    this.#watermark = watermark
    this.#known = new Set([...messages.map(({ id }) => id), ...this.#outbox.map(({ message }) => message.id)])
    storage.remember(theme?.remember !== false)
    this.#store()
    events.opened(chat, this.#outbox)
    this.#isStreamed = chat.stream !== null
    if (this.#isStreamed) this.#listen()
    this.#planRenewal()
    void this.#flush()
  }

  #listen(): void {
    const { http } = this.#options
    this.#stream = new ChatStream({
      http,
      conversation: this.#chat?.conversation ?? '',
      token: () => this.#chat?.token ?? '',
      after: () => this.#watermark,
      onFrame: frame => this.#hear(frame),
      onPage: page => this.#hearPage(page),
      onLine: (isConnected, code) => this.#setLine(isConnected, code),
    })
  }

  #close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#renewal)
    this.#stream?.close()
    this.#stream = undefined
    this.#chat = undefined
    this.#isFlushing = false
  }

  #setLine(isConnected: boolean, code?: number): void {
    this.#isConnected = isConnected
    if (isConnected && this.#outbox.length > 0) void this.#flush()
    if (code === 4401) void this.#renew()
    if (code === 4404) this.#options.events.ended('gone')
    this.#options.events.line(isConnected, this.#outbox.length)
  }

  #back(): void {
    this.#failures = 0
    this.#stream?.retry()
    void this.#flush()
  }

  #hear(frame: ChatFrame): void {
    const { events } = this.#options
    // The stream has held it back for its delay already.
    if (frame.t === 'message' && frame.message !== undefined) this.#take({ ...frame.message, delay: 0 })
    else if (frame.t === 'typing' && frame.from !== 'user' && frame.on !== false) events.typing(frame.name ?? '')
    else if (frame.t === 'state') events.state(standingOf(frame))
    else if (frame.t === 'ended') events.ended(frame.reason ?? '')
    this.#watermark = frame.position || this.#watermark
  }

  #hearPage({ messages, watermark, state, wait, agent }: MessagePage): void {
    for (const message of messages) this.#take(message)
    this.#watermark = watermark
    if (state === 'ended') this.#options.events.ended('')
    else this.#options.events.state(standingOf({ state, wait, ...(agent === undefined ? {} : { agent }) }))
  }

  #take(message: ChatMessage): void {
    this.#watermark = message.position
    if (this.#known.has(message.id)) return
    this.#known.add(message.id)
    this.#options.events.message(message)
  }

  #store(): void {
    if (this.#chat !== undefined) this.#options.storage.write({ ...this.#chat, outbox: this.#outbox })
  }

  /** Sends what waits, in order; each message keeps its id, so that the server takes it once. */
  async #flush(): Promise<void> {
    if (this.#isFlushing || this.#chat === undefined) return
    this.#isFlushing = true
    clearTimeout(this.#timer)
    const chat = this.#chat
    try {
      for (let [first] = this.#outbox; first !== undefined && chat === this.#chat; [first] = this.#outbox) {
        await this.#post(first.message)
        this.#failures = 0
      }
    } catch (error) {
      this.#failures += 1
      const after = error instanceof ChatRefusal ? error.retryAfter * 1000 : 0
      if (error instanceof ChatRefusal && error.status === 401) await this.#renew()
      this.#timer = setTimeout(() => void this.#flush(), Math.max(after, backoff(this.#failures)))
    } finally {
      if (chat === this.#chat) this.#isFlushing = false
    }
    const isConnected = this.#isConnected || !this.#isStreamed
    this.#options.events.line(isConnected && this.#failures === 0, this.#outbox.length)
  }

  /** @throws failures that a retry may mend */
  async #post(message: Outgoing): Promise<void> {
    try {
      const after = this.#isStreamed ? '' : `?after=${encodeURIComponent(this.#watermark)}`
      const answer = await this.#call<{ page?: MessagePage }>(`/messages${after}`, 'POST', message)
      if (answer.page !== undefined) this.#hearPage(answer.page)
      this.#settle(message.id, 'sent', '')
    } catch (error) {
      const isRefusal = error instanceof ChatRefusal && error.status < 500
      if (!isRefusal || [401, 408, 429].includes(error.status)) throw error
      this.#settle(message.id, error.code === 'chat.stale' ? 'stale' : 'refused', error.message)
    }
  }

  #settle(id: string, outcome: SendOutcome, reason: string): void {
    this.#outbox = this.#outbox.filter(({ message }) => message.id !== id)
    this.#store()
    this.#options.events.settled(id, outcome, reason)
  }

  #planRenewal(): void {
    const left = Date.parse(this.#chat?.expires ?? '') - Date.now() - RENEW_BEFORE_MS
    clearTimeout(this.#renewal)
    this.#renewal = setTimeout(() => void this.#renew(), Math.max(10_000, Number.isNaN(left) ? 25 * 60_000 : left))
  }

  async #renew(): Promise<void> {
    const chat = this.#chat
    if (chat === undefined) return
    try {
      const { token, expires } = await this.#call<{ token: string; expires: string }>('/token', 'POST', {})
      if (chat !== this.#chat) return
      Object.assign(chat, { token, expires })
      this.#store()
      this.#planRenewal()
      this.#stream?.retry()
    } catch (error) {
      if (chat !== this.#chat) return
      if (error instanceof ChatRefusal && error.status < 500) this.#options.events.ended('expired')
      else this.#renewal = setTimeout(() => void this.#renew(), backoff(5))
    }
  }

  /** Another tab has begun or ended a conversation: this one goes along. */
  async #follow(): Promise<void> {
    const stored = this.#options.storage.read()
    if (this.#chat === undefined || stored === undefined) return
    if (stored.conversation !== this.#chat.conversation) await this.open().catch(() => undefined)
    else Object.assign(this.#chat, { token: stored.token, expires: stored.expires })
  }
}
