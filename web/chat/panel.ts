import type { ChatMenuEntry } from '#schemas/chat-look.ts'
import type { ChatWait } from './chat-protocol.ts'
import { Composer } from './composer.ts'
import { type ChatTexts, h, icon, safeLink, safeMedia } from './dom.ts'
import { LogView } from './log-view.ts'
import { initials } from './message-view.ts'
import type { ViewContext } from './view-context.ts'

interface PanelActions {
  send(text: string, isMasked: boolean): void
  file(file: File): void
  typing(): void
  menu(entry: ChatMenuEntry): void
  end(): void
  begin(): void
  retry(): void
  close(): void
}

type PanelState = 'talk' | 'ended' | 'error' | 'closed'

/** The words of a menu entry: its own, or those of the chat. */
export const menuTitle = (t: ChatTexts, { id, title = '' }: ChatMenuEntry): string =>
  id === 'bot' ? t('tobot') : title === '' && (id === 'restart' || id === 'agent') ? t(id) : title

/** Takes the place of the entry that calls an agent, while there is one. */
const TO_BOT: ChatMenuEntry = { id: 'bot' }

/** The window of the chat: header with menu, what was said, and where one writes. */
export class ChatPanel {
  readonly element: HTMLElement
  readonly log: LogView
  readonly composer: Composer
  readonly #actions: PanelActions
  readonly #head = h('div', { class: 'head' })
  readonly #line = h('div', { class: 'banner-line', role: 'status', hidden: true })
  readonly #notice = h('div', { class: 'notice', hidden: true })
  #context: ViewContext
  #entries: readonly ChatMenuEntry[] = []
  #menu: HTMLElement | undefined
  #agent = ''
  #isWaiting = false
  /** Place in the queue and expected wait, in words; empty: not known. */
  #place = ''
  /** Asks for patience until the place is known. */
  #waitLine: HTMLElement | undefined

