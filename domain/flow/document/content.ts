import type { Json } from '#schemas/event.ts'

/**
 * Content at one place of the document, apart from Yjs: a plain value, a Y.Text, a Y.XmlFragment (as its plain-string
 * form), a Y.Map, or a Y.Map of items with `order`. A flow file is encoded into it, a document is read as it.
 */
export type Content =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'rich'; readonly value: string }
  | { readonly kind: 'map'; readonly entries: Entries }
  | { readonly kind: 'list'; readonly items: readonly Item[] }

export type Entries = ReadonlyMap<string, Content>
export interface Item {
  readonly id: string
  readonly entries: Entries
}

/** Sorts items by their fractional key, then by id, so that every replica shows the same order. */
export const byOrder = (a: { id: string; order: string }, b: { id: string; order: string }): number => {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Key of an item's Y.Map that holds its fractional position. */
export const ORDER = 'order'
/** Sorts behind every key that fractional indexing makes: an item without a usable order comes last. */
const LAST = '\uffff'

const orderOf = (entries: Entries): string => {
  const order = entries.get(ORDER)
  return order?.kind === 'value' && typeof order.value === 'string' ? order.value : LAST
}

/** The items of a list in order, from either form; other entries are left out. */
export const itemsOf = (content: Content): readonly Item[] => {
  if (content.kind === 'list') return content.items
  if (content.kind !== 'map') return []
  const items: { id: string; order: string; entries: Entries }[] = []
  for (const [id, item] of content.entries) {
    if (item.kind === 'map') items.push({ id, order: orderOf(item.entries), entries: item.entries })
  }
  return items.sort(byOrder)
}
