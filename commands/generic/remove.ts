import { BEHAVIOURS } from '#domain/behaviours.ts'
import { decideRemove, decideReset } from '#domain/entity.ts'
import { accepted } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/single.ts'
import { rejectWhileUsed } from '../lookup/used-by.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import { commit } from '../pipeline/commit.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { circumstanceOf } from '../pipeline/decision-context.ts'
import { foundLive } from '../pipeline/load-target.ts'

export const remove: Attempt = async (tools, run) => {
  const { entity, command } = run
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const certain = confirmed(command.input, entity.confirm)
  if (!certain.ok) return certain
  const circumstance = await circumstanceOf(tools, run, state, {})
  const allowed = BEHAVIOURS[entity.name]?.onRemove?.(state, circumstance) ?? accepted(null)
  if (!allowed.ok) return allowed
  const { id, level } = state
  if (isSingle(entity)) {
    const reset = await commit(tools, run, { entity, id, level, loaded }, decideReset(entity, state))
    return reset.ok ? accepted({ id, ...reset.value }) : reset
  }
  const unused = await rejectWhileUsed(tools, command.caller, [{ entity, id }])
  if (!unused.ok) return unused
  const committed = await commit(tools, run, { entity, id, level, loaded }, allowed.value ?? decideRemove(entity))
  return committed.ok ? accepted({ id, ...committed.value }) : committed
}
