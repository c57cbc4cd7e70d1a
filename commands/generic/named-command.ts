import { BEHAVIOURS } from '#domain/behaviours.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import { commit } from '../pipeline/commit.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { circumstanceOf } from '../pipeline/decision-context.ts'
import { foundLive } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'

/** A command of an entity's own: `start`, `publish`, `lock`. */
export const named: Attempt = async (tools, run) => {
  const { entity, command } = run
  const own = BEHAVIOURS[entity.name]?.commands[command.action]
  if (own === undefined) return refused('entity.notfound')
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const { confirm, ...rest } = command.input
  const certain = confirmed(confirm === undefined ? {} : { confirm }, own.confirm === true)
  if (!certain.ok) return certain
  const input = parse(own.input, rest)
  if (!input.ok) return input
  const circumstance = await circumstanceOf(tools, run, state, input.value)
  const decided = own.decide(state, input.value, circumstance)
  if (!decided.ok) return decided
  const { id, level } = state
  const committed = await commit(tools, run, { entity, id, level, loaded }, decided.value)
  return committed.ok ? accepted({ id, ...committed.value }) : committed
}
