import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field, ListField } from '#schemas/field/kind.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { FieldError, ItemConflict } from '#schemas/refusal.ts'
import { hiddenFields, initialValues, itemsOf, itemWithId } from './stored-items.ts'

/** Three versions of a list: the common base, the saver's, and another one saved meanwhile. */
interface Versions {
  readonly before: Json
  readonly yours: Json
  readonly theirs: Json
}

interface MergedItems {
  readonly items: readonly JsonObject[]
  readonly conflicts: readonly ItemConflict[]
}

type Items = readonly JsonObject[]
type Item = JsonObject | undefined
type Choice = 'yours' | 'theirs'

/**
 * Merges lists of groups item by item: an item that one side changed, added, moved or removed is taken from that side,
 * one that both changed differently is a conflict, for which `choose` decides. Secrets of `before` and `theirs` are
 * sealed or {set: true}, and come out as {set: true}.
 */
export const mergeItems = (
  field: ListField,
  { before, yours, theirs }: Versions,
  choose: (id: string) => Choice = () => 'theirs',
): MergedItems => {
  const old = itemsOf(before)
  const mine = withKnownIds(field, old, itemsOf(yours))
  const others = itemsOf(theirs)
  const conflicts: ItemConflict[] = []
  const items = inOrder(old.map(keyOf), mine.map(keyOf), others.map(keyOf)).flatMap((key): readonly JsonObject[] => {
    const find = (list: Items): Item => list.find((item, index) => keyOf(item, index) === key)
    const [b, y, t] = [find(old), find(mine), find(others)]
    const shown = (item: Item) => (item === undefined ? null : maskedItem(field, item, b))
    const own = y === undefined ? [] : [y]
    const other = t === undefined ? [] : [maskedItem(field, t)]
    if (!isChangedByOther(b, t)) return own
    if (!isChangedByInput(field, b, y) || !isChangedByInput(field, t, y)) return other
    const id = String((b ?? y ?? t)?.id)
    conflicts.push({ id, before: shown(b), yours: shown(y), theirs: shown(t) })
    return choose(id) === 'yours' ? own : other
  })
  return { items, conflicts }
}

/** Merges lists of values: keeps additions of both sides, applies removals of both. */
export const mergeValues = ({ before, yours, theirs }: Versions): readonly Json[] => {
  const [b, y, t] = [valuesOf(before), valuesOf(yours), valuesOf(theirs)]
  const keys = inOrder([...b.keys()], [...y.keys()], [...t.keys()])
  return keys.flatMap(key => {
    const isThere = b.has(key) ? y.has(key) && t.has(key) : true
    return isThere ? [y.get(key) ?? t.get(key) ?? null] : []
  })
}

/** The values by their text and, where one is there several times, by which of them it is. */
const valuesOf = (value: Json): ReadonlyMap<string, Json> => {
  const counts = new Map<string, number>()
  const values = Array.isArray(value) ? (value as readonly Json[]) : []
  return new Map(
    values.map(each => {
      const text = JSON.stringify(each)
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      return [`${text} ${count}`, each]
    }),
  )
}

/** An item without an id is new: nothing else has its key. */
const keyOf = (item: JsonObject, index: number): string => (item.id === undefined ? `new ${index}` : `id ${item.id}`)

/** Items without an id that are as before get the id that they had. */
const withKnownIds = (field: ListField, old: Items, mine: Items): Items => {
  const taken = new Set(mine.map(({ id }) => id))
  return mine.map(item => {
    if (item.id !== undefined) return item
    const known = old.find(one => !taken.has(one.id) && !isChangedByInput(field, one, item))
    taken.add(known?.id)
    return known === undefined ? item : { id: known.id ?? null, ...item }
  })
}

const isSetMark = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && ('set' in value || '$secret' in value)

/** Every member of an item, its secrets as {set: true}; one that is left out is as `kept` has it. */
const maskedItem = ({ item: fields }: ListField, item: JsonObject, kept?: JsonObject): JsonObject => ({
  ...(item.id === undefined ? {} : { id: item.id }),
  ...Object.fromEntries(
    Object.entries(fields).map(([name, { secret, initial }]): [string, Json] => {
      if (!secret) return [name, item[name] ?? initial]
      const value = item[name] === undefined ? kept?.[name] : item[name]
      return [name, (value ?? null) === null ? null : { set: true }]
    }),
  ),
})

/** Both are stored, so that a secret that was changed is another ciphertext. */
const isChangedByOther = (before: Item, after: Item): boolean =>
  before === undefined || after === undefined ? before !== after : !jsonEqual(before, after)

/** A secret that is left out or {set: true} in an input stays as it was, and a member that is not shown is cleared. */
const isChangedByInput = (field: ListField, before: Item, given: Item): boolean => {
  if (before === undefined || given === undefined) return before !== given
  const hidden = hiddenFields(field.item, { ...initialValues(field.item), ...given })
  const stored = maskedItem(field, before)
  return Object.entries(field.item).some(([name, { secret, initial }]) => {
    const value = hidden.has(name) ? undefined : given[name]
    if (secret)
      return !hidden.has(name) && value !== undefined && !isSetMark(value) && !jsonEqual(value, stored[name] ?? null)
    return !jsonEqual(value ?? initial, stored[name] ?? null)
  })
}

