import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { mediaView } from './card-view.ts'
import type { ChatMessage } from './chat-protocol.ts'
import { h, safeLink, safeMedia } from './dom.ts'
import { markdown } from './markdown.ts'
import type { ViewContext } from './view-context.ts'

/** Dates that an adaptive card formats itself: `{{DATE(2026-05-04T10:00:00Z,SHORT)}}`, `{{TIME(…)}}`. */
const MACRO = /\{\{(DATE|TIME)\(([^(),{}]+?)(?:,\s*(COMPACT|SHORT|LONG))?\s*\)\}\}/gu

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  COMPACT: { dateStyle: 'short' },
  SHORT: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  LONG: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
}

/** Formats dates and times for the language; keeps text that is not a valid date. */
export const withDates = (text: string, language: string): string =>
  text.replaceAll(MACRO, (whole, kind: string, written: string, style = 'COMPACT') => {
    const moment = Date.parse(written.trim())
    if (Number.isNaN(moment)) return whole
    const format = kind === 'TIME' ? ({ hour: '2-digit', minute: '2-digit' } as const) : STYLES[style]
    return new Intl.DateTimeFormat(language, format).format(moment)
  })

type Reader = () => Json

interface AdaptiveForm {
  readonly context: ViewContext
  readonly inputs: Map<string, { readonly read: Reader; readonly element: HTMLElement; readonly required: boolean }>
  /** Elements by the id of their part, for Action.ToggleVisibility. */
  readonly shown: Map<string, readonly HTMLElement[]>
  readonly submit: (action: JsonObject, button: HTMLElement) => void
}

const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(one => isObject(one)) : []

const MAX_DEPTH = 12

const keep = (form: AdaptiveForm, node: JsonObject, element: HTMLElement, read: Reader): void => {
  const id = text(node.id)
  if (id !== '') form.inputs.set(id, { read, element, required: node.isRequired === true })
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  'Input.Number': 'number',
  'Input.Date': 'date',
  'Input.Time': 'time',
}
const TEXT_STYLES: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', url: 'url', password: 'password' }

const lineInput = (form: AdaptiveForm, node: JsonObject): HTMLElement => {
  const isNumber = node.type === 'Input.Number'
  const type = INPUT_TYPES[text(node.type)] ?? TEXT_STYLES[text(node.style).toLowerCase()] ?? 'text'
  const shared = {
    placeholder: text(node.placeholder),
    'aria-label': node.label ? undefined : text(node.placeholder) || text(node.id),
    required: node.isRequired === true,
  }
  const input =
    node.isMultiline === true
      ? h('textarea', { ...shared, rows: 3 })
      : h('input', { ...shared, type, min: text(node.min) || undefined, max: text(node.max) || undefined })
  input.value = text(node.value)
  keep(form, node, input, () => (isNumber && input.value !== '' ? Number(input.value) : input.value))
  return h('label', { class: 'field' }, text(node.label), input)
}

const toggle = (form: AdaptiveForm, node: JsonObject): HTMLElement => {
  const [on, off] = [text(node.valueOn) || 'true', text(node.valueOff) || 'false']
  const input = h('input', { type: 'checkbox' })
  input.checked = text(node.value) === on
  keep(form, node, input, () => (input.checked ? on : off))
  return h('label', { class: 'field check' }, input, text(node.title))
}

const choiceSet = (form: AdaptiveForm, node: JsonObject): HTMLElement => {
  const choices = objects(node.choices)
  const chosen = new Set(text(node.value).split(','))
  if (node.isMultiSelect !== true) {
    const options = choices.map(one =>
      h('option', { value: text(one.value), selected: chosen.has(text(one.value)) }, text(one.title)),
    )
    const label = node.label ? undefined : text(node.placeholder) || text(node.id)
    const none = h('option', { value: '' }, text(node.placeholder))
    const select = h('select', { required: node.isRequired === true, 'aria-label': label }, none, ...options)
    keep(form, node, select, () => select.value)
    return h('label', { class: 'field' }, text(node.label), select)
  }
  const boxes = choices.map(one => {
    const input = h('input', { type: 'checkbox', value: text(one.value), checked: chosen.has(text(one.value)) })
    return { input, view: h('label', { class: 'field check' }, input, text(one.title)) }
  })
  const set = h(
    'div',
    { role: 'group', 'aria-label': text(node.label) || text(node.id) },
    ...boxes.map(box => box.view),
  )
  keep(form, node, boxes[0]?.input ?? set, () =>
    boxes.flatMap(({ input }) => (input.checked ? [input.value] : [])).join(','),
  )
  return set
}

type Draw = (form: AdaptiveForm, node: JsonObject, depth: number) => readonly HTMLElement[]

const words = ({ context }: AdaptiveForm, value: Json | undefined): string => withDates(text(value), context.language)

