import { cachedTarget } from './cached-target.ts'
import type { Attempt } from './command-context.ts'
import { findEarlierResult } from './find-earlier-result.ts'

/**
 * An attempt that is not made where the command turns out to have been carried out; what belongs behind it still is.
 * An answer without an event is given only where the state that it rests on is the one in the store: otherwise the
 * attempt is made again.
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