/**
 * Keys of both lists: in your order if you changed it, else in theirs; a key of one list only comes after its
 * predecessor there.
 */
const inOrder = (before: readonly string[], yours: readonly string[], theirs: readonly string[]): readonly string[] => {
  const [inYours, inTheirs] = [new Set(yours), new Set(theirs)]
  const common = before.filter(key => inYours.has(key) && inTheirs.has(key))
  const isCommon = new Set(common)
  const isMoved = !jsonEqual(
    yours.filter(key => isCommon.has(key)),
    common,
  )
  const [first, second] = isMoved ? [yours, theirs] : [theirs, yours]
  const order = [...first]
  const placed = new Set(order)
  for (const [index, key] of second.entries()) {
    if (placed.has(key)) continue
    const previous = second.slice(0, index).findLast(one => placed.has(one))
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, key)
    placed.add(key)
  }
  return order
}

interface MergedInput {
  /** With merged lists; of items in conflict as others saved them. */
  readonly input: JsonObject
  /** Its lists are the present ones: the conflicts are reported here. */
  readonly base: JsonObject
  readonly conflicts: readonly FieldError[]
}

/** Of a sealed list nobody sees the items. */
const isMerged = ({ kind, personal, secret, secretWhen }: Field): boolean =>
  kind === 'list' || ((kind === 'strings' || kind === 'references') && !personal && !secret && secretWhen === undefined)

const isWellFormed = (value: Json | undefined, { kind }: Field): value is readonly Json[] => {
  if (!Array.isArray(value)) return false
  const items = itemsOf(value)
  const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return kind !== 'list' || (items.length === value.length && new Set(ids).size === ids.length)
}

/** The input of a change made against `base`, with lists that others changed meanwhile merged item by item. */
export const mergeLists = (
  { fields }: EntityDeclaration,
  base: JsonObject,
  present: JsonObject,
  input: JsonObject,
): MergedInput => {
  const merged = { input: { ...input } as Record<string, Json>, base: { ...base } as Record<string, Json> }
  const conflicts: FieldError[] = []
  for (const [path, yours] of Object.entries(input)) {
    const field = Object.hasOwn(fields, path) ? fields[path] : undefined
    const [before, theirs] = [base[path] ?? null, present[path] ?? null]
    if (field === undefined || !isMerged(field) || jsonEqual(before, theirs) || !isWellFormed(yours, field)) continue
    merged.base[path] = theirs
    if (field.kind !== 'list') {
      merged.input[path] = mergeValues({ before, yours, theirs })
      continue
    }
    const { items, conflicts: inItems } = mergeItems(field, { before, yours, theirs })
    merged.input[path] = items
    if (inItems.length === 0) continue
    const shown = (value: Json) => itemsOf(value).map(item => maskedItem(field, item, itemWithId(before, item.id)))
    const lists = { before: shown(before), yours: shown(yours), theirs: shown(theirs) }
    conflicts.push({ path, code: 'conflict', ...lists, items: inItems })
  }
  return { input: merged.input, base: merged.base, conflicts }
}

interface ItemChange {
  /** `headers`, `headers.0` or `headers.0.value`: positions are those after the change, of a removed item before it. */
  readonly path: string
  readonly before: Json
  readonly after: Json
  /** A secret changed: before and after are null. */
  readonly secret?: true
}

const isSecret = (value: Json | undefined): boolean => typeof value === 'object' && value !== null && 'set' in value

/** Changes of a list of groups, item by item; the whole list if it was or becomes empty, or only its order changed. */
export const itemChanges = (path: string, before: Json, after: Json): readonly ItemChange[] => {
  const old = new Map(itemsOf(before).map((item, index) => [item.id, { item, index }]))
  const items = itemsOf(after)
  if (old.size === 0 || items.length === 0) return [{ path, before, after }]
  const ids = new Set(items.map(({ id }) => id))
  const removed = [...old.values()].filter(({ item }) => !ids.has(item.id))
  const changes = [
    ...removed.map(({ item, index }) => ({ path: `${path}.${index}`, before: masked(item), after: null })),
    ...items.flatMap((item, index) => {
      const known = old.get(item.id)
      if (known === undefined) return [{ path: `${path}.${index}`, before: null, after: masked(item) }]
      return memberChanges(`${path}.${index}`, known.item, item)
    }),
  ]
  return changes.length === 0 ? [{ path, before, after }] : changes
}

const memberChanges = (path: string, before: JsonObject, after: JsonObject): readonly ItemChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): readonly ItemChange[] => {
    const [old, value] = [before[name] ?? null, after[name] ?? null]
    if (jsonEqual(old, value)) return []
    if (isSecret(old) || isSecret(value)) return [{ path: `${path}.${name}`, before: null, after: null, secret: true }]
    return [{ path: `${path}.${name}`, before: old, after: value }]
  })

const masked = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, isSecret(value) ? { set: true } : value]))
