import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { encodeNewItem } from '../file/encode.ts'
import { possibleChoices } from './choice-outputs.ts'
import { mapAt, nodeOf } from './document.ts'
import { removeOutputs, showChoices, showOutput } from './edit.ts'
import { type FieldPath, locate } from './location.ts'
import { ORDER } from './model.ts'
import { readNode } from './read-flow.ts'
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

/** Outputs of the options and buttons in a block's lists. */
const choiceIds = (doc: Y.Doc, id: string): ReadonlySet<string> => {
  const node = readNode(doc, id)
  const block = blockOf(node?.type ?? '')
  if (node === undefined || block?.choiceOutputs === undefined) return new Set()
  return new Set(
    possibleChoices(block, node.properties).flatMap(({ path, output }) => (path === undefined ? [] : output)),
  )
}

/** A new option or button has an output where each other one of its block has: those of a file may have none. */
const showNewChoices = (doc: Y.Doc, id: string, before: ReadonlySet<string>, origin: unknown): void => {
  const outputs = mapAt(mapAt(nodeOf(doc, id), 'properties'), 'outputs')
  if (![...before].every(choice => outputs?.has(choice) === true)) return
  showChoices(doc, id, ({ path, output }) => path !== undefined && !before.has(output), origin)
}

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
    const choices = choiceIds(doc, id)
    list.set(item.id, itemMap(encodeNewItem(field, item.members), orderAt(list, ids, item.at ?? ids.length)))
    if (givesOutputs(doc, id, path)) showOutput(doc, id, item.id, '', origin)
    showNewChoices(doc, id, choices, origin)
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

/** Removes an item and, where it or an item in it gave an output, that output with its links. */
export const removeItem = (doc: Y.Doc, id: string, path: FieldPath, item: string, origin: unknown): boolean =>
  doc.transact(() => {
    const list = listAt(doc, id, path)
    if (list === undefined || !list.has(item)) return false
    const choices = choiceIds(doc, id)
    list.delete(item)
    const lost = choices.difference(choiceIds(doc, id))
    removeOutputs(doc, id, givesOutputs(doc, id, path) ? new Set([item, ...lost]) : lost)
    return true
  }, origin)
