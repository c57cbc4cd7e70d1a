import type { JsonObject } from '#schemas/event.ts'
import { type ProcessPlan, processStream } from '#schemas/events/entity.ts'
import { accepted, type Refusal, type Result } from '#schemas/refusal.ts'
import type { CommandContext, CommandResult, Run } from '../pipeline/command-context.ts'
import type { BatchResult, RefusedRow } from './batch.ts'
import { unpackPlan } from './process-port.ts'

export interface ProcessReport {
  readonly id: string
  readonly state: 'running' | 'finished' | 'failed'
  readonly kind: ProcessPlan['kind']
  readonly entity: string
  readonly action: string
  /** User who started the process. */
  readonly actor: string | null
  readonly done: number
  readonly total: number
  /** Rows of an import that changed nothing. */
  readonly unchanged: number
  readonly refused: readonly RefusedRow[]
  readonly written: BatchResult['written']
  /** Why it failed. */
  readonly refusal?: Refusal
}

/** Progress of a process over many entities; undefined for any other root. */
export const readReport = async ({ store }: CommandContext, root: string): Promise<ProcessReport | undefined> => {
  let plan: ProcessPlan | undefined
  let actor: string | null = null
  let end: { readonly refusal?: Refusal } | undefined
  let done = 0
  const refused: RefusedRow[] = []
  const written: BatchResult['written'][number][] = []
  for await (const event of store.read(processStream(root))) {
    if (event.type === 'ProcessStarted') {
      plan = await unpackPlan(event)
      actor = event.actor
    } else if (event.type === 'ProcessFinished') end = event.data as { refusal?: Refusal }
    else if (event.type === 'ProcessStepDone' && event.data.told !== undefined) {
      const result = event.data.told as unknown as BatchResult
      done += result.done
      refused.push(...result.refused)
      written.push(...result.written)
    }
  }
  if (plan?.batch === undefined) return undefined
  const { action, total, unchanged = 0 } = plan.batch
  const entity = plan.steps[0]?.entity ?? ''
  const state = end === undefined ? 'running' : end.refusal === undefined ? 'finished' : 'failed'
  const report = {
    id: root,
    state,
    kind: plan.kind,
    entity,
    action,
    actor,
    done,
    total,
    unchanged,
    refused,
    written,
  } as const
  return end?.refusal === undefined ? report : { ...report, refusal: end.refusal }
}

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
