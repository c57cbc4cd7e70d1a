import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { CommandResult } from '../pipeline/command-result.ts'
import type { Run } from '../pipeline/run.ts'

/**
 * Carries a plan out and answers where the thing it is about, or the one it made, stands then; with `resultOf` also what
 * became of it, from what the steps told. `isCurrent` is asked once the process keeps others out.
 */
export const concluded = async (
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
