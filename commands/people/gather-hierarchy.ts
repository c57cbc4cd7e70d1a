import type { HierarchyFacts } from '#domain/people/hierarchy.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'
import { awaitLookup } from '../process/contents.ts'
import { closesCycle } from './gather-rights.ts'

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
    await awaitLookup(context)
    return { occupants: await context.lookup.occupants(state.id) }
  }
  const parent = fields.parent ?? state.fields.parent ?? null
  const above = typeof parent === 'string' ? await context.loader.load(run.entity, parent) : undefined
  return {
    cycle: await closesCycle(context, run, state.id, parent),
    orphan: above !== undefined && above.state.status !== 'live',
  }
}
