import { singleState } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { isSingle, singleParent } from '#schemas/single.ts'
import type { CommandContext } from './command-context.ts'
import { type Loaded, NOTHING } from './load.ts'

/** A thing as it stands, whether or not its entity has one per parent. */
export const loadThing = (context: CommandContext, entity: EntityDeclaration, id: string): Promise<Loaded> =>
  isSingle(entity) ? loadSingle(context, entity, id) : context.loader.load(entity, id)

/**
 * The only one in its parent: at its defaults before its first event, with the level of its parent, and removed while
 * its parent is.
 */
const loadSingle = async (context: CommandContext, entity: EntityDeclaration, id: string): Promise<Loaded> => {
  const within = singleParent(entity, id)
  if (within === undefined) return NOTHING
  const loaded = await context.loader.load(entity, id)
  const parent = parentField(entity)
  if (parent === undefined)
    return withState(loaded, loaded.state.status === 'none' ? singleState(entity, id, null) : loaded.state)
  const container = context.entityOf(parent)
  const above = container && (await context.loader.load(container, within[parent] ?? '', { fresh: true })).state
  if (above?.status !== 'live' && above?.status !== 'removed') return NOTHING
  const { state } = loaded
  const present = state.status === 'live' || state.status === 'removed' ? state : singleState(entity, id, above.level)
  return withState(loaded, { ...present, status: above.status })
}

const withState = (loaded: Loaded, state: Loaded['state']): Loaded => ({ ...loaded, state })
