import { isObject } from '#domain/flow/document/json.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { h, safeLink, safeMedia } from './dom.ts'
import { markdown } from './markdown.ts'
import type { ViewContext } from './view-context.ts'
import type { ChatMessage } from './wire.ts'

type Reader = () => Json

interface AdaptiveForm {
  readonly context: ViewContext
  readonly inputs: Map<string, { readonly read: Reader; readonly element: HTMLElement; readonly required: boolean }>
}

const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(one => isObject(one)) : []

const MAX_DEPTH = 8

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

const element = (form: AdaptiveForm, node: JsonObject, depth = 0): HTMLElement[] => {
  if (depth > MAX_DEPTH || node.isVisible === false) return []
  const inner = (value: Json | undefined) => objects(value).flatMap(child => element(form, child, depth + 1))
  switch (node.type) {
    case 'TextBlock':
      return text(node.size) === 'large' || text(node.weight).toLowerCase() === 'bolder'
        ? [h('h3', {}, text(node.text))]
        : markdown(text(node.text))
    case 'RichTextBlock':
      return [
        h(
          'p',
          {},
          objects(node.inlines)
            .map(one => text(one.text))
            .join(''),
        ),
      ]
    case 'Image': {
      const src = safeMedia(text(node.url), form.context.base)
      return src === undefined ? [] : [h('img', { class: 'top', src, alt: text(node.altText) })]
    }
    case 'Container':
    case 'Column':
      return [h('div', {}, ...inner(node.items))]
    case 'ColumnSet':
      return [h('div', { class: 'cols' }, ...inner(node.columns))]
    case 'ImageSet':
      return [h('div', { class: 'cols' }, ...inner(node.images))]
    case 'FactSet':
      return [
        h(
          'dl',
          { class: 'sum' },
          ...objects(node.facts).flatMap(one => [h('dt', {}, text(one.title)), h('dd', {}, text(one.value))]),
        ),
      ]
    case 'ActionSet':
      return []
    case 'Input.Toggle':
      return [toggle(form, node)]
    case 'Input.ChoiceSet':
      return [choiceSet(form, node)]
    default:
      return text(node.type).startsWith('Input.') ? [lineInput(form, node)] : []
  }
}

/** An Adaptive Card of the elements that forms and notices use; others are left out. */
export const adaptiveView = (context: ViewContext, message: ChatMessage): HTMLElement => {
  const form: AdaptiveForm = { context, inputs: new Map() }
  const body = objects(message.body).flatMap(node => element(form, node))
  const fault = h('p', { class: 'state bad', role: 'alert', hidden: true })
  const submit = (action: JsonObject) => {
    const empty = [...form.inputs.values()].find(({ required, read }) => required && String(read()).trim() === '')
    fault.hidden = empty === undefined
    fault.textContent = context.t('required')
    if (empty !== undefined) return empty.element.focus()
    const own = isObject(action.data) ? action.data : {}
    const values = Object.fromEntries([...form.inputs].map(([id, { read }]) => [id, read()]))
    context.sendData('submit', message, { ...own, ...values }, text(action.title) || context.t('submitted'))
  }
  const offered = objects(message.actions as unknown as Json)
  const declared = offered.filter(({ type }) => text(type).startsWith('Action.'))
  const isMissing = message.submit === true && !declared.some(({ type }) => type === 'Action.Submit')
  const all = isMissing ? [...declared, { type: 'Action.Submit', title: context.t('send') }] : declared
  const buttons = all.map(action => {
    const href = action.type === 'Action.OpenUrl' ? safeLink(text(action.url)) : undefined
    if (href !== undefined)
      return h('a', { class: 'row', href, target: '_blank', rel: 'noopener noreferrer' }, text(action.title) || href)
    if (action.type !== 'Action.Submit' && action.type !== 'Action.Execute') return undefined
    return h(
      'button',
      { type: 'button', class: 'primary', onclick: () => submit(action) },
      text(action.title) || context.t('send'),
    )
  })
  return h('div', { class: 'card' }, h('div', { class: 'form' }, ...body, fault, ...buttons))
}
