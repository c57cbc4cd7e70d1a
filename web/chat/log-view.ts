import { calendarView, timeView } from './calendar-view.ts'
import { actionButton } from './card-view.ts'
import type { SendOutcome } from './chat-client.ts'
import type { ChatAction, ChatMessage, ChatWait } from './chat-protocol.ts'
import { h, icon, safeMedia } from './dom.ts'
import { markdown } from './markdown.ts'
import { announcementOf, contentView, messageRow, ownFileView, speakerOf } from './message-view.ts'
import { isReply, type ViewContext } from './view-context.ts'

type AnswerShape = 'chips' | 'list' | 'dropdown' | 'none'

const AUTO_BUTTONS = 3

/** Display of options: a dropdown from `dropdownFrom` options on. */
export const shapeOf = (count: number, list: string, dropdownFrom: number | null): AnswerShape => {
  if (count === 0) return 'none'
  const isLong = dropdownFrom !== null && count >= dropdownFrom
  if (isLong && list !== 'inline') return 'dropdown'
  if (list === 'list') return 'list'
  if (list === 'auto') return count <= AUTO_BUTTONS ? 'chips' : 'list'
  return 'chips'
}

/** Rows of a list before the rest is folded. */
const SHOWN_ROWS = 6

const chips = (context: ViewContext, message: ChatMessage, actions: readonly ChatAction[]): HTMLElement =>
  h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': context.t('choose') },
    ...actions.map(action => actionButton(context, message, action, action.type === 'skip' ? 'chip skip' : 'chip')),
  )

const list = (context: ViewContext, message: ChatMessage, actions: readonly ChatAction[]): HTMLElement => {
  const rows = actions.map(action => {
    const row = actionButton(context, message, action, 'row')
    row.append(icon('right', 18))
    return row
  })
  const rest = rows.slice(SHOWN_ROWS)
  const isFolded = rest.length > 1
  for (const row of isFolded ? rest : []) row.hidden = true
  const unfold = (event: Event) => {
    for (const row of rest) row.hidden = false
    ;(event.currentTarget as HTMLElement).remove()
    rest[0]?.focus()
  }
  const more = isFolded
    ? h(
        'button',
        { type: 'button', class: 'row', onclick: unfold },
        context.t('more', { count: rest.length }),
        icon('down', 18),
      )
    : undefined
  return h('div', { class: 'card list rows', role: 'group', 'aria-label': context.t('choose') }, ...rows, more)
}

const dropdown = (context: ViewContext, message: ChatMessage, actions: readonly ChatAction[]): HTMLElement => {
  const { t } = context
  const options = actions.map(({ id, title }) => h('option', { value: id }, title))
  const select = h('select', { 'aria-label': t('choose') }, h('option', { value: '' }, t('choose')), ...options)
  const send = () => {
    const action = actions.find(({ id }) => id === select.value)
    if (action === undefined) select.focus()
    else context.press(message, action)
  }
  return h(
    'div',
    { class: 'card pick' },
    select,
    h('button', { type: 'button', class: 'primary', onclick: send }, t('send')),
  )
}

/** Control beside the field for other question kinds: calendar, location or file. */
const helper = (context: ViewContext, { kind, calendar, days }: ChatWait): HTMLElement | undefined => {
  const { t, look } = context
  if (kind === 'time' && look.answer.calendar) {
    if (calendar === 'date' || calendar === 'datetime') return calendarView(context, calendar === 'datetime', days)
    if (calendar === 'time') return timeView(context)
  }
  const button = (name: 'pin' | 'clip', text: string, run: () => void) => {
    const made = h('button', { type: 'button', class: 'chip', onclick: run }, icon(name, 18), text)
    made.style.gap = '8px'
    return h('div', { class: 'chips' }, made)
  }
  if (kind === 'location') return button('pin', t('share'), context.shareLocation)
  if (kind === 'attachment') return button('clip', t('attach'), context.chooseFile)
  return undefined
}

/** Everything by which a message can be answered without writing; it goes once an answer is given. */
const answerView = (context: ViewContext, message: ChatMessage): HTMLElement | undefined => {
  const replies = (message.actions ?? []).filter(isReply)
  const options = replies.filter(({ type }) => type !== 'skip')
  const skips = replies.filter(({ type }) => type === 'skip')
  const shape = shapeOf(options.length, message.wait?.list ?? 'button', context.look.answer.dropdownFrom)
  const draw = { chips, list, dropdown }
  const parts = [
    message.wait === undefined ? undefined : helper(context, message.wait),
    shape === 'none' || shape === 'chips' ? undefined : draw[shape](context, message, options),
    shape === 'chips'
      ? chips(context, message, replies)
      : skips.length > 0
        ? chips(context, message, skips)
        : undefined,
  ].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : h('div', { class: 'side answer' }, ...parts)
}

/** Silence after which a message is preceded by its time. */
const PAUSE_MS = 30 * 60_000
const DAY_MS = 86_400_000

