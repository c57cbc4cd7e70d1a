import type { Json } from '#schemas/event.ts'
import { isObject, own } from './json.ts'

/** Whether an id of a file can be a key of the document beside our own keys. */
export const isUsableId = (id: string): boolean => id !== '' && !id.startsWith('~')

const ownId = (item: Json): string | undefined => {
  const id = isObject(item) ? own(item, 'id') : undefined
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && isUsableId(id) ? id : undefined
}

/**
 * Ids for the items of a file's list, the same for the same file: the item's own; else the next of `connectors`, the
 * outputs that no item claims; else `item_<place>`. An id that an earlier item has is taken as none.
 */
export const assignItemIds = (items: readonly Json[], connectors: readonly string[]): readonly string[] => {
  const used = new Set<string>()
  const ids = items.map(item => {
    const id = ownId(item)
    if (id === undefined || used.has(id)) return undefined
    used.add(id)
    return id
  })
  const free = connectors.filter(id => !used.has(id))
  let taken = 0
  return ids.map((id, index) => {
    if (id !== undefined) return id
    const connector = free[taken]
    taken += 1
    if (connector !== undefined) {
      used.add(connector)
      return connector
    }
    let place = index + 1
    while (used.has(`item_${place}`)) place += 1
    used.add(`item_${place}`)
    return `item_${place}`
  })
}
