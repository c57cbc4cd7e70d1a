import { WorkBusy } from '#commands/time-slicer.ts'
import type { WorkCode, WorkResult } from './work.ts'

/** A file for which no process was free in time, or whose work was aborted: it may be correct. */
export class FileNotRead extends WorkBusy {
  override readonly name = 'FileNotRead'
}

/** Whether a job ended without a fault of its input. */
export const isNotRead = (code: WorkCode): boolean => code === 'work.busy' || code === 'work.dropped'

/**
 * The answer of a job; undefined when the file exceeds its limits.
 * @throws FileNotRead
 */
export const answerOf = <T>(result: WorkResult<T>): T | undefined => {
  if (result.ok) return result.value
  if (isNotRead(result.code)) throw new FileNotRead(result.code)
  return undefined
}

/** The pool was closed: this process shuts down, and the next one does the work. */
export class WorkDropped extends WorkBusy {
  override readonly name = 'WorkDropped'
}

/**
 * Passes on the result of a job, unless the pool dropped it. A job that its caller aborted is not dropped by the pool.
 * @throws WorkDropped
 */
export const throwIfDropped = <T extends WorkResult<unknown>>(result: T, signal?: AbortSignal): T => {
  if (!result.ok && result.code === 'work.dropped' && signal?.aborted !== true) throw new WorkDropped(result.code)
  return result
}
