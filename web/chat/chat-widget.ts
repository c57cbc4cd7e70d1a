import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import { alertOfAgent } from './agent-alert.ts'
import { ChatClient, type ChatPerson } from './chat-client.ts'
import { type ChatHttp, ChatRefusal, createChatHttp } from './chat-http.ts'
import type { ChatConversationStatus, ChatMessage, ChatState, ChatWait, OpenedChat, Outgoing } from './chat-protocol.ts'
import { type ChatStorage, createChatStorage } from './chat-storage.ts'
import { applyChatStyles, defaultLook } from './chat-styles.ts'
import { MAX_FILE_BYTES } from './composer.ts'
import { type ChatTexts, chatLanguage, createTexts, h, spokenLanguage } from './dom.ts'
import { Launcher } from './launcher.ts'
import { plainText } from './markdown.ts'
import { ChatPanel, menuTitle } from './panel.ts'
import type { ViewContext } from './view-context.ts'

/** Longest delay that is kept, ms: a wrong one must not hold a conversation back. */
const MAX_DELAY_MS = 20_000

/** Holds messages back as long as they say, one after the other; an input lets all of them through. */
export class Pace {
  readonly #waiting: ChatMessage[] = []
  readonly #show: (message: ChatMessage) => void
  readonly #hold: (isHeld: boolean, message: ChatMessage | undefined) => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(show: (message: ChatMessage) => void, hold: (isHeld: boolean, message: ChatMessage | undefined) => void) {
    this.#show = show
    this.#hold = hold
  }

  take(message: ChatMessage): void {
    this.#waiting.push(message)
    if (this.#timer === undefined) this.#next()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const message of this.#waiting.splice(0)) this.#show(message)
    this.#hold(false, undefined)
  }

  /** Nothing of an earlier conversation is shown in the next. */
  clear(): void {
    this.#waiting.length = 0
    this.flush()
  }

  #next(): void {
    const [first] = this.#waiting
    this.#timer = undefined
    if (first === undefined) this.#hold(false, undefined)
    else this.#present(first)
  }

  #present(first: ChatMessage): void {
    const delay = Math.min(MAX_DELAY_MS, first.delay ?? 0)
    const show = () => {
      this.#waiting.shift()
      this.#show(first)
      this.#next()
    }
    if (delay > 0) {
      this.#hold(true, first)
      this.#timer = setTimeout(show, delay)
    } else show()
  }
}

interface WidgetOptions {
  readonly channel: string
  /** Origin of the chat API. */
  readonly base: string
  readonly language: string
  readonly person: ChatPerson
  /** Open from the start, and without a launcher: the page is the chat. */
  readonly isHosted: boolean
  /** A line above the messages. */
  readonly note?: string
  /** Called with the conversation when it opens, after each message and change of state. */
  readonly onNews?: (conversation: string, message?: ChatMessage) => void
}

const TYPING_MS = 5_000
const DOUBLE_CLICK_MS = 700
const MEGABYTE = 1_048_576
const MASK = '••••••'
const DARK = '(prefers-color-scheme: dark)'

/** Look of a channel's chat, and the languages that its bot has words in. */
const fetchLook = (http: ChatHttp, channel: string) =>
  http.call<{ look: ChatLook; languages?: readonly string[] }>(`/chat/${encodeURIComponent(channel)}/look`)

/** The language in which a channel's bot and this person talk; none where the server does not answer. */
export const askLanguage = async (base: string, channel: string): Promise<string> => {
  try {
    const { languages } = await fetchLook(createChatHttp(base), channel)
    return spokenLanguage([document.documentElement.lang, ...navigator.languages], languages ?? [])
  } catch {
    return ''
  }
}

