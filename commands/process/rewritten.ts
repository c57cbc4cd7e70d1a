import type { FlowsRewritten } from '#schemas/api/flow-text.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { BotFlow } from '../flow/bot-flow.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { CommandResult } from '../pipeline/command-result.ts'
import type { Run } from '../pipeline/run.ts'
import type { Caller } from '../port.ts'
import { concluded } from './conclude.ts'

/** Whether someone may draw in all of these flows. */
export const mayDraw = (caller: Caller, flows: readonly Pick<BotFlow, 'kind'>[]): boolean =>
  flows.every(({ kind }) => caller.user === null || caller.permits(`update${kind}`))

/** Rewrites the flows of a plan and answers what was changed, and what was left where, of which steps tell as well. */
export const rewritten = async (
  context: CommandContext,
  run: Run,
  plan: ProcessPlan,
  found: (told: readonly JsonObject[]) => FlowsRewritten,
): Promise<Result<CommandResult>> => {
  if (plan.steps.length > 0) return concluded(context, run, plan, plan.root, told => ({ ...found(told) }))
  const { tail } = await context.loader.load(run.entity, plan.root)
  return accepted({ id: plan.root, revision: tail.revision, result: { ...found([]) } })
}
