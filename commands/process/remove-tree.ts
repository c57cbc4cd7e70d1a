import type { Step } from '#schemas/events/process.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { concluded } from './conclude.ts'
import { awaitLookup, everythingIn } from './contents.ts'

/** Removes an entity and its contents: itself first, so that no new contents are added. */
export const removeTree: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state } = target.value
  const certain = confirmed(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await context.registry.rulesOf(entity.name).onRemove(context, run, state)
  if (!allowed.ok) return allowed
  await awaitLookup(context)
  const source = { kind: entity.name, id: state.id }
  const contents = await everythingIn(context, { entity, id: state.id })
  const things = [{ entity, id: state.id }, ...contents]
  const unused = await rejectWhileUsed(context, command.caller, things)
  if (!unused.ok) return unused
  const steps: Step[] = [
    { do: 'remove', entity: entity.name, id: state.id, source, only: state.revision },
    ...contents.map((thing): Step => ({ do: 'remove', entity: thing.entity.name, id: thing.id, source })),
    { do: 'sweep', entity: entity.name, id: state.id },
    ...things
      .filter(thing => isClearedOnRemoval(context, thing.entity))
      .map((thing): Step => ({ do: 'clearholders', entity: thing.entity.name, id: thing.id })),
  ]
  // A reference may have been set since the check; from here on the process makes those who set one wait for its end.
  const isStillUnused = async () => (await rejectWhileUsed(context, command.caller, things)).ok
  return concluded(context, run, { kind: 'remove', root: state.id, steps }, state.id, undefined, isStillUnused)
}
