import type { ChatWait } from './chat-protocol.ts'
import { type ChatTexts, h, icon } from './dom.ts'

/** Bytes of one attachment, where the chat names no other limit. */
export const MAX_FILE_BYTES = 1_048_576
const MAX_TEXT = 4_000

interface ComposerOptions {
  readonly t: ChatTexts
  onSend(text: string, isMasked: boolean): void
  onFile(file: File): void
  onTyping(): void
}

const MODES: Readonly<Record<string, string>> = { number: 'decimal' }

/** Input of the chat: several lines, or one hidden line for a masked answer. */
export class Composer {
  readonly element: HTMLElement
  readonly #options: ComposerOptions
  readonly #lines: HTMLTextAreaElement
  readonly #masked: HTMLInputElement
  readonly #file: HTMLInputElement
  readonly #buttons: readonly HTMLButtonElement[]
  #isMasked = false

  constructor(options: ComposerOptions) {
    this.#options = options
    const { t, onTyping } = options
    const shared = {
      maxlength: MAX_TEXT,
      'aria-label': t('write'),
      placeholder: t('write'),
      oninput: () => {
        this.#grow()
        onTyping()
      },
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    }
    this.#lines = h('textarea', { ...shared, rows: 1, enterkeyhint: 'send' })
    this.#masked = h('input', { ...shared, class: 'word', type: 'password', autocomplete: 'off', hidden: true })
    this.#file = h('input', {
      type: 'file',
      class: 'quiet',
      tabindex: -1,
      'aria-hidden': 'true',
      onchange: () => this.#take(),
    })
    const clip = h(
      'button',
      { type: 'button', 'aria-label': t('attach'), onclick: () => this.#file.click() },
      icon('clip'),
    )
    const send = h(
      'button',
      { type: 'button', class: 'send', 'aria-label': t('send'), onclick: () => this.#send() },
      icon('send'),
    )
    this.#buttons = [clip, send]
    this.element = h('div', { class: 'foot' }, clip, this.#file, this.#lines, this.#masked, send)
  }

  get #field(): HTMLTextAreaElement | HTMLInputElement {
    return this.#isMasked ? this.#masked : this.#lines
  }

  focus(): void {
    this.#field.focus()
  }

  chooseFile(): void {
    this.#file.click()
  }

  /** As the waiting question wants it; `closed` says why nothing can be written, '' where something can. */
  follow(wait: ChatWait | null, { closed, to }: { readonly closed: string; readonly to: string }): void {
    const isMasked = wait?.mask === true
    const hadFocus = (this.element.getRootNode() as ShadowRoot).activeElement === this.#field
    if (isMasked !== this.#isMasked) this.#field.value = ''
    this.#isMasked = isMasked
    this.#lines.hidden = isMasked
    this.#masked.hidden = !isMasked
    const { t } = this.#options
    const label = closed || (isMasked ? t('answer') : to === '' ? t('write') : t('writeto', { name: to }))
    for (const field of [this.#lines, this.#masked]) {
      field.disabled = closed !== ''
      field.placeholder = label
      field.title = closed
      field.setAttribute('aria-label', label)
      field.inputMode = MODES[wait?.kind ?? ''] ?? 'text'
    }
    for (const button of this.#buttons) button.disabled = closed !== ''
    if (hadFocus && closed === '') this.focus()
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    this.#send()
  }

  #send(): void {
    const text = this.#field.value.trim()
    if (text !== '' && !this.#field.disabled) {
      this.#field.value = ''
      this.#grow()
      this.#options.onSend(text, this.#isMasked)
    }
    this.focus()
  }

  #take(): void {
    const [file] = this.#file.files ?? []
    this.#file.value = ''
    if (file !== undefined) this.#options.onFile(file)
  }

  #grow(): void {
    this.#lines.style.height = 'auto'
    this.#lines.style.height = `${Math.min(132, this.#lines.scrollHeight + 2)}px`
  }
}