/** `implied`: the type that a child may leave out. */
const within = (form: AdaptiveForm, value: Json | undefined, depth: number, implied = ''): HTMLElement[] =>
  objects(value).flatMap(child => element(form, child, depth + 1, implied))

const textBlock: Draw = (form, node) =>
  ['large', 'extralarge'].includes(text(node.size).toLowerCase()) || text(node.weight).toLowerCase() === 'bolder'
    ? [h('h3', { dir: 'auto' }, words(form, node.text))]
    : markdown(words(form, node.text))

const richTextBlock: Draw = (form, node) => {
  const inlines = Array.isArray(node.inlines) ? node.inlines : []
  return [h('p', { dir: 'auto' }, inlines.map(one => words(form, isObject(one) ? one.text : one)).join(''))]
}

const image: Draw = ({ context }, node) => {
  const src = safeMedia(text(node.url), context.base)
  return src === undefined ? [] : [h('img', { class: 'top', src, alt: text(node.altText) })]
}

const media: Draw = ({ context }, node) => {
  const [source] = objects(node.sources)
  const kind = text(source?.mimeType).startsWith('audio') ? 'Audio' : 'Video'
  return [h('div', {}, ...mediaView(context, { url: text(source?.url), kind, title: text(node.altText) }))]
}

const facts: Draw = (form, node) => [
  h(
    'dl',
    { class: 'sum' },
    ...objects(node.facts).flatMap(one => [h('dt', {}, words(form, one.title)), h('dd', {}, words(form, one.value))]),
  ),
]

const table: Draw = (form, node, depth) => {
  const className = node.showGridLines === false ? 'cell' : 'cell lined'
  const rows = objects(node.rows).map((row, place) => {
    const tag = place === 0 && node.firstRowAsHeader !== false ? 'th' : 'td'
    const cells = objects(row.cells).map(cell => h(tag, { class: className }, ...within(form, cell.items, depth + 1)))
    return h('tr', {}, ...cells)
  })
  return [h('table', { class: 'grid' }, ...rows)]
}

const pages: Draw = (form, node, depth) => [
  h(
    'div',
    { class: 'lane', tabindex: 0, role: 'group', 'aria-label': form.context.t('cards') },
    ...objects(node.pages).flatMap(page => container(form, page, depth)),
  ),
]

const container: Draw = (form, node, depth) => [h('div', { class: 'part' }, ...within(form, node.items, depth))]
const columns: Draw = (form, node, depth) => [
  h('div', { class: 'cols' }, ...within(form, node.columns, depth, 'Column')),
]
const images: Draw = (form, node, depth) => [h('div', { class: 'cols' }, ...within(form, node.images, depth, 'Image'))]

/** Renderer of each element type. A type missing here blocks publishing (`unsupportedTypes`). */
const DRAWN: Readonly<Record<string, Draw>> = {
  TextBlock: textBlock,
  RichTextBlock: richTextBlock,
  Image: image,
  Media: media,
  Container: container,
  Column: container,
  ColumnSet: columns,
  ImageSet: images,
  FactSet: facts,
  Table: table,
  Carousel: pages,
  ActionSet: (form, node, depth) => actionViews(form, node.actions, depth),
  'Input.Text': (form, node) => [lineInput(form, node)],
  'Input.Number': (form, node) => [lineInput(form, node)],
  'Input.Date': (form, node) => [lineInput(form, node)],
  'Input.Time': (form, node) => [lineInput(form, node)],
  'Input.Toggle': (form, node) => [toggle(form, node)],
  'Input.ChoiceSet': (form, node) => [choiceSet(form, node)],
}

/** Elements that a press carries out the action of. */
const selectable = (form: AdaptiveForm, action: JsonObject, inner: readonly HTMLElement[], depth: number) => {
  const href = action.type === 'Action.OpenUrl' ? safeLink(text(action.url)) : undefined
  if (href !== undefined)
    return [h('a', { class: 'pressed', href, target: '_blank', rel: 'noopener noreferrer' }, ...inner)]
  const [button] = actionViews(form, [action], depth)[0]?.children ?? []
  if (!(button instanceof HTMLButtonElement)) return inner
  button.className = 'pressed'
  button.replaceChildren(...inner)
  return [button]
}

const element = (form: AdaptiveForm, node: JsonObject, depth: number, implied = ''): readonly HTMLElement[] => {
  if (depth > MAX_DEPTH) return []
  const draw = DRAWN[text(node.type) || implied]
  if (draw === undefined) return isObject(node.fallback) ? element(form, node.fallback, depth + 1, implied) : []
  const drawn = draw(form, node, depth)
  const made = isObject(node.selectAction) ? selectable(form, node.selectAction, drawn, depth) : drawn
  if (node.isVisible === false) for (const each of made) each.hidden = true
  const id = text(node.id)
  if (id !== '') form.shown.set(id, made)
  return made
}

