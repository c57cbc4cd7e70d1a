import type { FileReading } from '#domain/audience/file/fault.ts'
import { CONTACTS } from '../../../isolation/jobs.ts'
import type { WorkCaller, WorkPool } from '../../../isolation/work.ts'

/** Reads a file of contacts in the pool. */
export const readFileApart = async (
  pool: WorkPool,
  bytes: Buffer,
  { from, signal }: { readonly from: WorkCaller; readonly signal?: AbortSignal },
): Promise<FileReading> => {
  const result = await pool.run(CONTACTS, bytes, { from, ...(signal === undefined ? {} : { signal }) })
  return result.ok ? result.value : { ok: false, fault: { code: 'inflated' } }
}