  constructor(context: ViewContext, actions: PanelActions) {
    this.#context = context
    this.#actions = actions
    const { t } = context
    this.log = new LogView(context)
    this.composer = new Composer({ t, onSend: actions.send, onFile: actions.file, onTyping: actions.typing })
    this.element = h(
      'div',
      {
        class: 'panel',
        role: 'dialog',
        'aria-label': t('chat'),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#head,
      this.log.element,
      this.#notice,
      this.#line,
      this.composer.element,
    )
    this.dress(context, [])
  }

  /** Another look or menu: a conversation was opened, or the preview changed. */
  dress(context: ViewContext, entries: readonly ChatMenuEntry[]): void {
    this.#context = context
    this.#entries = entries
    this.element.setAttribute('aria-label', context.look.header.title || context.t('chat'))
    this.#drawHead()
  }

  /** Sets the speaker: the bot, or this agent. */
  withAgent(name: string | undefined): void {
    this.#isWaiting = false
    this.#place = ''
    this.#waitLine = undefined
    this.#agent = name === undefined ? '' : name || this.#context.t('attendant')
    this.#drawHead()
  }

  /** An agent was asked for and is not there yet. The desk writes the first place itself, so only later ones are spoken. */
  awaitAgent(position?: number, wait = ''): void {
    const { t } = this.#context
    const before = this.#place
    this.#place =
      position === undefined
        ? ''
        : wait === ''
          ? t('place', { place: position })
          : t('placewait', { place: position, wait })
    if (this.#isWaiting && this.#place === before) return
    this.#agent = ''
    this.#isWaiting = true
    this.#drawHead()
    if (this.#place === '') this.#waitLine ??= this.log.line(t('waitagent'), 'agent')
    else {
      this.#waitLine?.remove()
      if (before !== '') this.log.announce(this.#place)
    }
  }

  get agent(): string {
    return this.#agent
  }

  follow(wait: ChatWait | null): void {
    const { look, t } = this.#context
    const isClosed = look.answer.closedByButtons && this.#agent === '' && this.log.hasAnswer
    const closed = isClosed ? look.answer.disabledTooltip || t('buttons') : ''
    this.composer.follow(wait, { closed, to: this.#agent })
  }

  offline(isOffline: boolean, unsent: number): void {
    const { t } = this.#context
    this.#line.hidden = !isOffline
    if (!isOffline) return
    const text = unsent === 0 ? t('reconnecting') : unsent === 1 ? t('keptone') : t('kept', { count: unsent })
    this.#line.replaceChildren(icon('offline'), h('span', {}, h('b', {}, t('offline')), text))
  }

  /** Tells the owner of the page why its site cannot open the chat. */
  explainOrigin(site: string): void {
    this.#notice.append(h('p', { class: 'owner' }, this.#context.t('refusedsite', { site })))
  }

  /** `isKept`: messages wait for the chat to open. */
  show(state: PanelState, isKept = false): void {
    const { t, look } = this.#context
    this.log.element.style.display = state === 'talk' || state === 'ended' ? 'contents' : 'none'
    this.composer.element.hidden = state !== 'talk'
    this.#notice.hidden = state === 'talk'
    this.#notice.style.flex = state === 'ended' ? 'none' : ''
    if (state === 'ended') {
      const begin = h('button', { type: 'button', class: 'primary', onclick: this.#actions.begin }, t('begin'))
      this.#notice.replaceChildren(h('p', {}, t('ended')), begin)
      this.log.announce(t('ended'))
    } else if (state !== 'talk') this.#explain(state, isKept)
    this.#notice.setAttribute('role', state === 'error' ? 'alert' : 'status')
    this.#head.querySelector<HTMLElement>('.to-menu')?.toggleAttribute('hidden', state !== 'talk')
    if (look.header.title === '') this.element.setAttribute('aria-label', t('chat'))
  }

  focusRetry(): void {
    this.#notice.querySelector('button')?.focus()
  }

  closeMenu(): boolean {
    if (this.#menu === undefined) return false
    this.#menu.remove()
    this.#menu = undefined
    const button = this.#head.querySelector<HTMLElement>('.to-menu')
    button?.setAttribute('aria-expanded', 'false')
    button?.focus()
    return true
  }

  #explain(state: 'error' | 'closed', isKept: boolean): void {
    const { t, look, base } = this.#context
    const { title, message, link } = look.error
    const isError = state === 'error'
    const href = safeLink(link ?? undefined)
    const src = isError ? undefined : safeMedia(look.header.logo, base)
    this.#notice.replaceChildren(
      src === undefined ? '' : h('img', { class: 'logo', src, alt: '' }),
      h('h3', {}, isError ? title || t('errortitle') : t('closedtitle')),
      h('p', {}, isError ? message || t(isKept ? 'errorkept' : 'errortext') : look.offline || t('closedtext')),
      h('button', { type: 'button', class: 'primary', onclick: this.#actions.retry }, t('retry')),
      href === undefined ? '' : h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, t('elsewhere')),
    )
  }

  #drawHead(): void {
    const { look, t, base } = this.#context
    const { header, avatar } = look
    const isAgent = this.#agent !== ''
    const src = safeMedia(isAgent ? avatar.agent : header.logo, base)
    const title = isAgent ? this.#agent : header.title
    const subtitle = isAgent ? t('withagent') : this.#isWaiting ? this.#place || t('waitagent') : header.subtitle
    const logo =
      src !== undefined
        ? h('img', { class: 'logo', src, alt: isAgent ? '' : header.logoTitle })
        : isAgent
          ? h('span', { class: 'logo letters', 'aria-hidden': 'true' }, initials(title))
          : undefined
    const face = logo === undefined ? undefined : h('span', { class: isAgent ? 'face on' : 'face' }, logo)
    const toggle = () => this.#toggleMenu()
    const menu = h(
      'button',
      {
        type: 'button',
        class: 'to-menu',
        'aria-label': t('menu'),
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
        onclick: toggle,
      },
      icon('menu'),
    )
    const close = h(
      'button',
      { type: 'button', class: 'to-close', 'aria-label': t('close'), onclick: this.#actions.close },
      icon('minimize'),
      icon('close'),
    )
    const titles = h('div', { class: 'titles' }, h('h2', {}, title || t('chat')), subtitle && h('p', {}, subtitle))
    this.#menu = undefined
    this.#head.replaceChildren(...[face, titles, menu, close].filter(each => each !== undefined))
  }

  #toggleMenu(): void {
    if (this.closeMenu()) return
    const { t } = this.#context
    const run = (act: () => void) => () => {
      this.closeMenu()
      act()
    }
    const item = (text: string, act: () => void) =>
      h('button', { type: 'button', role: 'menuitem', tabindex: -1, onclick: run(act) }, text)
    this.#menu = h(
      'div',
      { class: 'menu', role: 'menu', 'aria-label': t('menu') },
      ...this.#offered().map(entry => item(menuTitle(t, entry), () => this.#actions.menu(entry))),
      item(t('end'), () => this.#actions.end()),
    )
    this.#head.append(this.#menu)
    this.#head.querySelector('.to-menu')?.setAttribute('aria-expanded', 'true')
    this.#menu.querySelector<HTMLElement>('button')?.focus()
  }

  #offered(): readonly ChatMenuEntry[] {
    if (this.#agent === '' && !this.#isWaiting) return this.#entries
    return [TO_BOT, ...this.#entries.filter(({ id }) => id !== 'agent')]
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (!this.closeMenu()) this.#actions.close()
    } else if (this.#menu !== undefined) this.#moveInMenu(event)
  }

  #moveInMenu(event: KeyboardEvent): void {
    const items = [...(this.#menu?.querySelectorAll('button') ?? [])]
    const at = items.indexOf((this.element.getRootNode() as ShadowRoot).activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Tab') this.closeMenu()
    if (to === undefined) return
    event.preventDefault()
    items[(to + items.length) % items.length]?.focus()
  }
}
