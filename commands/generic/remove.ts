import { decideRemove } from '#domain/entity.ts'
import { accepted } from '#schemas/refusal.ts'
import { rejectWhileUsed } from '../lookup/used-by.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { foundLive } from '../pipeline/load-target.ts'

export const remove: Attempt = async (tools, run) => {
  const { entity, command } = run
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const certain = confirmed(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await tools.registry.rulesOf(entity.name).onRemove(tools, run, state)
  if (!allowed.ok) return allowed
  const { id, level } = state
  const unused = await rejectWhileUsed(tools, command.caller, [{ entity, id }])
  if (!unused.ok) return unused
  const committed = await commit(tools, run, { entity, id, level, loaded }, allowed.value ?? decideRemove(entity))
  return committed.ok ? accepted({ id, ...committed.value }) : committed
}
