import type { Outcome } from '#domain/expression/fault.ts'
import { type Evaluator, endedOutcome, type TimedJob, type TimedOutcomes } from '#domain/expression/interruptible.ts'
import { FileNotRead, isNotRead, throwIfDropped } from '../job-result.ts'
import { EXPRESSIONS, RECORDS } from '../jobs.ts'
import type { WorkCaller, WorkCode, WorkPool } from '../work.ts'

/** ms in the queue for all jobs of one question. */
const WAIT_MS = 10_000
const TIME_LIMIT_MS = 1000

const faultOf = (code: WorkCode): 'time' | 'limit' =>
  code === 'work.memory' || code === 'work.size' ? 'limit' : 'time'

/** Whether the present job caused the failure, so that those behind it can run. */
const isOfJob = (code: WorkCode): boolean => code === 'work.time' || code === 'work.memory' || code === 'work.size'

/**
 * Evaluates expressions of a caller in the pool. A job beyond a limit fails alone. Rejects with `FileNotRead` when no
 * process was free for the records of a file, with `WorkDropped` when the pool was closed: no job has failed.
 */
export const openEvaluator = (pool: WorkPool, from: WorkCaller, signal?: AbortSignal): Evaluator => {
  const evaluateAll = async (jobs: readonly TimedJob[], total: number): Promise<TimedOutcomes> => {
    const outcomes: Outcome<unknown>[] = []
    let [ms, waited] = [0, 0]
    while (outcomes.length < jobs.length && ms < total && waited < WAIT_MS) {
      const left = jobs.slice(outcomes.length)
      const isOfFile = left.some(({ job }) => job.kind === 'records')
      const result = await pool.run(
        isOfFile ? RECORDS : EXPRESSIONS,
        left.map(({ job }) => job),
        {
          ...{ from, ms: total - ms, partMs: left.map(each => each.ms), onPart: outcome => outcomes.push(outcome) },
          ...(isOfFile ? {} : { waitMs: WAIT_MS - waited }),
          ...(signal === undefined ? {} : { signal }),
        },
      )
      ms += result.ms
      if (!isOfFile) waited += result.waited
      throwIfDropped(result, signal)
      if (isOfFile && !result.ok && isNotRead(result.code)) throw new FileNotRead(result.code)
      const present = jobs[outcomes.length]?.job
      if (present === undefined) break
      if (result.ok) outcomes.push(result.value ?? endedOutcome('time', present))
      else {
        outcomes.push(endedOutcome(faultOf(result.code), present))
        if (!isOfJob(result.code)) break
      }
    }
    for (const { job } of jobs.slice(outcomes.length)) outcomes.push(endedOutcome('time', job))
    return { outcomes, ms, waited }
  }
  return {
    evaluateAll,
    evaluate: async (job, ms = TIME_LIMIT_MS) => {
      const { outcomes } = await evaluateAll([{ job, ms }], ms)
      return outcomes[0] ?? endedOutcome('time', job)
    },
  }
}
