import { setTimeout as pause } from 'node:timers/promises'
import type { ChatMessage, ChatPage, Conversations } from '#runtime/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Refusal } from '#schemas/refusal.ts'
import type { ChatLimits } from './chat-port.ts'

/** Output of frames: a socket, or server-sent events. */
interface Sink {
  send(text: string, position: string): void
  /** Called with each ping: checks the reader, and sends the frame of `ping` along with that. */
  check?(ping: () => void): void
  /** Bytes that are not on their way yet. */
  pending(): number
  close(code: number): void
}

/** Frames of one protocol; undefined for events without a frame. */
export interface Frames {
  messages(messages: readonly ChatMessage[], page: ChatPage): readonly JsonObject[]
  state(page: ChatPage): JsonObject | undefined
  typing(position: string): JsonObject | undefined
  ended(position: string, reason: string | null): JsonObject | undefined
  ping(position: string): JsonObject | ''
}

const PAGE = 50
const CHECK_MS = 20

/** A delay of the bot is at most this long, ms. */
const MAX_DELAY_MS = 30_000

/**
 * Sends one conversation to one reader, by position, so that each message is sent exactly once. Reads on only when the
 * reader has taken the sent frames, so that its buffer stays bounded.
 */
export class Listener {
  readonly #conversations: Conversations
  readonly #conversation: string
  readonly #isOpen: () => Promise<boolean>
  readonly #frames: Frames
  readonly #sink: Sink
  readonly #limits: ChatLimits
  readonly #now: () => number
  readonly #stop: () => void
  readonly #ping: NodeJS.Timeout
  #position: string
  #state: ChatPage['state'] | undefined
  /** Agent last sent to the person, as JSON. */
  #agent = 'null'
  /** When the message before was shown, ms. */
  #shown = 0
  #isClosed = false
  #isRunning = false
  #isAgain = false
  #reason: string | undefined
  #isEndTold = false
  /** Ends the pause before a delayed message. */
  #pause: AbortController | undefined

