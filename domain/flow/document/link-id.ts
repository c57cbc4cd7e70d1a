import { blockOf } from '#schemas/blocks/registry.ts'

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
