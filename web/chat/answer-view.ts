import { calendarView, timeView } from './calendar-view.ts'
import { actionButton } from './card-view.ts'
import type { ChatAction, ChatMessage, ChatWait } from './chat-protocol.ts'
import { h, icon } from './dom.ts'
import { isReply, type ViewContext } from './view-context.ts'

type AnswerShape = 'chips' | 'list' | 'dropdown' | 'none'

const AUTO_BUTTONS = 3

/** Display of options (RUNTIME 40): a dropdown from `dropdownFrom` options on. */
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
export const answerView = (context: ViewContext, message: ChatMessage): HTMLElement | undefined => {
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
