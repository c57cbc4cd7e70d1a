import { isWhen } from '#domain/field/stored-items.ts'
import type { Block, BlockRule } from '#schemas/block.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { isObject, own } from '#schemas/json.ts'
import { initialNamed } from '../document/default-properties.ts'
import { valueNamed } from '../document/model.ts'
import { passes } from './check-value.ts'

/** An item, from 0, of a list by its dotted name. */
interface ItemPlace {
  readonly list: string
  readonly place: number
}

/** A rule that a block breaks, and the item of the outermost list that contains its field. */
interface BlockFault {
  readonly rule: BlockRule
  readonly item?: ItemPlace
}

/** One value that a rule checks, and its items, by the dotted name of their list. */
interface Found {
  readonly value: Json | undefined
  readonly items: ReadonlyMap<string, JsonObject>
  readonly item?: ItemPlace
}

const membersOf = (field: BlockField | undefined): BlockFields =>
  field?.kind === 'group' ? field.fields : field?.kind === 'list' ? field.item : {}

/** The file forms of a list: items, bare values and a record of name → value. */
const itemsOf = (field: BlockField, value: Json | undefined): readonly JsonObject[] => {
  if (field.kind !== 'list') return []
  const { bare, record } = field
  if (isObject(value) && record !== undefined) {
    return Object.entries(value).map(([key, held]) => ({ [record.key]: key, [record.value]: held }))
  }
  if (!Array.isArray(value)) return []
  return value.flatMap(item => (isObject(item) ? [item] : bare === undefined ? [] : [{ [bare]: item }]))
}

const find = (fields: BlockFields, values: JsonObject, path: readonly string[], before: Found, name = ''): Found[] => {
  const [first = '', ...rest] = path
  const field = own(fields, first)
  const value = own(values, first)
  if (rest.length === 0 || field === undefined) return [{ ...before, value }]
  const full = `${name}${first}`
  if (field.kind !== 'list') {
    return find(membersOf(field), isObject(value) ? value : {}, rest, before, `${full}.`)
  }
  return itemsOf(field, value).flatMap((item, index) => {
    const place = before.item ?? { list: full, place: index }
    const inside = { ...before, items: new Map([...before.items, [full, item]]), item: place }
    return find(field.item, item, rest, inside, `${full}.`)
  })
}

/** Reads a value for a rule: a missing one has the default of the form. */
const readerIn =
  ({ fields }: Block, properties: JsonObject, { items }: Found) =>
  (name: string): Json | undefined => {
    const list = [...items.keys()].reverse().find(each => name.startsWith(`${each}.`))
    const item = list === undefined ? undefined : items.get(list)
    const said =
      list === undefined || item === undefined
        ? valueNamed(properties, name)
        : valueNamed(item, name.slice(list.length + 1))
    return said ?? initialNamed(fields, name)
  }

/** Faults that a block's form rejects, in the declaration's order: one per field and item. */
export const checkBlock = (block: Block, properties: JsonObject): readonly BlockFault[] => {
  const seen = new Set<string>()
  return block.rules.flatMap(rule =>
    find(block.fields, properties, rule.field.split('.'), { value: undefined, items: new Map() }).flatMap(found => {
      const key = `${rule.field} ${found.item?.place ?? ''}`
      if (seen.has(key) || !isWhen(rule.when, readerIn(block, properties, found))) return []
      if (passes(rule.check, found.value)) return []
      seen.add(key)
      return [found.item === undefined ? { rule } : { rule, item: found.item }]
    }),
  )
}

/** Rules of the fields: a missing reference stops publishing, a missing text does not. */
const ownRules = (fields: BlockFields, name = ''): readonly BlockRule[] =>
  Object.entries(fields).flatMap(([last, field]): readonly BlockRule[] => {
    const full = `${name}${last}`
    if ('required' in field && field.required)
      return [{ field: full, check: 'required', severity: field.kind === 'reference' ? 'error' : 'warning' }]
    return ownRules(membersOf(field), `${full}.`)
  })

/** {@link checkBlock} with the rules of the fields: lint reports those with different messages. */
export const checkForm = (block: Block, properties: JsonObject): readonly BlockFault[] =>
  checkBlock({ ...block, rules: [...ownRules(block.fields), ...block.rules] }, properties)
