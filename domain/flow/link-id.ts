import { blockOf } from '#schemas/blocks/registry.ts'

export type SubConnector = string | number | null | undefined

/** The id of the link that leaves a single-link output, so that two people who link it at once end with one link. */
export const linkId = (from: string, fromConnector: string, fromSubConnector: SubConnector): string =>
  [from, fromConnector, String(fromSubConnector ?? 0)].map(encodeURIComponent).join(':')

/** Whether several links may leave an output: those a declaration marks, and any of an unknown type. */
export const mayLinkOften = (type: string, connector: string): boolean => {
  const block = blockOf(type)
  if (block === undefined) return true
  return block.outputs.some(output => output.id === connector && output.multiple)
}
