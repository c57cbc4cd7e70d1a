import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { CommandContext, CommandResult, Run } from '../pipeline/command-context.ts'

/**
 * Runs a plan and returns the final id and revision of its target, or of the created entity; with `resultOf` also a
 * result from the steps' reports. `isCurrent` is called once the process blocks others.
 */
export const runProcess = async (
  context: CommandContext,
  run: Run,
  plan: ProcessPlan,
  id: string,
  resultOf?: (told: readonly JsonObject[]) => JsonObject,
  isCurrent?: () => Promise<boolean>,
): Promise<Result<CommandResult>> => {
  const ended = await context.processes.carryOut(run.author, plan, isCurrent)
  if (!ended.ok) return ended
  const { tail } = await context.loader.load(run.entity, id, { fresh: true })
  const { position, told } = ended.value
  return accepted({ id, revision: tail.revision, position, ...(resultOf && { result: resultOf(told) }) })
}
