import * as Y from 'yjs'

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
