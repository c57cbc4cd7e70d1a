import { cachedTarget } from './cached-target.ts'
import type { Attempt } from './command-context.ts'
import { findEarlierResult } from './find-earlier-result.ts'

/**
 * Skips an attempt whose command was already carried out, but not its follow-ups. Returns an answer without an event
 * only if its state equals the one in the store: otherwise repeats the attempt.
 */
export const idempotent =
  (attempt: Attempt): Attempt =>
  async (context, first) => {
    for (let run = first; ; run = { ...run, isRepeated: true }) {
      const done = run.isRepeated ? await findEarlierResult(context, run) : undefined
      if (done !== undefined) return done
      const target = cachedTarget(context, run)
      const result = await attempt(target.context, run)
      const isWritten = result.ok && result.value.position !== undefined
      if (isWritten || !(await target.wasStale())) return result
    }
  }
