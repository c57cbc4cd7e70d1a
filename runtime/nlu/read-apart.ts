import { BUSY } from '#commands/work-busy.ts'
import type { Gathered } from '#domain/nlu/format/gathered.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { isNotRead } from '../isolation/job-result.ts'
import { NLU_FILE } from '../isolation/jobs.ts'
import type { WorkCaller, WorkPool } from '../isolation/work.ts'

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Reads a file of training data, or an archive of them, in the pool. */
export const readNluApart = async (
  pool: WorkPool,
  { name, bytes }: UploadedFile,
  locale: string,
  { from, signal }: { readonly from: WorkCaller; readonly signal: AbortSignal },
): Promise<Result<Gathered>> => {
  const result = await pool.run(NLU_FILE, { name, bytes, locale }, { from, signal })
  if (result.ok) return result.value
  if (isNotRead(result.code)) return BUSY
  return refused('nlu.format', { errors: [{ path: 'file', code: 'format', params: { rule: 'nlucost', name } }] })
}
