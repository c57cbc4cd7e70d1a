import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { type HierarchyFacts, MOVE_PERMISSION } from '#domain/people/hierarchy.ts'
import { isVisible, reaches } from '../lookup/visibility.ts'
import { bypassCache } from '../pipeline/bypass-cache.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import { lockTree } from '../pipeline/lock-tree.ts'
import type { Run } from '../pipeline/run.ts'
import { awaitLookup } from '../process/contents.ts'
import { closesCycle } from './gather-rights.ts'

type Existing = Extract<EntityState, { fields: Fields }>

export const gatherHierarchy: LoadFacts<HierarchyFacts> = async (context, run, state, fields) => {
  const { caller, action, id, input } = run.command
  if (state.status === 'none' || state.status === 'abandoned') {
    const { hierarchylevel } = input
    return {
      level: typeof hierarchylevel === 'string' ? hierarchylevel : caller.level,
      rootless: id !== '' && id === caller.level,
    }
  }
  if (action === 'remove') {
    await lockTree(context, run, state.id)
    await awaitLookup(context)
    return { occupants: await context.lookup.occupants(state.id) }
  }
  return place(context, run, state, fields)
}

/** Facts against the level's new parent. */
const place = async (context: CommandContext, run: Run, state: Existing, fields: Fields): Promise<HierarchyFacts> => {
  const { caller } = run.command
  const present = state.fields.parent ?? null
  const parent = fields.parent ?? present
  if (state.status === 'live' && parent === present) return {}
  await lockTree(context, run, state.id)
  const fresh = bypassCache(context)
  const above = typeof parent === 'string' ? (await fresh.loader.load(run.entity, parent)).state : undefined
  return {
    cycle: await closesCycle(fresh, run, state.id, parent),
    orphan: above?.status === 'removed' && isVisible(caller, run.entity, above),
    unknown: above !== undefined && !isVisible(caller, run.entity, above),
    top: typeof present === 'string' && !reaches(caller, present),
    mover: caller.permits(MOVE_PERMISSION),
  }
}
