import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { encodeNewItem } from '../file/encode.ts'
import { linksOf, mapAt, nodeOf, propertiesOf } from './document.ts'
import { showOutput } from './edit.ts'
import { type FieldPath, locate } from './location.ts'
import { ORDER } from './model.ts'
import { itemIds, itemMap, orderOf, ordersBetween, type SharedMap } from './shared.ts'

const listAt = (doc: Y.Doc, id: string, path: FieldPath): SharedMap | undefined => {
  const place = locate(doc, id, path)
  if (place === undefined || place.field?.kind !== 'list') return undefined
  if (!place.map.has(place.key)) place.map.set(place.key, new Y.Map())
  return mapAt(place.map, place.key)
}

const orderAt = (list: SharedMap, ids: readonly string[], at: number): string => {
  const before = ids[at - 1]
  const after = ids[at]
  const low = before === undefined ? null : orderOf(list.get(before))
  const high = after === undefined ? null : orderOf(list.get(after))
  return ordersBetween(low, high, 1)[0] ?? 'a0'
}

const givesOutputs = (doc: Y.Doc, id: string, path: FieldPath): boolean =>
  path.length === 1 && blockOf(String(nodeOf(doc, id)?.get('type')))?.itemOutputs === path[0]

/** Adds an item to a list at a place, by default at its end. False if the list is missing or unreadable. */
export const addItem = (
  doc: Y.Doc,
  id: string,
  path: FieldPath,
  item: { readonly id: string; readonly members: JsonObject; readonly at?: number },
  origin: unknown,
): boolean =>
  doc.transact(() => {
    const list = listAt(doc, id, path)
    const field = locate(doc, id, path)?.field
    if (list === undefined || field?.kind !== 'list') return false
    const ids = itemIds(list)
    list.set(item.id, itemMap(encodeNewItem(field, item.members), orderAt(list, ids, item.at ?? ids.length)))
    if (givesOutputs(doc, id, path)) showOutput(doc, id, item.id, '', origin)
    return true
  }, origin)

/** Moves an item to index `to` among the others; writes nothing else. */
export const moveItem = (doc: Y.Doc, id: string, path: FieldPath, item: string, to: number, origin: unknown): boolean =>
  doc.transact(() => {
    const list = listAt(doc, id, path)
    const moved = list === undefined ? undefined : mapAt(list, item)
    if (list === undefined || moved === undefined) return false
    const others = itemIds(list).filter(other => other !== item)
    moved.set(ORDER, orderAt(list, others, to))
    return true
  }, origin)

/** Removes an item and, where it gave an output, that output with its links. */
export const removeItem = (doc: Y.Doc, id: string, path: FieldPath, item: string, origin: unknown): boolean =>
  doc.transact(() => {
    const list = listAt(doc, id, path)
    if (list === undefined || !list.has(item)) return false
    list.delete(item)
    if (givesOutputs(doc, id, path)) removeOutput(doc, id, item)
    return true
  }, origin)

const removeOutput = (doc: Y.Doc, id: string, connector: string): void => {
  mapAt(propertiesOf(doc, id), 'outputs')?.delete(connector)
  for (const key of [...linksOf(doc).keys()]) {
    const link = mapAt(linksOf(doc), key)
    if (link?.get('from') === id && link.get('fromConnector') === connector) linksOf(doc).delete(key)
  }
}
