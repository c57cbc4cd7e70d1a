import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'

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

export type SubConnector = string | number | null | undefined

/** Id of the link from a single-link output, so that two concurrent links by two people become one. */
export const linkId = (from: string, fromConnector: string, fromSubConnector: SubConnector): string =>
  [from, fromConnector, String(fromSubConnector ?? 0)].map(encodeURIComponent).join(':')

/** Whether several links may leave an output: those a declaration marks, and any of an unknown type. */
export const mayLinkOften = (type: string, connector: string): boolean => {
  const block = blockOf(type)
  if (block === undefined) return true
  return block.outputs.some(output => output.id === connector && output.multiple)
}

/** Gives out ids: the rule's, or where that is taken the next free one after it. Ids may only be added meanwhile. */
export const freeLinkIds = (has: (id: string) => boolean): ((rule: string) => string) => {
  const next = new Map<string, number>()
  return rule => {
    let place = next.get(rule) ?? 1
    const idAt = () => (place === 1 ? rule : `${rule}:${place}`)
    while (has(idAt())) place += 1
    next.set(rule, place + 1)
    return idAt()
  }
}
