import type { CommandContext, Run } from './command-context.ts'

/** Stream of the lock that a command holds from its decision to its append where it depends on the shape of the tree. */
const TREE = 'name-leveltree'

/**
 * Two nodes that each take one branch below the other would both find no cycle, and cut both off the tree; a level that
 * is removed while something moves to it would hide that. Commands that move, remove or restore a level, or move a thing
 * to one, therefore hold a lock and decide on the events of its last holder. `id`: the level or thing.
 */
export const lockTree = async (
  { reservation }: CommandContext,
  { author, reserved, entity }: Run,
  id: string,
): Promise<void> => {
  const owner = { entity: entity.name, id }
  reserved.set(TREE, owner)
  await reservation.reserve(author, owner, TREE)
}
