import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'

/** A level and its ancestors, root first: later levels override earlier ones. */
export const levelChain = async (read: ReadModels, level: string): Promise<readonly string[]> => {
  const parents = new Map((await read.levels(SYSTEM_SCOPE)).map(({ id, parent }) => [id, parent]))
  const chain: string[] = []
  for (let at: string | null | undefined = level; at && !chain.includes(at); at = parents.get(at)) chain.unshift(at)
  return chain
}
