import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields, ListField } from '#schemas/flow/block-field.ts'
import { DEEPEST_PROPERTY } from '#schemas/flow/file.ts'
import { jsonFault, own, record } from '#schemas/json.ts'
import { assignItemIds } from '../document/item-id.ts'
import { type Content, type Entries, type Item, itemsOf } from '../document/model.ts'
import { NO_FIELDS, type Shape, shapeOf, unescapeKey } from '../document/shape.ts'
import { freeConnectors, type PropertyDeclaration } from './encode.ts'

/** Typed text nested deeper than a file allows stays text. */
const parsed = (text: string): Json => {
  try {
    const value = JSON.parse(text) as Json
    return text.length > 2 * DEEPEST_PROPERTY && jsonFault(value, DEEPEST_PROPERTY) !== null ? text : value
  } catch {
    return text
  }
}

/** Whether nobody has put anything into a shared type that was only made in advance. */
const isEmpty = (content: Content): boolean => {
  switch (content.kind) {
    case 'value':
      return false
    case 'text':
    case 'rich':
      return content.value === ''
    case 'list':
      return content.items.length === 0
    case 'map': {
      const { absent = [] } = shapeOf(content.entries)
      return [...content.entries].every(([key, entry]) => {
        const name = unescapeKey(key, false)
        return name === undefined || (absent.includes(name) && isEmpty(entry))
      })
    }
    default:
      return content satisfies never
  }
}

const decodeMembers = (
  fields: BlockFields,
  entries: Entries,
  inItem: boolean,
  connectors?: Connectors,
): [string, Json][] => {
  const shape = shapeOf(entries)
  const members: [string, Json][] = []
  for (const [key, content] of entries) {
    const name = unescapeKey(key, inItem)
    if (name === undefined || (shape.absent?.includes(name) && isEmpty(content))) continue
    const free = connectors?.list === name ? connectors.free : []
    members.push([name, decodeField(own(fields, name), content, shape, name, free)])
  }
  return members
}

const bareValue = (field: ListField, members: readonly [string, Json][]): Json | undefined => {
  const [first, second] = members
  return second === undefined && first !== undefined && first[0] === field.bare ? first[1] : undefined
}

interface DecodedItem {
  readonly id: string
  readonly members: readonly [string, Json][]
  readonly form: Shape['form']
}

const itemJson = (field: ListField, item: DecodedItem, native: boolean): Json => {
  const { id, members, form } = item
  if (native || form === undefined) return record([['id', id], ...members])
  if (form === 'plain') return record(members)
  if (form !== 'bare') return record([['id', form.id], ...members])
  const bare = bareValue(field, members)
  return bare ?? record([['id', id], ...members])
}

/** An item keeps the form its file had only while reading the list again would find the same ids. */
const itemsJson = (field: ListField, items: readonly DecodedItem[], free: readonly string[]): readonly Json[] => {
  const native = new Set<number>()
  for (;;) {
    const values = items.map((item, index) => itemJson(field, item, native.has(index)))
    const ids = assignItemIds(values, free)
    const wrong = items.flatMap((item, index) => (ids[index] === item.id || native.has(index) ? [] : [index]))
    if (wrong.length === 0) return values
    for (const index of wrong) native.add(index)
  }
}

const recordJson = (field: ListField, items: readonly DecodedItem[]): JsonObject | undefined => {
  const names = field.record
  if (names === undefined) return undefined
  const pairs = items.map(({ members }) => {
    const member = record(members)
    const key = own(member, names.key)
    const value = own(member, names.value)
    return members.length === 2 && typeof key === 'string' && typeof value === 'string'
      ? ([key, value] as const)
      : undefined
  })
  const whole = pairs.filter(pair => pair !== undefined)
  const unique = new Set(whole.map(([key]) => key)).size === items.length
  return whole.length === items.length && unique ? record(whole) : undefined
}

const decodeList = (field: ListField, items: readonly Item[], asRecord: boolean, free: readonly string[]): Json => {
  const decoded = items.map(({ id, entries }) => ({
    id,
    members: decodeMembers(field.item, entries, true),
    form: shapeOf(entries).form,
  }))
  return (asRecord ? recordJson(field, decoded) : undefined) ?? itemsJson(field, decoded, free)
}

const undeclared = (content: Content): Json => {
  switch (content.kind) {
    case 'value':
    case 'text':
    case 'rich':
      return content.value
    case 'list':
      return content.items.map(item => record([['id', item.id], ...decodeMembers(NO_FIELDS, item.entries, true)]))
    case 'map':
      return record(decodeMembers(NO_FIELDS, content.entries, false))
    default:
      return content satisfies never
  }
}

const decodeField = (
  field: BlockField | undefined,
  content: Content,
  shape: Shape,
  name: string,
  free: readonly string[],
): Json => {
  if (field?.kind === 'json' && content.kind === 'text') {
    return shape.text?.includes(name) ? content.value : parsed(content.value)
  }
  if (field?.kind === 'list' && (content.kind === 'list' || content.kind === 'map')) {
    return decodeList(field, itemsOf(content), shape.record?.includes(name) ?? false, free)
  }
  if (field?.kind === 'group' && content.kind === 'map')
    return record(decodeMembers(field.fields, content.entries, false))
  return undeclared(content)
}

interface Connectors {
  readonly list: string
  readonly free: readonly string[]
}

/** The file's `properties` of what the document holds; the inverse of `encodeProperties`. */
export const decodeProperties = (block: PropertyDeclaration | undefined, entries: Entries): JsonObject => {
  const outputs = entries.get('outputs')
  const { itemOutputs } = block ?? {}
  const connectors =
    block === undefined || itemOutputs === undefined
      ? undefined
      : { list: itemOutputs, free: freeConnectors(block, outputs === undefined ? undefined : undeclared(outputs)) }
  return record(decodeMembers(block?.fields ?? NO_FIELDS, entries, false, connectors))
}

/** Names of declared fields whose content in the document does not fit their declaration. */
export const unreadable = (fields: BlockFields, entries: Entries): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const content = entries.get(name)
    if (content === undefined) return []
    return isReadable(field, content) ? [] : [name]
  })

const isReadable = (field: BlockField, content: Content): boolean => {
  switch (field.kind) {
    case 'list':
      return content.kind === 'list' || content.kind === 'map'
    case 'group':
      return content.kind === 'map' && unreadable(field.fields, content.entries).length === 0
    case 'expression':
    case 'code':
    case 'rich':
      return (
        content.kind === 'text' ||
        content.kind === 'rich' ||
        (content.kind === 'value' && typeof content.value === 'string')
      )
    case 'json':
      return true
    default:
      return content.kind === 'value' && hasKind(field, content.value)
  }
}

const hasKind = (field: BlockField, value: Json): boolean => {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'strings':
      return Array.isArray(value) && value.every(item => typeof item === 'string')
    default:
      return typeof value === 'string'
  }
}
