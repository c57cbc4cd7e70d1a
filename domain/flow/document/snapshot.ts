import * as Y from 'yjs'
import { jsonEqual } from '#schemas/json.ts'
import { linksOf, nodesOf } from './document.ts'
import type { Content, Entries } from './model.ts'
import { fromShared } from './shared.ts'

export const contentEqual = (a: Content | undefined, b: Content | undefined): boolean => {
  if (a === undefined || b === undefined || a.kind !== b.kind) return a === b
  if (a.kind === 'map' && b.kind === 'map') return entriesEqual(a.entries, b.entries)
  if (a.kind === 'value' && b.kind === 'value') return jsonEqual(a.value, b.value)
  return (a.kind === 'text' || a.kind === 'rich') && (b.kind === 'text' || b.kind === 'rich') && a.value === b.value
}

const entriesEqual = (a: Entries, b: Entries): boolean =>
  a.size === b.size && [...a].every(([key, content]) => contentEqual(content, b.get(key)))

export type Place = readonly [share: 'nodes' | 'links', ...keys: string[]]

/** One difference between two moments of the document; undefined is "nothing there". */
export interface Change {
  readonly place: Place
  readonly before: Content | undefined
  readonly after: Content | undefined
}

const isTexts = (a: Content | undefined, b: Content | undefined) =>
  (a?.kind === 'text' && b?.kind === 'text') || (a?.kind === 'rich' && b?.kind === 'rich')

/** A link is replaced whole: only its color changes separately. */
const isAnotherLink = ([share, ...keys]: Place, before: Entries, after: Entries): boolean =>
  share === 'links' &&
  keys.length === 1 &&
  [...new Set([...before.keys(), ...after.keys()])].some(
    key => key !== 'color' && !contentEqual(before.get(key), after.get(key)),
  )

/** Differences at the deepest map that is on both sides, so that an edit of one field is one change of that field. */
export const changesBetween = (
  place: Place,
  before: Content | undefined,
  after: Content | undefined,
): readonly Change[] => {
  if (contentEqual(before, after)) return []
  if (before?.kind !== 'map' || after?.kind !== 'map') return [{ place, before, after }]
  if (isAnotherLink(place, before.entries, after.entries)) return [{ place, before, after }]
  const keys = new Set([...before.entries.keys(), ...after.entries.keys()])
  return [...keys].flatMap(key => changesBetween([...place, key], before.entries.get(key), after.entries.get(key)))
}

/** Whether a change is one of characters alone. */
export const isTextChange = (change: Change): boolean => isTexts(change.before, change.after)

export const shareOf = (doc: Y.Doc, share: Place[0]): Y.Map<unknown> =>
  share === 'nodes' ? nodesOf(doc) : linksOf(doc)

/** Content at a node's or link's key now. */
export const contentAt = (doc: Y.Doc, share: Place[0], id: string): Content | undefined => {
  const map = shareOf(doc, share)
  return map.has(id) ? fromShared(map.get(id)) : undefined
}

/** Updates that Yjs joins at once: it orders all of them again for each struct. */
const BATCH_SIZE = 16

/** One update that says what all of them say. */
export const mergedUpdates = (updates: readonly Uint8Array[]): Uint8Array => {
  let merged = updates
  while (merged.length > BATCH_SIZE) {
    const groups = Array.from({ length: Math.ceil(merged.length / BATCH_SIZE) }, (_, group) =>
      merged.slice(group * BATCH_SIZE, (group + 1) * BATCH_SIZE),
    )
    merged = groups.map(group => Y.mergeUpdates(group))
  }
  const [first, ...more] = merged
  return first !== undefined && more.length === 0 ? first : Y.mergeUpdates([...merged])
}

/** Whether a struct came with this transaction. */
const isNew = (item: Y.Item, transaction: Y.Transaction): boolean =>
  item.id.clock >= (transaction.beforeState.get(item.id.client) ?? 0)

const contentOf = (item: Y.Item): unknown => item.content.getContent().at(-1)

/**
 * The value a map had at a key before a transaction, to be asked while the transaction's observers run: afterwards
 * deleted content is collected. Undefined where there was none.
 */
export const valueBefore = (map: Y.Map<unknown>, key: string, transaction: Y.Transaction): unknown => {
  let item: Y.Item | null = map._map.get(key) ?? null
  while (item !== null && isNew(item, transaction)) item = item.left
  if (item === null) return undefined
  return !item.deleted || Y.isDeleted(transaction.deleteSet, item.id) ? contentOf(item) : undefined
}

/** Keys from a root share down to a type, the share's name first; lists are passed by without a key. */
export const pathOf = (type: Y.AbstractType<unknown>): readonly string[] => {
  const path: string[] = []
  let current: Y.AbstractType<unknown> = type
  for (let item = current._item; item !== null; item = current._item) {
    if (item.parentSub !== null) path.push(item.parentSub)
    if (!(item.parent instanceof Y.AbstractType)) return []
    current = item.parent
  }
  for (const [name, share] of current.doc?.share ?? []) if (share === current) path.push(name)
  return path.reverse()
}
