import type { Json, JsonObject } from '#schemas/event.ts'
import { linesOf } from '#web/form/control/control-props.ts'

/**
 * Input of an element's member: `pairs` are lines of "name: value", `choices` lines of titles; a list of words is a
 * selection.
 */
type MemberKind = 'line' | 'text' | 'pairs' | 'choices' | readonly string[]

export interface ElementKind {
  readonly type: string
  readonly members: { readonly [name: string]: MemberKind }
  /** Members of a new one beside its texts. */
  readonly initial?: JsonObject
  /** The member that holds further elements, and of which kinds. */
  readonly holds?: { readonly member: string; readonly kinds: () => readonly ElementKind[] }
}

const STYLES = ['default', 'emphasis', 'accent', 'good', 'warning', 'attention']

const COLUMN: ElementKind = {
  type: 'Column',
  members: { width: ['auto', 'stretch'] },
  initial: { width: 'stretch', items: [] },
  holds: { member: 'items', kinds: () => ELEMENTS },
}

/** The common elements, in the order in which they are offered. */
export const ELEMENTS: readonly ElementKind[] = [
  { type: 'TextBlock', members: { text: 'text' }, initial: { wrap: true } },
  { type: 'Image', members: { url: 'line', altText: 'line' } },
  { type: 'FactSet', members: { facts: 'pairs' } },
  { type: 'Input.Text', members: { id: 'line', label: 'line', placeholder: 'line' } },
  { type: 'Input.Number', members: { id: 'line', label: 'line' } },
  { type: 'Input.Date', members: { id: 'line', label: 'line' } },
  { type: 'Input.Toggle', members: { id: 'line', title: 'line' } },
  { type: 'Input.ChoiceSet', members: { id: 'line', label: 'line', choices: 'choices' } },
  {
    type: 'ColumnSet',
    members: {},
    initial: { columns: [1, 2].map(() => ({ type: 'Column', ...COLUMN.initial })) },
    holds: { member: 'columns', kinds: () => [COLUMN] },
  },
  {
    type: 'Container',
    members: { style: STYLES },
    initial: { items: [] },
    holds: { member: 'items', kinds: () => ELEMENTS },
  },
]

export const ACTIONS: readonly ElementKind[] = [
  { type: 'Action.Submit', members: { title: 'line' } },
  { type: 'Action.OpenUrl', members: { title: 'line', url: 'line' } },
]

const objects = (value: unknown): readonly JsonObject[] =>
  (Array.isArray(value) ? value : []).filter(item => typeof item === 'object' && item !== null)
const said = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** A member as it is typed in. */
export const memberText = (kind: MemberKind, value: unknown): string => {
  if (kind === 'pairs') {
    return objects(value)
      .map(fact => `${said(fact.title)}: ${said(fact.value)}`)
      .join('\n')
  }
  if (kind === 'choices') {
    return objects(value)
      .map(choice => said(choice.title))
      .join('\n')
  }
  return said(value)
}

/** Typed text in the card's format; existing choices keep their values. */
export const memberValue = (kind: MemberKind, text: string, held: unknown) => {
  if (kind === 'pairs') {
    return linesOf(text).map(line => {
      const at = line.indexOf(':')
      return at === -1
        ? { title: line, value: '' }
        : { title: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }
    })
  }
  if (kind === 'choices') {
    const known = new Map(objects(held).map(choice => [said(choice.title), said(choice.value)]))
    return linesOf(text).map(title => ({ title, value: known.get(title) ?? title }))
  }
  return text
}

const deep = (items: unknown): readonly JsonObject[] =>
  objects(items).flatMap(item => [item, ...deep(item.items), ...deep(item.columns)])

/** The names of the answers of all inputs in a card, however deep they lie. */
export const takenIds = (body: unknown): ReadonlySet<string> => new Set(deep(body).map(({ id }) => said(id)))

/** An element with a member set; a choice that is none is left out. */
export const withMember = (item: JsonObject, name: string, kind: MemberKind, value: Json): JsonObject => {
  const { [name]: _before, ...others } = item
  return typeof kind !== 'string' && value === '' ? others : { ...item, [name]: value }
}

/** A new element; inputs get an id that no other has. */
export const newElement = ({ type, members, initial }: ElementKind, taken: ReadonlySet<string>): JsonObject => {
  const texts = Object.entries(members)
    .filter(([, kind]) => typeof kind === 'string')
    .map(([name, kind]) => [name, kind === 'line' || kind === 'text' ? '' : []])
  const stem = type.split('.').at(-1)?.toLowerCase() ?? 'input'
  let place = 1
  while (taken.has(`${stem}${place}`)) place += 1
  return { type, ...Object.fromEntries(texts), ...initial, ...('id' in members ? { id: `${stem}${place}` } : {}) }
}
