import * as Y from 'yjs'
import { propertiesOf } from '#domain/flow/document/document.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { escapeKey } from '#domain/flow/document/shape.ts'
import { fromShared, itemIds } from '#domain/flow/document/shared.ts'
import type { Json } from '#schemas/event.ts'

const isItem = (type: string, path: readonly string[], index: number): boolean =>
  index > 0 && fieldAt(type, path.slice(0, index))?.kind === 'list'

/** Shared value at a path, without creating it: viewing a block must not write to it. */
const sharedAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): unknown => {
  let held: unknown = propertiesOf(doc, id)
  let inItem = false
  for (const [index, name] of path.entries()) {
    const item = isItem(type, path, index)
    held = held instanceof Y.Map ? held.get(item ? name : escapeKey(name, inItem)) : undefined
    inItem = item
  }
  return held
}

/** A plain value, or a text as its plain string; undefined if empty. */
export const valueAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): Json | undefined => {
  const held = sharedAt(doc, id, type, path)
  if (held === undefined) return undefined
  const content = fromShared(held)
  return content.kind === 'value' || content.kind === 'text' || content.kind === 'rich' ? content.value : undefined
}

/** Ids of a list's items in their order; undefined where a list cannot be read. */
export const itemsAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): readonly string[] | undefined => {
  const held = sharedAt(doc, id, type, path)
  if (held === undefined) return []
  return held instanceof Y.Map ? itemIds(held) : undefined
}
