import { decideRemove, decideReset } from '#domain/entity.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import type { Step } from '#schemas/events/process.ts'
import { accepted } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/single.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { concluded } from '../process/conclude.ts'
import { undoRemoval } from '../process/undo-removal.ts'

export const remove: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const certain = confirmed(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await context.registry.rulesOf(entity.name).onRemove(context, run, state)
  if (!allowed.ok) return allowed
  const { id, level } = state
  const isLevel = entity.name === hierarchy.name
  if (isSingle(entity)) {
    const reset = await commit(context, run, { entity, id, level, loaded }, decideReset(entity, state))
    return reset.ok ? accepted({ id, ...reset.value }) : reset
  }
  const isUnused = () => rejectWhileUsed(context, command.caller, [{ entity, id }])
  const unused = await isUnused()
  if (!unused.ok) return unused
  if (allowed.value === null && isClearedOnRemoval(context, entity)) {
    const source = { kind: entity.name, id }
    const steps: Step[] = [
      { do: 'remove', entity: entity.name, id, source, only: state.revision },
      { do: 'clearholders', entity: entity.name, id },
    ]
    const plan = { kind: 'remove', root: id, steps } as const
    return concluded(context, run, plan, id, undefined, async () => (await isUnused()).ok)
  }
  const committed = await commit(context, run, { entity, id, level, loaded }, allowed.value ?? decideRemove(entity))
  if (!committed.ok) return committed
  // A reference may have been set since the check: docs/adr/0020.
  const stillUnused = await isUnused()
  // The same of what has come into a level.
  const stillEmpty = isLevel ? await context.registry.rulesOf(entity.name).onRemove(context, run, state) : allowed
  const held = [stillUnused, stillEmpty].find(result => !result.ok)
  if (held === undefined || held.ok) return accepted({ id, ...committed.value })
  await undoRemoval(context, run, id)
  return held
}