/** The web chat on a page: launcher and window in an open shadow root. */
export class ChatWidget {
  readonly #options: WidgetOptions
  readonly #t: ChatTexts
  readonly #language: ReturnType<typeof chatLanguage>
  readonly #http: ChatHttp
  readonly #storage: ChatStorage
  readonly #root: ShadowRoot
  readonly #box: HTMLElement
  readonly #client: ChatClient
  readonly #launcher: Launcher
  readonly #panel: ChatPanel
  readonly #pace: Pace
  /** Chromium fires no `change` on a list that is read between a switch and the next frame: `#dress` reads another one. */
  readonly #colorsSwitched = matchMedia(DARK)
  #look: ChatLook = defaultLook()
  #menu: readonly ChatMenuEntry[] = []
  #conversation = ''
  #state: ChatState = 'idle'
  #wait: ChatWait | null = null
  #isOpen = false
  #maxFile = MAX_FILE_BYTES
  #isEnded = false
  /** Whether the chat's server answers this page. */
  #isReached = Promise.resolve(false)
  #typing: ReturnType<typeof setTimeout> | undefined
  #pressed = { button: '', at: 0 }

  constructor(host: HTMLElement, options: WidgetOptions) {
    this.#options = options
    this.#language = chatLanguage([options.language, document.documentElement.lang, ...navigator.languages])
    this.#t = createTexts(this.#language)
    this.#http = createChatHttp(options.base)
    this.#storage = createChatStorage(options.channel)
    this.#root = host.attachShadow({ mode: 'open' })
    this.#box = h('div', { class: options.isHosted ? 'root hosted' : 'root', lang: this.#language })
    this.#root.append(this.#box)
    this.#launcher = new Launcher(() => this.toggle())
    this.#panel = this.#makePanel()
    this.#pace = new Pace(
      message => this.#show(message),
      (isHeld, message) => this.#panel.log.typing(isHeld, message?.from === 'agent' ? (message.name ?? '') : ''),
    )
    this.#client = this.#makeClient()
    this.#panel.element.hidden = true
    this.#box.append(this.#panel.element, ...(options.isHosted ? [] : [this.#launcher.element]))
    this.#colorsSwitched.addEventListener('change', () => this.#dress())
    this.#dress()
  }

  /** Fetches the look, restores the open panel, resumes the stored chat. */
  async start(): Promise<void> {
    const wasOpen = this.#options.isHosted || this.#storage.wasOpen
    if (wasOpen) this.#setOpen(true)
    const asked = fetchLook(this.#http, this.#options.channel).catch(() => undefined)
    this.#isReached = asked.then(look => look !== undefined)
    if (wasOpen || this.#storage.read() !== undefined) void this.#begin()
    const found = await asked
    if (found === undefined || this.#client.isOpen) return
    this.#look = found.look
    this.#dress()
  }

  toggle(): void {
    if (this.#isOpen) this.close()
    else this.open()
  }

  open(): void {
    this.#setOpen(true)
    if (!this.#client.isOpen && !this.#isEnded) void this.#begin()
    this.#client.read()
    this.#panel.composer.focus()
  }

  close(): void {
    if (this.#options.isHosted) return
    this.#setOpen(false)
    this.#launcher.focus()
  }

  /** Ends all connections, before the host is removed from its page. */
  stop(): void {
    clearTimeout(this.#typing)
    this.#pace.clear()
    this.#client.stop()
  }

  get #context(): ViewContext {
    return {
      t: this.#t,
      look: this.#look,
      language: this.#language,
      ...{ base: this.#options.base, isMet: this.#storage.met.is },
      press: (message, action) => {
        if (this.#isRepeated(`${message.id} ${action.id}`)) return
        const shown = action.type === 'imBack' ? (action.value ?? action.title) : action.title
        this.#send({ type: 'choice', value: action.id, of: message.id }, shown || this.#t('skip'))
      },
      sendText: (text, shown) => this.#send({ type: 'text', text }, shown),
      sendData: (type, message, data, shown) => {
        if (!this.#isRepeated(`${message.id} ${shown}`)) this.#send({ type, data, of: message.id }, shown)
      },
      shareLocation: () => this.#shareLocation(),
      chooseFile: () => this.#panel.composer.chooseFile(),
    }
  }

  /** Whether the same button was pressed a moment ago: a double click is one press. */
  #isRepeated(button: string): boolean {
    const isSame = this.#pressed.button === button && Date.now() - this.#pressed.at < DOUBLE_CLICK_MS
    this.#pressed = { button, at: Date.now() }
    return isSame
  }

  #makePanel(): ChatPanel {
    return new ChatPanel(this.#context, {
      send: (text, isMasked) => this.#send({ type: 'text', text }, isMasked ? MASK : text),
      file: file => void this.#sendFile(file),
      typing: () => this.#client.typing(),
      menu: entry => this.#send({ type: 'menu', value: entry.id }, menuTitle(this.#t, entry)),
      end: () => void this.#end(),
      begin: () => void this.#beginAgain(),
      retry: () => void this.#begin(),
      close: () => this.close(),
    })
  }

  #makeClient(): ChatClient {
    return new ChatClient({
      http: this.#http,
      channel: this.#options.channel,
      language: this.#language,
      storage: this.#storage,
      person: this.#options.person,
      events: {
        opened: (chat, unsent) => {
          this.#fill(chat)
          if (unsent.length > 0) this.#pace.flush()
          for (const { message, shown } of unsent) this.#panel.log.addOwn(message.id, shown, true)
        },
        message: message => {
          this.#hear(message)
          this.#options.onNews?.(this.#conversation, message)
        },
        typing: name => this.#showTyping(name),
        state: standing => {
          this.#follow(standing)
          this.#options.onNews?.(this.#conversation)
        },
        line: (isConnected, unsent) => this.#panel.offline(!isConnected && this.#client.isOpen, unsent),
        settled: (id, outcome, reason) => this.#panel.log.settle(id, outcome, reason),
        ended: () => this.#showEnded(),
      },
    })
  }

  async #begin(): Promise<void> {
    this.#panel.show('talk')
    this.#panel.log.typing(true)
    try {
      await this.#client.open()
    } catch (error) {
      const isFocused = this.#root.activeElement !== null
      this.#panel.log.typing(false)
      const isClosed = error instanceof ChatRefusal && error.status === 409
      this.#panel.show(isClosed ? 'closed' : 'error', this.#client.hasUnsent)
      if (isFocused) this.#panel.focusRetry()
      if (!(error instanceof ChatRefusal) && (await this.#isReached)) this.#explainRefusal()
    }
  }

  /** A browser hides why another origin refuses. The look is open to all: with it only the origin can be the reason. */
  #explainRefusal(): void {
    this.#panel.explainOrigin(location.origin)
    console.warn(
      `The chat did not open: ${location.origin} is not one of the sites of channel ${this.#options.channel}. ` +
        "Allow it on the bot's overview, under “Put it on a site”.",
    )
  }

  async #beginAgain(): Promise<void> {
    this.#isEnded = false
    this.#storage.write(undefined)
    await this.#begin()
    this.#panel.composer.focus()
  }

  async #end(): Promise<void> {
    await this.#client.end()
    this.#showEnded()
  }

  #fill(chat: OpenedChat): void {
    this.#conversation = chat.conversation
    this.#look = chat.theme ?? this.#look
    this.#menu = chat.menu
    this.#isEnded = false
    this.#maxFile = chat.maxfile ?? MAX_FILE_BYTES
    this.#pace.clear()
    this.#panel.withAgent(undefined)
    this.#dress()
    this.#panel.show('talk')
    this.#panel.log.clear(this.#context)
    if (this.#options.note !== undefined) this.#panel.log.line(this.#options.note)
    // Messages of a new conversation are paced; restored ones appear at once.
    for (const message of chat.messages) {
      if (chat.resumed === true) this.#panel.log.add(message, false)
      else this.#pace.take(message)
    }
    this.#panel.log.scrollToEnd()
    this.#options.onNews?.(
      chat.conversation,
      chat.messages.findLast(({ from }) => from === 'bot'),
    )
    this.#follow({ agent: null, ...chat, state: chat.state ?? (chat.wait === null ? 'idle' : 'waiting') })
  }

  #hear(message: ChatMessage): void {
    if (message.from === 'agent') this.#meetAgent(message.name ?? '')
    if (message.from === 'user') this.#pace.flush()
    this.#pace.take(message)
  }

  #show(message: ChatMessage): void {
    this.#panel.log.typing(false)
    this.#panel.log.add(message, true)
    if (message.wait !== undefined) this.#wait = message.wait
    this.#panel.follow(this.#wait)
    if (this.#isOpen) this.#client.read()
    else if (message.from !== 'user')
      this.#launcher.unread(this.#context, plainText(message.text ?? message.title ?? ''))
  }

  #showTyping(name: string): void {
    clearTimeout(this.#typing)
    this.#panel.log.typing(true, this.#state === 'agent' ? name || this.#panel.agent : '')
    this.#typing = setTimeout(() => this.#panel.log.typing(false), TYPING_MS)
  }

  #follow({ state, wait, agent }: ChatConversationStatus): void {
    this.#state = state
    this.#wait = wait
    if (state === 'agent' && agent?.isWaiting === true) this.#panel.awaitAgent(agent.position, agent.wait ?? '')
    else if (state === 'agent') this.#meetAgent(agent?.name ?? '')
    else if (state !== 'active') this.#panel.withAgent(undefined)
    if (state === 'ended') this.#showEnded()
    this.#panel.follow(wait)
  }

  #meetAgent(name: string): void {
    const before = this.#panel.agent
    if (before !== '' && (name === '' || name === before)) return
    this.#panel.withAgent(name)
    if (name !== '') this.#panel.log.line(this.#t('joined', { name }), 'agent')
    if (before === '' && this.#look.agentAlert.enabled) alertOfAgent(this.#look.agentAlert.sound)
  }

  #send(content: Omit<Outgoing, 'id'>, shown: string): void {
    this.#pace.flush()
    const id = crypto.randomUUID()
    this.#panel.log.addOwn(id, shown, !navigator.onLine || !this.#client.isOpen)
    this.#client.send({ id, ...content }, shown)
    this.#storage.met.mark()
    this.#panel.follow(this.#wait)
    this.#panel.composer.focus()
  }

  async #sendFile(file: File): Promise<void> {
    const { name } = file
    if (file.size > this.#maxFile) {
      const max = String(Math.floor(this.#maxFile / MEGABYTE))
      this.#panel.log.line(this.#t('toolarge', { name, max }))
      return
    }
    if (!this.#client.isOpen) return
    const { log } = this.#panel
    const id = crypto.randomUUID()
    this.#pace.flush()
    log.addOwn(id, name, true, file)
    log.announce(this.#t('uploading', { name }))
    await this.#upload(id, file)
  }

  async #upload(id: string, file: File): Promise<void> {
    const { log } = this.#panel
    const controller = new AbortController()
    const { signal } = controller
    const cancel = () => controller.abort()
    const onProgress = (share: number) => signal.aborted || log.progress(id, share, cancel)
    onProgress(0)
    try {
      const uploaded = await this.#client.upload(file, { signal, onProgress })
      log.uploaded(id)
      this.#client.send({ id, type: 'attachment', attachments: [uploaded] }, file.name)
    } catch (error) {
      if (signal.aborted) return log.remove(id)
      const isRefused = error instanceof ChatRefusal
      const reason = isRefused ? error.message : this.#t('cut')
      const words = [this.#t('noupload', { name: file.name }), reason].filter(each => each !== '').join(': ')
      // After a cut connection the server may have the file: the same again is not stored twice.
      log.failed(id, words, isRefused ? undefined : () => void this.#upload(id, file))
    }
  }

  #shareLocation(): void {
    navigator.geolocation?.getCurrentPosition(
      ({ coords: { latitude, longitude } }) =>
        this.#send({ type: 'location', data: { latitude, longitude } }, this.#t('mylocation')),
      () => this.#panel.log.line(this.#t('nolocation')),
    )
  }

  #showEnded(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#pace.flush()
    this.#storage.write(undefined)
    this.#panel.offline(false, 0)
    this.#panel.show('ended')
  }

  #dress(): void {
    applyChatStyles(this.#root, this.#box, this.#look, { isDark: matchMedia(DARK).matches })
    this.#panel.dress(this.#context, this.#menu)
    if (!this.#client?.isOpen && !this.#panel.log.hasOwn) this.#panel.log.clear(this.#context)
    this.#launcher.draw(this.#context, this.#isOpen)
  }

  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#panel.element.hidden = !isOpen
    this.#box.classList.toggle('is-open', isOpen)
    this.#launcher.draw(this.#context, isOpen)
    if (isOpen) this.#panel.log.scrollToEnd()
    this.#storage.setOpen(isOpen)
  }
}
