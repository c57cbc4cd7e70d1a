import type { EntityState, Live } from '#domain/behaviour.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isVisible } from '../lookup/visibility.ts'
import type { CommandContext } from './command-context.ts'
import type { Loaded } from './load.ts'
import { loadThing } from './load-single.ts'
import type { Run } from './run.ts'

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
