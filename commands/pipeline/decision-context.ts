import type { DecisionContext, EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { CommandContext, LoadFacts } from './command-context.ts'
import type { Run } from './run.ts'

/** Time, actor and the facts that deciding a command needs. */
export const decisionContext = async <Facts>(
  load: LoadFacts<Facts>,
  context: CommandContext,
  run: Run,
  state: EntityState,
  fields: Fields,
): Promise<DecisionContext<Facts>> => ({
  time: run.author.time,
  actor: run.author.actor,
  facts: await load(context, run, state, fields),
})
