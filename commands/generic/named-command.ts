import type { NamedCommand } from '#domain/behaviour.ts'
import { actionInputSchema, type EntityAction } from '#schemas/action.ts'
import { accepted } from '#schemas/refusal.ts'
import type { Attempt, LoadFacts } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { decisionContext } from '../pipeline/decision-context.ts'
import { idempotent } from '../pipeline/idempotent.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'

const UNDECLARED: EntityAction = { icon: '', on: [] }

/** A command of an entity's own: `start`, `publish`, `lock`. */
export const namedAttempt = <Facts>(command: NamedCommand<Facts>, load: LoadFacts<Facts>): Attempt =>
  idempotent(async (context, run) => {
    const { entity } = run
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state, loaded } = target.value
    const action = entity.actions[run.command.action] ?? UNDECLARED
    const { confirm, ...rest } = run.command.input
    const certain = confirmed(confirm === undefined ? {} : { confirm }, action.confirm === 'typed')
    if (!certain.ok) return certain
    const input = parse(command.input ?? actionInputSchema(action), rest)
    if (!input.ok) return input
    const decision = await decisionContext(load, context, run, state, input.value)
    const decided = command.decide(state, input.value, decision)
    if (!decided.ok) return decided
    const { id, level } = state
    const committed = await commit(context, run, { entity, id, level, loaded }, decided.value)
    return committed.ok ? accepted({ id, ...committed.value }) : committed
  })
