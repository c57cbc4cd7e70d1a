import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import * as Y from 'yjs'
import type { Json } from '#schemas/event.ts'
import { jsonEqual, packJson, unpackJson } from '#schemas/json.ts'
import { textDiff } from '../diff/word-diff.ts'
import { byOrder, type Content, type Entries, type Item, ORDER } from './model.ts'
import { makeRich, patchRich, readRich } from './rich-fragment.ts'

const isOrder = (order: string): boolean => {
  try {
    generateKeyBetween(order, null)
    return true
  } catch {
    return false
  }
}

/** Fractional keys for `count` new places between two neighbours; a damaged or equal neighbour counts as none. */
export const ordersBetween = (before: string | null, after: string | null, count: number): readonly string[] => {
  const low = before !== null && isOrder(before) ? before : null
  const high = after !== null && isOrder(after) && (low === null || after > low) ? after : null
  return generateNKeysBetween(low, high, count)
}

/** Positions of a longest rising sequence of keys; excludes undefined and damaged keys. */
const risingPlaces = (orders: readonly (string | undefined)[]): ReadonlySet<number> => {
  const best: { readonly length: number; readonly from: number }[] = []
  let last = -1
  for (const [place, order] of orders.entries()) {
    let length = 0
    let from = -1
    if (order !== undefined && isOrder(order)) {
      length = 1
      for (let before = 0; before < place; before += 1) {
        const held = best[before]
        const lower = orders[before]
        if (held !== undefined && held.length >= length && lower !== undefined && lower < order) {
          length = held.length + 1
          from = before
        }
      }
    }
    best.push({ length, from })
    if (length > (best[last]?.length ?? 0)) last = place
  }
  const places = new Set<number>()
  for (let place = last; place >= 0; place = best[place]?.from ?? -1) places.add(place)
  return places
}

/**
 * Keys that put items in this sequence, given the keys they have (undefined for new ones): as many as possible are
 * kept, so that a restored list writes only what moved.
 */
export const ordersFor = (orders: readonly (string | undefined)[]): readonly string[] => {
  const kept = risingPlaces(orders)
  const result: string[] = []
  let missing = 0
  let low: string | null = null
  const fill = (high: string | null) => {
    result.push(...ordersBetween(low, high, missing))
    missing = 0
  }
  for (const [place, order] of orders.entries()) {
    if (order === undefined || !kept.has(place)) {
      missing += 1
      continue
    }
    fill(order)
    result.push(order)
    low = order
  }
  fill(null)
  return result
}

export type SharedMap = Y.Map<unknown>

/** A new shared type, or plain value, of a content; it must be put into a document before it can be read. */
export const toShared = (content: Content): unknown => {
  switch (content.kind) {
    case 'value':
      return packJson(content.value)
    case 'text':
      return new Y.Text(content.value)
    case 'rich':
      return makeRich(content.value)
    case 'map':
      return toMap(content.entries)
    case 'list': {
      const orders = ordersFor(content.items.map(() => undefined))
      return new Y.Map(content.items.map((item, index) => [item.id, itemMap(item.entries, orders[index] ?? 'a0')]))
    }
    default:
      return content satisfies never
  }
}

export const toMap = (entries: Entries): SharedMap =>
  new Y.Map([...entries].map(([key, content]) => [key, toShared(content)]))

/** An item's map at a fractional position. */
export const itemMap = (entries: Entries, order: string): SharedMap => {
  const map = toMap(entries)
  map.set(ORDER, order)
  return map
}

/** Content of the document at one place, from any author; unsupported Yjs types read as null. */
export const fromShared = (value: unknown): Content => {
  if (value instanceof Y.Map) return { kind: 'map', entries: mapEntries(value) }
  if (value instanceof Y.XmlFragment) return { kind: 'rich', value: readRich(value) }
  if (value instanceof Y.Text) return { kind: 'text', value: value.toString() }
  if (value instanceof Y.AbstractType || value instanceof Uint8Array || value === undefined) {
    return { kind: 'value', value: null }
  }
  return { kind: 'value', value: unpackJson(value as Json) }
}

export const mapEntries = (map: SharedMap): Entries => {
  const entries = new Map<string, Content>()
  map.forEach((value, key) => {
    entries.set(key, fromShared(value))
  })
  return entries
}

export const patchText = (text: Y.Text, value: string): void => {
  const diff = textDiff(text.toString(), value)
  if (diff === null) return
  if (diff.remove > 0) text.delete(diff.at, diff.remove)
  if (diff.insert !== '') text.insert(diff.at, diff.insert)
}

/** Changes the value to `content` in place; returns whether it could. */
const patchedInPlace = (current: unknown, content: Content): boolean => {
  if (content.kind === 'value') {
    const held = fromShared(current)
    return current !== undefined && held.kind === 'value' && jsonEqual(held.value, content.value)
  }
  if (content.kind === 'text' || content.kind === 'rich') {
    if (current instanceof Y.XmlFragment) patchRich(current, content.value)
    else if (current instanceof Y.Text) patchText(current, content.value)
    // Nothing at all is left to a shared type: a plain one would be said, also where the field is to be absent.
    else return current === content.value && current !== ''
    return true
  }
  if (!(current instanceof Y.Map)) return false
  if (content.kind === 'map') patchMap(current, content.entries)
  else patchList(current, content.items)
  return true
}

/** Makes one entry of a map say `content`, writing only what differs. */
export const patchEntry = (map: SharedMap, key: string, content: Content): void => {
  if (!patchedInPlace(map.get(key), content)) map.set(key, toShared(content))
}

/** Makes a map hold exactly these entries; `keep` names keys to leave alone. */
export const patchMap = (map: SharedMap, entries: Entries, keep: readonly string[] = []): void => {
  for (const key of [...map.keys()]) if (!entries.has(key) && !keep.includes(key)) map.delete(key)
  for (const [key, content] of entries) patchEntry(map, key, content)
}

export const orderOf = (item: unknown): string => {
  const order = item instanceof Y.Map ? item.get(ORDER) : undefined
  return typeof order === 'string' ? order : '\uffff'
}

/** Ids of a list's items as everyone sees them. */
export const itemIds = (list: SharedMap): readonly string[] =>
  [...list.entries()]
    .map(([id, item]) => ({ id, order: orderOf(item) }))
    .sort(byOrder)
    .map(item => item.id)

const patchList = (list: SharedMap, items: readonly Item[]): void => {
  const wanted = new Set(items.map(item => item.id))
  for (const id of [...list.keys()]) if (!wanted.has(id)) list.delete(id)
  const held = items.map(item => list.get(item.id))
  const orders = ordersFor(held.map(item => (item instanceof Y.Map ? orderOf(item) : undefined)))
  for (const [index, item] of items.entries()) {
    const current = held[index]
    const order = orders[index] ?? 'a0'
    if (!(current instanceof Y.Map)) list.set(item.id, itemMap(item.entries, order))
    else {
      patchMap(current, item.entries, [ORDER])
      if (current.get(ORDER) !== order) current.set(ORDER, order)
    }
  }
}
