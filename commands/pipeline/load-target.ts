import type { EntityState, Live } from '#domain/behaviour.ts'
import { singleState } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isSingle, singleParent } from '#schemas/versioned.ts'
import { isVisible } from '../lookup/parent-level.ts'
import type { CommandContext, Run } from './command-context.ts'
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

type ExistingState = Exclude<EntityState, { status: 'none' } | { status: 'abandoned' }>

/** Commands whose revision is that of the flow, which they check with it. */
const FLOW_REVISION_ACTIONS: ReadonlySet<string> = new Set(['importflow', 'restoreflow'])

/** Target of the command, live or removed; entities outside the caller's reach do not exist. */
export const loadTarget = async (
  context: CommandContext,
  { entity, command }: Run,
): Promise<Result<{ state: ExistingState; loaded: Loaded }>> => {
  const loaded = await loadThing(context, entity, command.id)
  const { state } = loaded
  if (state.status === 'none' || state.status === 'abandoned') return refused('entity.notfound')
  if (!isVisible(command.caller, entity, state)) return refused('entity.notfound')
  const isStale =
    command.only !== undefined && command.only !== state.revision && !FLOW_REVISION_ACTIONS.has(command.action)
  return isStale ? refused('entity.revision') : accepted({ state, loaded })
}

/** The same for what only a live thing can do. */
export const loadLiveTarget = async (
  context: CommandContext,
  run: Run,
): Promise<Result<{ state: Live; loaded: Loaded }>> => {
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  return state.status === 'live' ? accepted({ state, loaded }) : refused('entity.notfound')
}
