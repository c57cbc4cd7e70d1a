import type { Step } from '#schemas/events/process.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { foundLive } from '../pipeline/load-target.ts'
import { concluded } from './conclude.ts'
import { everythingIn, lookedUp } from './contents.ts'

/** Removes a thing and all that lies in it: itself first, so that nothing new comes into it. */
export const removeTree: Attempt = async (tools, run) => {
  const { entity, command } = run
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state } = target.value
  const certain = confirmed(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await tools.registry.rulesOf(entity.name).onRemove(tools, run, state)
  if (!allowed.ok) return allowed
  await lookedUp(tools)
  const source = { kind: entity.name, id: state.id }
  const contents = await everythingIn(tools, { entity, id: state.id })
  const things = [{ entity, id: state.id }, ...contents]
  const unused = await rejectWhileUsed(tools, command.caller, things)
  if (!unused.ok) return unused
  const steps: Step[] = [
    { do: 'remove', entity: entity.name, id: state.id, source, only: state.revision },
    ...contents.map((thing): Step => ({ do: 'remove', entity: thing.entity.name, id: thing.id, source })),
    { do: 'sweep', entity: entity.name, id: state.id },
    ...things
      .filter(thing => isClearedOnRemoval(tools, thing.entity))
      .map((thing): Step => ({ do: 'clearholders', entity: thing.entity.name, id: thing.id })),
  ]
  // A reference may have been set since the check; from here on the process makes those who set one wait for its end.
  const isStillUnused = async () => (await rejectWhileUsed(tools, command.caller, things)).ok
  return concluded(tools, run, { kind: 'remove', root: state.id, steps }, state.id, undefined, isStillUnused)
}