const localeOf = (language: string): string => (language === 'pt' ? 'pt-BR' : language)
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Whether so much time lies between two messages that the second one says when it came. */
const isPause = (before: number, at: number): boolean => at - before > PAUSE_MS

/** `09:15`. */
const timeText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: '2-digit', minute: '2-digit' }).format(at)

/** `today, 09:15`, `yesterday, 09:15`, else the date with the time. */
const momentText = (at: number, language: string, now = Date.now()): string => {
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS)
  const day =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium' }).format(at)
  return `${day}, ${timeText(at, language)}`
}

/** Pixels from the end within which the log follows what comes. */
const NEAR_END = 120

/** Whether there is something to press on a message: below it, or on one of its cards. */
const hasButtons = ({ actions = [], cards = [] }: ChatMessage): boolean =>
  [{ actions }, ...cards].some(each => (each.actions ?? []).length > 0)

export class LogView {
  readonly element: HTMLElement
  readonly #spoken = h('div', { class: 'quiet', 'aria-live': 'polite', role: 'status' })
  readonly #log: HTMLElement
  readonly #typing = h('div', { class: 'turn bot', hidden: true })
  readonly #own = new Map<string, { readonly turn: HTMLElement; readonly state: HTMLElement }>()
  /** When something was said last, ms since 1970; 0 for nothing yet. */
  #last = 0
  /** Whether the end is in view: then the log scrolls along as content, such as pictures, loads. */
  #isAtEnd = true
  /** Last scroll position: while it increases (smooth scroll), the log counts as at its end. */
  #top = 0
  #context: ViewContext

