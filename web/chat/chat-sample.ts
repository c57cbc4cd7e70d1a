import type { ChatLook } from '#schemas/chat-look.ts'
import type { ChatCard, ChatMessage, ChatWait } from './chat-protocol.ts'
import { applyChatStyles, sheetOf } from './chat-styles.ts'
import { chatLanguage, createTexts, h } from './dom.ts'
import { Launcher } from './launcher.ts'
import { ChatPanel } from './panel.ts'
import type { ViewContext } from './view-context.ts'

/** States in which the look of a chat is edited. */
export const PREVIEW_STATES = ['bubble', 'welcome', 'talk', 'answers', 'agent', 'closed', 'error'] as const
export type PreviewState = (typeof PREVIEW_STATES)[number]
export type PreviewDevice = 'desktop' | 'phone'

export interface ChatSample {
  readonly hello: string
  readonly person: string
  readonly question: string
  readonly options: readonly string[]
  readonly card: { readonly title: string; readonly text: string; readonly button: string }
  readonly offer: { readonly title: string; readonly text: string; readonly button: string }
  readonly answers: { readonly options: string; readonly day: string; readonly sound: string; readonly film: string }
  readonly agent: { readonly name: string; readonly text: string }
}

interface SampleOptions {
  readonly look: ChatLook
  readonly state: PreviewState
  readonly sample: ChatSample
  readonly language: string
  readonly device: PreviewDevice
  /** Fields of chatinterface whose colour cannot be seen: their place is dashed. */
  readonly faults: readonly string[]
}

const nothing = () => undefined

const MESSAGE = { id: '', position: '', time: '', from: 'bot', type: 'text' } as const
const WAIT: ChatWait = { kind: 'choice', list: 'auto', mask: false, skip: false, unit: '', calendar: '' }
const replies = (titles: readonly string[]) =>
  titles.map((title, at) => ({ id: String(at + 1), type: 'reply', title, value: title }))
const press = (title: string, id = '1') => ({ id, type: 'postBack', title })

/** A picture of nothing in particular, in two colours of the chat's own. */
const pictureOf = (ground: string, figure: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 18"><path fill="${ground}" d="M0 0h32v18H0z"/><path fill="${figure}" d="M11 10a5 5 0 0 1 10 0zM15.6 0h.8v6h-.8z"/></svg>`,
  )}`

const talkOf = ({ hello, person, question, options, card, offer }: ChatSample): readonly ChatMessage[] => {
  const cards: readonly ChatCard[] = ['#dde6e1', '#e8dcc5'].map((ground, at) => ({
    ...{ title: card.title, text: card.text, image: pictureOf(ground, '#5e5b54') },
    actions: [press(card.button, `${at}`)],
  }))
  return [
    { ...MESSAGE, text: hello },
    { ...MESSAGE, from: 'user', text: person },
    { ...MESSAGE, type: 'carousel', cards },
    {
      ...MESSAGE,
      type: 'card',
      title: offer.title,
      text: offer.text,
      actions: [press(offer.button), press(card.button)],
    },
    { ...MESSAGE, text: question, actions: replies(options), wait: WAIT },
  ]
}

const answersOf = ({ answers, options }: ChatSample, from: number | null): readonly ChatMessage[] => {
  const many = Array.from({ length: from ?? 5 }, (_, at) => `${options[at % options.length]} ${at + 1}`)
  const media = { ...MESSAGE, type: 'media', url: `${location.origin}/botadmin/`, aspectRatio: '16:9' }
  return [
    { ...media, kind: 'Audio', title: answers.sound },
    { ...media, kind: 'Video', title: answers.film },
    { ...MESSAGE, text: answers.options, actions: replies(many), wait: WAIT },
    { ...MESSAGE, text: answers.day, wait: { ...WAIT, kind: 'time', calendar: 'date' } },
  ]
}

/** Places of the colours that may be too close to their ground, by field. */
const PLACES: Readonly<Record<string, string>> = {
  menu_button_color: '.to-menu',
  close_button_color: '.to-close',
  bubble_first_icon_color: '.bubble:not(.open)',
  bubble_second_icon_color: '.bubble.open',
  sendmessage_background: '.send',
}

const dashed = (faults: readonly string[]): CSSStyleSheet | undefined => {
  const places = faults.flatMap(field => PLACES[field] ?? [])
  if (places.length === 0) return undefined
  return sheetOf(`${places.join(',')}{outline:2px dashed #b7191c!important;outline-offset:2px}`)
}

const fill = (panel: ChatPanel, { look, state, sample }: SampleOptions, t: ViewContext['t']): void => {
  const add = (messages: readonly ChatMessage[]) => {
    for (const message of messages) {
      // Keeps answers visible that a later message would remove.
      for (const answer of panel.log.element.querySelectorAll('.answer')) answer.classList.remove('answer')
      panel.log.add(message, false)
    }
  }
  if (state === 'answers') add(answersOf(sample, look.answer.dropdownFrom))
  else if (state === 'welcome' || state === 'bubble') add(talkOf(sample).slice(0, 1))
  else if (state === 'talk' || state === 'agent') add(talkOf(sample))
  if (state === 'closed' || state === 'error') panel.show(state)
  if (state !== 'agent') return
  const { name, text } = sample.agent
  panel.withAgent(name)
  panel.log.line(t('joined', { name }), 'agent')
  add([{ ...MESSAGE, from: 'agent', name, text }])
}

/** Draws a chat that nobody talks to into an element, as often as its look changes. */
export const showChatSample = (host: HTMLElement, options: SampleOptions): void => {
  const { look, state, sample, language, device, faults } = options
  const spoken = chatLanguage([language])
  const t = createTexts(spoken)
  const context: ViewContext = {
    ...{ t, look, language: spoken, base: '' },
    ...{ press: nothing, sendText: nothing, sendData: nothing, shareLocation: nothing, chooseFile: nothing },
  }
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  host.dataset.inline = device
  const panel = new ChatPanel(context, {
    ...{ send: nothing, file: nothing, typing: nothing, menu: nothing },
    ...{ end: nothing, begin: nothing, retry: nothing, close: nothing },
  })
  const launcher = new Launcher(nothing)
  const isOpen = state !== 'bubble'
  launcher.draw(context, isOpen)
  if (!isOpen) launcher.unread(context, sample.hello)
  fill(panel, options, t)
  panel.follow(null)
  panel.element.hidden = !isOpen
  const box = h('div', { class: isOpen ? 'root is-open' : 'root' }, panel.element, launcher.element)
  root.replaceChildren(box)
  applyChatStyles(root, box, look, { isDark: matchMedia('(prefers-color-scheme: dark)').matches, unit: 'cqh' })
  const places = dashed(faults)
  if (places !== undefined) root.adoptedStyleSheets = [...root.adoptedStyleSheets, places]
  panel.log.scrollToEnd()
}