  constructor(
    given: {
      readonly conversations: Conversations
      readonly conversation: string
      /** Whether the channel of the conversation is enabled. */
      readonly isOpen: () => Promise<boolean>
      readonly frames: Frames
      readonly sink: Sink
      readonly limits: ChatLimits
      readonly now?: (() => number) | undefined
    },
    after: string,
  ) {
    this.#conversations = given.conversations
    this.#conversation = given.conversation
    this.#isOpen = given.isOpen
    this.#frames = given.frames
    this.#sink = given.sink
    this.#limits = given.limits
    this.#now = given.now ?? Date.now
    this.#position = after
    this.#stop = given.conversations.follow(given.conversation, news => {
      if (news.kind === 'typing') return news.isTyping ? this.#write(this.#frames.typing(this.#position)) : undefined
      if (news.kind === 'ended') this.#reason = news.reason
      void this.run()
    })
    const ping = () => this.#write(this.#frames.ping(this.#position))
    const { check = ping => ping() } = given.sink
    this.#ping = setInterval(() => check(ping), given.limits.pingMs).unref()
  }

  /** Sends new messages, then those that arrived meanwhile. */
  async run(): Promise<void> {
    this.#isAgain = true
    if (this.#isRunning) {
      await this.#hurryUp()
      return
    }
    this.#isRunning = true
    try {
      while (this.#isAgain && !this.#isClosed) {
        this.#isAgain = false
        await this.#sendNew()
      }
    } catch {
      this.close(4503)
    } finally {
      this.#isRunning = false
    }
  }

  /** Ends it without a frame: the reader has disconnected. */
  stop(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#ping)
    this.#pause?.abort()
    this.#stop()
  }

  close(code: number): void {
    if (this.#isClosed) return
    this.stop()
    this.#sink.close(code)
  }

  async #sendNew(): Promise<void> {
    let page = await this.#page()
    while (page !== undefined && page.messages.length > 0 && !this.#isClosed) {
      for (const message of page.messages) await this.#sendMessage(message, page)
      page = await this.#page()
    }
    if (this.#isClosed) return
    if (page === undefined) return this.close(4404)
    await this.#untilTaken()
    const isFirst = this.#state === undefined
    const agent = JSON.stringify(page.agent)
    if (page.state !== this.#state || agent !== this.#agent) {
      this.#state = page.state
      this.#agent = agent
      this.#write(this.#frames.state(page))
      if (page.state === 'active') this.#write(this.#frames.typing(this.#position))
    }
    if (page.state === 'ended') this.#tellEnd(isFirst)
  }

  /** The reason comes with the news; for a conversation that was over before nobody tells one. */
  #tellEnd(isFirst: boolean): void {
    if (this.#isEndTold || (this.#reason === undefined && !isFirst)) return
    this.#isEndTold = true
    this.#write(this.#frames.ended(this.#position, this.#reason ?? null))
  }

  async #sendMessage(message: ChatMessage, page: ChatPage): Promise<void> {
    if ((await this.#untilDue(message)) && !(await this.#isOpen())) return this.close(4404)
    await this.#untilTaken()
    if (this.#isClosed) return
    this.#position = message.position
    for (const frame of this.#frames.messages([message], page)) this.#write(frame)
  }

  /** Waits for a message's delay, unless the person has answered. Returns whether it waited. */
  async #untilDue({ delay, from, time }: ChatMessage): Promise<boolean> {
    const start = Math.max(this.#shown, Date.parse(time))
    const wait = typeof delay === 'number' && from !== 'user' ? Math.min(delay, MAX_DELAY_MS) : 0
    const rest = start + wait - this.#now()
    const isDelayed = wait > 0 && rest > 0 && !(await this.#isAnswered())
    if (isDelayed) {
      this.#write(this.#frames.typing(this.#position))
      this.#pause = new AbortController()
      await pause(rest, undefined, { signal: this.#pause.signal }).catch(() => undefined)
      this.#pause = undefined
    }
    this.#shown = this.#now()
    return isDelayed
  }

  async #hurryUp(): Promise<void> {
    const waiting = this.#pause
    if (waiting !== undefined && (await this.#isAnswered())) waiting.abort()
  }

  async #isAnswered(): Promise<boolean> {
    const page = await this.#page()
    return page?.messages.some(({ from }) => from === 'user') === true
  }

  /** Waits until the reader has taken most of what was sent; one that stays behind is closed. */
  async #untilTaken(): Promise<void> {
    const until = performance.now() + this.#limits.slowMs
    while (!this.#isClosed && this.#sink.pending() > this.#limits.bufferBytes) {
      if (performance.now() > until) return this.close(4408)
      await pause(CHECK_MS)
    }
  }

  /** Undefined once the channel is disabled or the conversation is removed. */
  async #page(): Promise<ChatPage | undefined> {
    return (await this.#isOpen()) ? this.#conversations.read(this.#conversation, this.#position, PAGE) : undefined
  }

  #write(frame: JsonObject | '' | undefined): void {
    if (frame === undefined || this.#isClosed) return
    // A reader that takes nothing gets no pings either.
    if (this.#sink.pending() > 2 * this.#limits.bufferBytes) return
    this.#sink.send(frame === '' ? '' : JSON.stringify(frame), this.#position)
  }
}

/** Frames of `parley.chat.v1`. */
export const CHAT_FRAMES: Frames = {
  messages: messages => messages.map(message => ({ t: 'message', position: message.position, message })),
  state: ({ watermark, state, wait, agent }) => ({ t: 'state', position: watermark, state, wait, agent }),
  typing: position => ({ t: 'typing', position }),
  ended: (position, reason) => ({ t: 'ended', position, reason }),
  ping: position => ({ t: 'ping', position }),
}

/** Readers of this node, by conversation. */
export class Listeners {
  readonly #most: number
  readonly #open = new Map<string, Set<Listener>>()
  #isDraining = false

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined where one more may listen. */
  refusal(conversation: string): Refusal | undefined {
    if (this.#isDraining) return { code: 'server.draining' }
    const isFull = (this.#open.get(conversation)?.size ?? 0) >= this.#most
    return isFull ? { code: 'request.toomany', params: { retryAfter: 60 } } : undefined
  }

  /** Answers how to take it out again. */
  add(conversation: string, listener: Listener): () => void {
    const open = this.#open.get(conversation) ?? new Set()
    this.#open.set(conversation, open.add(listener))
    return () => {
      open.delete(listener)
      if (open.size === 0) this.#open.delete(conversation)
    }
  }

  /** Ends all of them; they come again to another node. */
  drain(): void {
    this.#isDraining = true
    for (const open of this.#open.values()) for (const listener of open) listener.close(4503)
  }
}
