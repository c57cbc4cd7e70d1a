import type { ChatLook } from '#schemas/chat-look.ts'
import { h } from './dom.ts'
import { Launcher } from './launcher.ts'
import { ChatPanel } from './panel.ts'
import { dressRoot } from './sheet.ts'
import { chatLanguage, createTexts } from './text.ts'
import type { ViewContext } from './view-context.ts'
import type { ChatMessage } from './wire.ts'

/** States in which the look of a chat is edited. */
export const PREVIEW_STATES = ['talk', 'agent', 'closed', 'error'] as const
export type PreviewState = (typeof PREVIEW_STATES)[number]

/** What is said in the preview. */
export interface ChatSample {
  readonly hello: string
  readonly person: string
  readonly question: string
  readonly options: readonly string[]
  readonly card: { readonly title: string; readonly text: string; readonly button: string }
  readonly agent: { readonly name: string; readonly text: string }
}

interface SampleOptions {
  readonly look: ChatLook
  readonly state: PreviewState
  readonly sample: ChatSample
  readonly language: string
}

const nothing = () => undefined

const messagesOf = ({ hello, person, question, options, card }: ChatSample): readonly ChatMessage[] => {
  const base = { id: '', position: '', time: '', type: 'text' }
  const actions = options.map((title, at) => ({ id: String(at + 1), type: 'reply', title }))
  const button = { id: '1', type: 'postBack', title: card.button }
  return [
    { ...base, from: 'bot', text: hello },
    { ...base, from: 'user', text: person },
    { ...base, from: 'bot', type: 'card', title: card.title, text: card.text, actions: [button] },
    { ...base, from: 'bot', text: question, actions },
  ]
}

/** Draws a chat that nobody talks to into an element, as often as its look changes. */
export const showChatSample = (host: HTMLElement, { look, state, sample, language }: SampleOptions): void => {
  const spoken = chatLanguage([language])
  const t = createTexts(spoken)
  const context: ViewContext = {
    ...{ t, look, language: spoken, base: '' },
    ...{ press: nothing, sendText: nothing, sendData: nothing, shareLocation: nothing, chooseFile: nothing },
  }
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const panel = new ChatPanel(context, {
    ...{ send: nothing, file: nothing, typing: nothing, menu: nothing },
    ...{ end: nothing, begin: nothing, retry: nothing, close: nothing },
  })
  const launcher = new Launcher(nothing)
  launcher.draw(context, state !== 'closed')
  for (const message of messagesOf(sample)) panel.log.add(message, false)
  if (state === 'agent') {
    panel.withAgent(sample.agent.name)
    panel.log.line(t('joined', { name: sample.agent.name }), 'agent')
    const agent = { id: '', position: '', time: '', type: 'text', from: 'agent' as const }
    panel.log.add({ ...agent, name: sample.agent.name, text: sample.agent.text }, false)
  } else panel.show(state)
  panel.follow(null)
  const box = h('div', { class: 'root' }, panel.element, launcher.element)
  root.replaceChildren(box)
  dressRoot(root, box, look, matchMedia('(prefers-color-scheme: dark)').matches)
  panel.log.scrollToEnd()
}
