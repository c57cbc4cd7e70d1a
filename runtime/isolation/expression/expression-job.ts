import type { Outcome } from '#domain/expression/engine.ts'
import { openEngine } from '#domain/expression/engines.ts'
import { outcomeOf } from '#domain/expression/interruptible.ts'
import { type ExpressionJob, prepareJob } from '#domain/expression/run-job.ts'
import type { JobSteps } from '../work.ts'
import { prepareRecords } from './records.ts'

const prepare = (job: ExpressionJob) => (job.kind === 'records' ? prepareRecords(job) : prepareJob(job))

/** Loads the code of all engines. */
export const warm = async () => {
  const templates = import('#domain/expression/template-evaluate.ts')
  const paths = [import('#domain/expression/json-path.ts'), import('#domain/expression/json-ata.ts')]
  await Promise.all([openEngine('Jexl'), openEngine('ExprEval'), openEngine('JsonAta'), templates, ...paths])
}

/** Answers the outcome of the last job; those before it are parts. */
export const run = async (
  jobs: readonly ExpressionJob[],
  { next }: JobSteps<Outcome<unknown>>,
): Promise<Outcome<unknown> | undefined> => {
  let outcome: Outcome<unknown> | undefined
  for (const job of jobs) {
    const prepared = await prepare(job).catch(() => undefined)
    if (outcome !== undefined) next(outcome)
    outcome = await outcomeOf(prepared, job)
  }
  return outcome
}
