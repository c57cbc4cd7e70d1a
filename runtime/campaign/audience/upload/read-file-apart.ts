import type { FileReading } from '#domain/audience/file/fault.ts'
import { CONTACTS } from '../../../isolation/jobs.ts'
import type { Run, RunOptions, WorkPool } from '../../../isolation/work.ts'

/** Reads a file of contacts in the pool. */
export const readFileApart = async (
  pool: WorkPool,
  bytes: Buffer,
  options: Pick<RunOptions<Run>, 'from' | 'signal' | 'waitMs'>,
): Promise<FileReading> => {
  const result = await pool.run(CONTACTS, bytes, options)
  if (result.ok) return result.value
  const isBusy = result.code === 'work.busy' || result.code === 'work.dropped'
  return { ok: false, fault: { code: isBusy ? 'busy' : 'inflated' } }
}
