import type { RegexMatch } from '#domain/nlu/parse-text.ts'
import { notDropped } from '../isolation/job-result.ts'
import { PATTERNS } from '../isolation/jobs.ts'
import type { WorkCaller, WorkPool } from '../isolation/work.ts'
import type { RegexQuestion } from './pattern-job.ts'

/** UTF-16 units searched of a text. */
const MAX_LENGTH = 4_000

/**
 * Runs the regexes of a project over a text in the pool. Returns no matches beyond its limits. Rejects only with
 * `WorkDropped`.
 */
export const findPatterns = async (
  { pool, from }: { readonly pool: WorkPool; readonly from: WorkCaller },
  regexes: RegexQuestion['regexes'],
  text: string,
): Promise<readonly RegexMatch[]> => {
  if (regexes.length === 0) return []
  const result = notDropped(await pool.run(PATTERNS, { regexes, text: text.slice(0, MAX_LENGTH) }, { from }))
  return result.ok ? result.value : []
}
