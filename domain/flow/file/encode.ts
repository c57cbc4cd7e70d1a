import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields, ListField } from '#schemas/flow/block-field.ts'
import { isObject, own } from '#schemas/json.ts'
import { withDefaults } from '../document/default-properties.ts'
import { assignItemIds, isUsableId } from '../document/item-id.ts'
import type { Content, Entries, Item } from '../document/model.ts'
import { escapeKey, NO_FIELDS, SHAPE, type Shape, shapeContent } from '../document/shape.ts'

type Note = 'text' | 'record' | undefined
interface Encoded {
  readonly content: Content
  readonly note?: Note
}

const plain = (value: Json): Encoded => ({ content: { kind: 'value', value } })

/**
 * Maximum lines of a rich text: each is a separate shared type, and hundreds of thousands of them would delay
 * everybody.
 */
const MAX_LINES = 2000

const isBrief = (text: string): boolean => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && lines <= MAX_LINES; at = text.indexOf('\n', at + 1)) lines += 1
  return lines <= MAX_LINES
}

/** Connectors an item without an id may take, in order; empty for lists that give no outputs. */
type Connectors = readonly string[]

const fits = (field: BlockField, value: Json): boolean => {
  if (field.kind === 'string' || field.kind === 'reference' || field.kind === 'enumeration') {
    return typeof value === 'string'
  }
  return encodeField(field, value, []).content.kind !== 'value'
}

const isBare = (field: ListField, value: Json): boolean => {
  const only = field.bare === undefined ? undefined : own(field.item, field.bare)
  return only !== undefined && !isObject(value) && fits(only, value)
}

const encodeItem = (field: ListField, id: string, value: Json): Item => {
  if (!isObject(value)) {
    const { bare } = field
    return { id, entries: encodeMap(field.item, bare === undefined ? {} : { [bare]: value }, { form: 'bare' }, true) }
  }
  const raw = own(value, 'id')
  const members = Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'id' && key !== '__proto__'))
  if (Object.hasOwn(value, '__proto__')) keepProto(members, value)
  const form: Shape = raw === undefined ? { form: 'plain' } : raw === id ? {} : { form: { id: raw } }
  return { id, entries: encodeMap(field.item, members as JsonObject, form, true) }
}

const keepProto = (target: object, source: JsonObject) =>
  Object.defineProperty(target, '__proto__', {
    value: own(source, '__proto__'),
    enumerable: true,
    configurable: true,
    writable: true,
  })

const encodeArray = (field: ListField, values: readonly Json[], connectors: Connectors): Encoded => {
  if (!values.every(value => isObject(value) || isBare(field, value))) return plain(values)
  const ids = assignItemIds(values, connectors)
  return { content: { kind: 'list', items: values.map((value, index) => encodeItem(field, ids[index] ?? '', value)) } }
}

const encodeRecord = (field: ListField, value: JsonObject): Encoded => {
  const { record } = field
  const pairs = Object.entries(value)
  if (record === undefined || !pairs.every(([, member]) => typeof member === 'string')) return plain(value)
  const items = pairs.map(([name, member]) => ({ [record.key]: name, [record.value]: member }))
  return { ...encodeArray(field, items, []), note: 'record' }
}

/** One field's file form as content; a shape the declaration cannot read stays a plain value. */
const encodeField = (field: BlockField, value: Json, connectors: Connectors): Encoded => {
  switch (field.kind) {
    case 'expression':
    case 'code':
      return typeof value === 'string' ? { content: { kind: 'text', value } } : plain(value)
    case 'json':
      return typeof value === 'string'
        ? { content: { kind: 'text', value }, note: 'text' }
        : { content: { kind: 'text', value: JSON.stringify(value, null, 2) } }
    case 'rich':
      return typeof value === 'string' && isBrief(value) ? { content: { kind: 'rich', value } } : plain(value)
    case 'list':
      if (Array.isArray(value)) return encodeArray(field, value, connectors)
      return isObject(value) ? encodeRecord(field, value) : plain(value)
    case 'group':
      return isObject(value)
        ? { content: { kind: 'map', entries: encodeMap(field.fields, value, {}, false) } }
        : plain(value)
    default:
      return plain(value)
  }
}

const emptyContent = (field: BlockField): Content | undefined => {
  switch (field.kind) {
    case 'expression':
    case 'code':
    case 'json':
      return { kind: 'text', value: '' }
    case 'rich':
      return { kind: 'rich', value: '' }
    case 'list':
      return { kind: 'list', items: [] }
    default:
      return undefined
  }
}

/** Texts and lists are made together with their block, absent or not, so that two first writers do not lose each other. */
const encodeMap = (
  fields: BlockFields,
  object: JsonObject,
  shape: Shape,
  inItem: boolean,
  connectors?: { readonly list: string; readonly free: Connectors },
): Entries => {
  const entries = new Map<string, Content>()
  const notes = { text: [] as string[], record: [] as string[], absent: [] as string[] }
  for (const [name, value] of Object.entries(object)) {
    const field = own(fields, name)
    const free = connectors?.list === name ? connectors.free : []
    const encoded = field === undefined ? plain(value) : encodeField(field, value, free)
    if (encoded.note !== undefined) notes[encoded.note].push(name)
    entries.set(escapeKey(name, inItem), encoded.content)
  }
  for (const [name, field] of Object.entries(fields)) {
    const content = Object.hasOwn(object, name) ? undefined : emptyContent(field)
    if (content === undefined || (inItem && shape.form === 'bare')) continue
    notes.absent.push(name)
    entries.set(escapeKey(name, inItem), content)
  }
  const note = shapeContent({ ...notes, ...shape })
  if (note !== undefined) entries.set(SHAPE, note)
  return entries
}

const connectorsContent = (value: Json): Content =>
  isObject(value)
    ? {
        kind: 'map',
        entries: new Map(Object.entries(value).map(([id, member]) => [escapeKey(id, false), plain(member).content])),
      }
    : plain(value).content

export interface PropertyDeclaration {
  readonly fields: BlockFields
  readonly itemOutputs?: string
  readonly outputs: readonly { readonly id: string }[]
}

/** Connectors of a file's `outputs` that are not fixed ones: items without id take them in their order. */
export const freeConnectors = (block: PropertyDeclaration, outputs: Json | undefined): readonly string[] =>
  isObject(outputs)
    ? Object.keys(outputs).filter(id => isUsableId(id) && !block.outputs.some(fixed => fixed.id === id))
    : []

/** A file's `properties` as the entries of the document's `properties` map. */
export const encodeProperties = (
  block: PropertyDeclaration | undefined,
  properties: JsonObject,
  shape: Shape,
): Entries => {
  const { itemOutputs } = block ?? {}
  const connectors =
    block === undefined || itemOutputs === undefined
      ? undefined
      : { list: itemOutputs, free: freeConnectors(block, own(properties, 'outputs')) }
  const entries = new Map(encodeMap(block?.fields ?? NO_FIELDS, properties, shape, false, connectors))
  for (const name of ['inputs', 'outputs']) {
    const value = own(properties, name)
    if (value !== undefined) entries.set(name, connectorsContent(value))
  }
  return entries
}

/** One field's value as content, for edits: the shape of the file it came from no longer counts. */
export const encodeValue = (field: BlockField | undefined, value: Json): Content =>
  field === undefined ? plain(value).content : encodeField(field, value, []).content

/** A new item's members as the entries of its map, with the defaults of what they do not say. */
export const encodeNewItem = (field: ListField, members: JsonObject): Entries =>
  encodeMap(field.item, withDefaults(field.item, members), {}, true)
