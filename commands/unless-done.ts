import { alreadyDone } from './already-done.ts'
import type { Attempt } from './attempt.ts'

/** An attempt that is not made where the command turns out to have been carried out; what belongs behind it still is. */
export const unlessDone =
  (attempt: Attempt): Attempt =>
  async (tools, run) =>
    (run.isRepeated ? await alreadyDone(tools, run) : undefined) ?? attempt(tools, run)