const toggleTargets = ({ shown }: AdaptiveForm, targets: Json | undefined): void => {
  for (const target of Array.isArray(targets) ? targets : []) {
    const [id, isVisible] = isObject(target) ? [text(target.elementId), target.isVisible] : [text(target), undefined]
    for (const each of shown.get(id) ?? []) each.hidden = typeof isVisible === 'boolean' ? !isVisible : !each.hidden
  }
}

/** A card that a button of another card opens and closes. */
const innerCard = (form: AdaptiveForm, card: JsonObject, depth: number): HTMLElement => {
  const inner = h(
    'div',
    { class: 'inner' },
    ...within(form, card.body, depth),
    ...actionViews(form, card.actions, depth),
  )
  inner.hidden = true
  return inner
}

const titleOf = ({ context }: AdaptiveForm, action: JsonObject): string => text(action.title) || context.t('send')

/** The buttons of a card or of an ActionSet, and below them the cards that they open. */
const actionViews = (form: AdaptiveForm, actions: Json | undefined, depth: number): HTMLElement[] => {
  if (depth > MAX_DEPTH) return []
  const opened: { readonly button: HTMLElement; readonly card: HTMLElement }[] = []
  const button = (action: JsonObject, className: string, press: (pressed: HTMLElement) => void) => {
    const made = h('button', { type: 'button', class: className, onclick: () => press(made) }, titleOf(form, action))
    return made
  }
  const open = (chosen: HTMLElement) => {
    for (const each of opened) {
      each.card.hidden = each.card !== chosen || !each.card.hidden
      each.button.setAttribute('aria-expanded', String(!each.card.hidden))
    }
  }
  const view = (action: JsonObject): HTMLElement | undefined => {
    switch (action.type) {
      case 'Action.OpenUrl': {
        const href = safeLink(text(action.url))
        const title = text(action.title) || href
        if (href === undefined) return undefined
        return h('a', { class: 'row', href, target: '_blank', rel: 'noopener noreferrer' }, title)
      }
      case 'Action.Submit':
      case 'Action.Execute':
        return button(action, 'primary', pressed => form.submit(action, pressed))
      case 'Action.ToggleVisibility':
        return button(action, 'plain', () => toggleTargets(form, action.targetElements))
      case 'Action.ShowCard': {
        const card = innerCard(form, isObject(action.card) ? action.card : {}, depth + 1)
        const opener = button(action, 'plain', () => open(card))
        opener.setAttribute('aria-expanded', 'false')
        opened.push({ button: opener, card })
        return opener
      }
      default:
        return isObject(action.fallback) ? view(action.fallback) : undefined
    }
  }
  const buttons = objects(actions).flatMap(action => view(action) ?? [])
  return buttons.length === 0 ? [] : [h('div', { class: 'acts' }, ...buttons), ...opened.map(({ card }) => card)]
}

/** Data of an action and what was typed in. Data that are a text are sent as that text where nothing was typed in. */
const submitted = (data: Json | undefined, values: JsonObject): Json => {
  if (isObject(data)) return { ...data, ...values }
  if (data === undefined || data === null) return values
  return Object.keys(values).length === 0 ? data : { data, ...values }
}

type Input = AdaptiveForm['inputs'] extends Map<string, infer Held> ? Held : never

/** A button sends the inputs of its card and of those around it, not those of a card that another button opens. */
const isFor =
  (pressed: HTMLElement) =>
  ([, { element: input }]: readonly [string, Input]): boolean =>
    input.closest('.inner')?.contains(pressed) ?? true

const isMissed = ({ required, read, element: input }: Input): boolean =>
  required && String(read()).trim() === '' && input.offsetParent !== null

/** An adaptive card, drawn with the elements of the chat. */
export const adaptiveView = (context: ViewContext, message: ChatMessage): HTMLElement => {
  const fault = h('p', { class: 'state bad', role: 'alert', hidden: true })
  const submit = (action: JsonObject, pressed: HTMLElement) => {
    const inputs = action.associatedInputs === 'none' ? [] : [...form.inputs].filter(isFor(pressed))
    const [, empty] = inputs.find(([, input]) => isMissed(input)) ?? []
    fault.hidden = empty === undefined
    fault.textContent = context.t('required')
    if (empty !== undefined) return empty.element.focus()
    const values = Object.fromEntries(inputs.map(([id, { read }]) => [id, read()]))
    context.sendData('submit', message, submitted(action.data, values), text(action.title) || context.t('submitted'))
  }
  const form: AdaptiveForm = { context, inputs: new Map(), shown: new Map(), submit }
  const body = within(form, message.body, 0)
  const own = objects(message.actions as unknown as Json).filter(({ type }) => text(type).startsWith('Action.'))
  const isMissing = message.submit === true && !own.some(({ type }) => type === 'Action.Submit')
  const all = isMissing ? [...own, { type: 'Action.Submit', title: context.t('send') }] : own
  return h('div', { class: 'card' }, h('div', { class: 'form' }, ...body, fault, ...actionViews(form, [...all], 0)))
}
