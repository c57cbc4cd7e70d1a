import { h, icon, safeMedia } from './dom.ts'
import type { ViewContext } from './view-context.ts'

/** The button that opens and closes the chat, with what was said meanwhile. */
export class Launcher {
  readonly element: HTMLElement
  readonly #button: HTMLButtonElement
  readonly #teaser: HTMLElement
  readonly #words: HTMLButtonElement
  readonly #dismiss: HTMLButtonElement
  #unread = 0
  #isOpen = false

  constructor(onToggle: () => void) {
    this.#button = h('button', { type: 'button', class: 'bubble', onclick: onToggle })
    this.#words = h('button', { type: 'button', class: 'words', onclick: onToggle })
    this.#dismiss = h('button', { type: 'button', class: 'dismiss', onclick: () => this.#hide() }, icon('close', 14))
    this.#teaser = h('div', { class: 'teaser', hidden: true }, this.#dismiss, this.#words)
    this.element = h('div', { class: 'launcher' }, this.#teaser, this.#button)
  }

  focus(): void {
    this.#button.focus()
  }

  /** One more message than were seen. */
  unread(context: ViewContext, text: string): void {
    if (this.#isOpen) return
    this.#unread += 1
    this.#words.textContent = text.slice(0, 140)
    this.#dismiss.setAttribute('aria-label', context.t('dismiss'))
    this.#teaser.hidden = text === ''
    this.draw(context, this.#isOpen)
  }

  #hide(): void {
    this.#teaser.hidden = true
    this.focus()
  }

  draw(context: ViewContext, isOpen: boolean): void {
    const { t, look, base } = context
    const { icon: closedIcon, openIcon } = look.bubble
    this.#isOpen = isOpen
    if (isOpen) this.#unread = 0
    if (isOpen) this.#teaser.hidden = true
    const src = safeMedia(isOpen ? openIcon : closedIcon, base)
    const sign = src === undefined ? icon(isOpen ? 'close' : 'chat', 26) : h('img', { src, alt: '' })
    const count = h('span', { class: 'count', 'aria-hidden': 'true' }, String(this.#unread))
    this.#button.classList.toggle('open', isOpen)
    this.#button.replaceChildren(sign, ...(this.#unread > 0 ? [count] : []))
    this.#button.setAttribute('aria-expanded', String(isOpen))
    // The panel has its own button of that name.
    const text = this.#unread > 0 ? t('openunread', { count: this.#unread }) : t('open')
    this.#button.setAttribute('aria-label', text)
  }
}
