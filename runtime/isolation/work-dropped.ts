import { WorkBusy } from '#commands/work-busy.ts'
import type { WorkResult } from './work.ts'

/** The pool was closed: this process shuts down, and the next one does the work. */
export class WorkDropped extends WorkBusy {
  override readonly name = 'WorkDropped'
}

/**
 * Passes on the result of a job, unless the pool dropped it. A job that its caller aborted is not dropped by the pool.
 * @throws WorkDropped
 */
export const notDropped = <T extends WorkResult<unknown>>(result: T, signal?: AbortSignal): T => {
  if (!result.ok && result.code === 'work.dropped' && signal?.aborted !== true) throw new WorkDropped(result.code)
  return result
}