  constructor(context: ViewContext) {
    this.#context = context
    this.#log = h('div', {
      class: 'log',
      role: 'log',
      tabindex: 0,
      'aria-live': 'off',
      'aria-label': context.t('messages'),
    })
    this.#log.addEventListener('scroll', () => {
      const { scrollTop } = this.#log
      if (scrollTop < this.#top || this.#isNearEnd) this.#isAtEnd = this.#isNearEnd
      this.#top = scrollTop
    })
    // Neither event bubbles.
    for (const event of ['load', 'loadedmetadata'])
      this.#log.addEventListener(event, () => this.#isAtEnd && this.#follow(), true)
    // The foot grows as a question comes or the conversation ends, the window shrinks as a keyboard opens.
    new ResizeObserver(() => this.#isAtEnd && this.#follow()).observe(this.#log)
    this.element = h('div', { style: 'display:contents' }, this.#log, this.#spoken)
    this.clear(context)
  }

  clear(context: ViewContext): void {
    this.#context = context
    this.#own.clear()
    this.#last = 0
    this.#log.replaceChildren(...this.#welcome(), this.#typing)
    this.typing(false)
  }

  add(message: ChatMessage, isAnnounced: boolean): void {
    this.#mark(Date.parse(message.time))
    const content = contentView(this.#context, message)
    const turn = messageRow(this.#context, message, content)
    if (message.from !== 'user') {
      this.#dropAnswers()
      if (hasButtons(message)) this.#endButtons()
      const answer = answerView(this.#context, message)
      if (answer !== undefined) turn.querySelector('.side')?.append(answer)
      if (isAnnounced) this.announce(announcementOf(this.#context, message))
    } else this.answered()
    turn.dataset.message = String(message.id)
    this.#append(turn)
  }

  /** Shows the person's own message at once; its state follows later. */
  addOwn(id: string, shown: string, isWaiting: boolean, file?: File): void {
    this.#mark(Date.now())
    const { t } = this.#context
    const words = file === undefined ? t('waiting') : t('uploading', { name: file.name })
    const state = h('span', { class: 'state', hidden: !isWaiting }, words)
    const said = file === undefined ? h('div', { class: 'say' }, ...markdown(shown)) : ownFileView(this.#context, file)
    const turn = messageRow(this.#context, { from: 'user' }, [said, state])
    this.#own.set(id, { turn, state })
    this.answered()
    this.#append(turn)
    this.#follow()
  }

  /** Words of the person that another tab or the server already shows. */
  has(id: string): boolean {
    return this.#own.has(id)
  }

  get hasOwn(): boolean {
    return this.#own.size > 0
  }

  /** Shows how much of a file is sent, with a button that cancels it. */
  progress(id: string, share: number, cancel: () => void): void {
    const own = this.#own.get(id)
    if (own === undefined) return
    const { t } = this.#context
    const percent = Math.floor(share * 100)
    own.state.hidden = false
    const bar = own.state.querySelector('progress') ?? h('progress', { max: '100', 'aria-label': t('progress') })
    bar.value = percent
    if (bar.isConnected) {
      const words = own.state.querySelector('.percent')
      if (words !== null) words.textContent = `${percent} %`
      return
    }
    const button = h('button', { class: 'link', type: 'button' }, t('cancel'))
    button.addEventListener('click', cancel)
    own.state.replaceChildren(bar, h('span', { class: 'percent' }, `${percent} %`), button)
  }

  /** The file is there; its message is on the way. */
  uploaded(id: string): void {
    this.#own.get(id)?.state.replaceChildren(this.#context.t('waiting'))
  }

  /** A file that could not be sent, with a button that sends it again. */
  failed(id: string, reason: string, retry: (() => void) | undefined): void {
    this.settle(id, 'refused', reason)
    const state = this.#own.get(id)?.state
    if (state === undefined || retry === undefined) return
    const button = h('button', { class: 'link', type: 'button' }, this.#context.t('again'))
    button.addEventListener('click', retry)
    state.append(' ', button)
  }

  /** Takes away what the person has not sent after all. */
  remove(id: string): void {
    this.#own.get(id)?.turn.remove()
    this.#own.delete(id)
  }

  waiting(id: string): void {
    const own = this.#own.get(id)
    if (own !== undefined) own.state.hidden = false
  }

  settle(id: string, outcome: SendOutcome, reason: string): void {
    const own = this.#own.get(id)
    if (own === undefined) return
    const { t } = this.#context
    const text = outcome === 'stale' ? t('stale') : [t('notsent'), reason].filter(each => each !== '').join(': ')
    own.state.hidden = outcome === 'sent'
    own.state.textContent = text
    own.state.classList.toggle('bad', outcome !== 'sent')
    if (outcome !== 'sent') this.announce(text)
  }

  typing(isOn: boolean, name = ''): void {
    this.#typing.hidden = !isOn
    if (!isOn) return
    const from = name === '' ? 'bot' : 'agent'
    const who = speakerOf(this.#context, name === '' ? { from } : { from, name }).name
    const dots = h('div', { class: 'say typing', role: 'img', 'aria-label': this.#context.t('typing', { name: who }) })
    dots.append(h('i'), h('i'), h('i'))
    const beside =
      name === '' ? [] : [h('span', { class: 'state', 'aria-hidden': 'true' }, this.#context.t('typing', { name }))]
    const fresh = messageRow(this.#context, name === '' ? { from } : { from, name }, [dots, ...beside])
    this.#typing.className = `turn ${from}`
    this.#typing.replaceChildren(...fresh.children)
    this.#log.append(this.#typing)
    this.#follow()
  }

  /** A line between messages: an agent joined, the conversation ended. */
  line(text: string, sign?: 'agent'): HTMLElement {
    const at = sign === undefined ? '' : ` · ${timeText(Date.now(), this.#context.language)}`
    const line = h('p', { class: 'line' }, sign && icon(sign, 16), text, at)
    this.#append(line)
    this.announce(text)
    return line
  }

  announce(text: string): void {
    this.#spoken.textContent = text
  }

  /** An answer was given: options go, and buttons of earlier messages end where the bot wants that. */
  answered(): void {
    this.#dropAnswers()
    this.#endButtons()
  }

  #endButtons(): void {
    if (!this.#context.look.answer.staleButtons) return
    for (const button of this.#log.querySelectorAll<HTMLButtonElement>('.turn .rows button, .turn .form button'))
      button.disabled = true
  }

  focus(): void {
    this.#log.focus()
  }

  get hasAnswer(): boolean {
    return this.#log.querySelector('.answer [data-action], .answer select') !== null
  }

  scrollToEnd(): void {
    this.#follow()
  }

  #welcome(): HTMLElement[] {
    const { look, base, language, isMet = false } = this.#context
    if (isMet) return []
    const { banner, emoji, message } = look.welcome
    const tips = look.tips.filter(tip => tip.language === language)
    if (banner === null && emoji === null && message === '' && tips.length === 0) return []
    const [top, figure] = [safeMedia(banner, base), safeMedia(emoji, base)]
    return [
      h(
        'div',
        { class: 'welcome' },
        top === undefined ? undefined : h('img', { class: 'banner', src: top, alt: '' }),
        figure === undefined ? undefined : h('img', { class: 'emoji', src: figure, alt: '' }),
        ...markdown(message),
        tips.length === 0
          ? undefined
          : h('ul', { class: 'tips' }, ...tips.map(({ text }) => h('li', {}, ...markdown(text)))),
      ),
    ]
  }

  #dropAnswers(): void {
    for (const old of this.#log.querySelectorAll('.answer')) {
      const hadFocus = old.contains((this.#log.getRootNode() as ShadowRoot).activeElement)
      old.remove()
      // The focused element was removed: keeps focus inside the chat.
      if (hadFocus) this.focus()
    }
  }

  /** Says when, at the beginning and after a pause. */
  #mark(at: number): void {
    if (Number.isNaN(at)) return
    const isNew = isPause(this.#last, at)
    this.#last = at
    if (isNew) this.#append(h('p', { class: 'line' }, momentText(at, this.#context.language)))
  }

  #append(element: HTMLElement): void {
    const isFollowed = this.#isAtEnd || this.#isNearEnd
    this.#log.insertBefore(element, this.#typing.isConnected ? this.#typing : null)
    if (isFollowed) this.#follow()
  }

  get #isNearEnd(): boolean {
    return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < NEAR_END
  }

  #follow(): void {
    this.#isAtEnd = true
    this.#log.scrollTop = this.#log.scrollHeight
  }
}
