import type { WorkResult } from '../../../isolation/work.ts'

/** No process was free in time, or the work was aborted: the file itself may be correct. */
export class FileNotRead extends Error {
  override readonly name = 'FileNotRead'
}

/**
 * The answer of a job; undefined when the file exceeds its limits.
 * @throws FileNotRead
 */
export const answerOf = <T>(result: WorkResult<T>): T | undefined => {
  if (result.ok) return result.value
  if (result.code === 'work.busy' || result.code === 'work.dropped') throw new FileNotRead(result.code)
  return undefined
}
