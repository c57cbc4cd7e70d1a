import { BUSY } from '#commands/time-slicer.ts'
import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import type { RegexMatch } from '#domain/nlu/parse-text.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import type { TrainingFault, TrainingStage } from '#domain/nlu/train-model.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { NLU_FILE, PATTERNS, TRAINING } from '../isolation/jobs.ts'
import { isNotRead, throwIfDropped } from '../isolation/pooled-work.ts'
import type { WorkCaller, WorkCode, WorkPool } from '../isolation/work.ts'
import type { RegexQuestion } from './pattern-job.ts'
import type { TrainedModel } from './training-job.ts'

type TrainingFailure = TrainingFault | 'memory' | 'timeout' | 'cancelled'

type TrainedApart =
  | (TrainedModel & { readonly ok: true })
  | { readonly ok: false; readonly code: TrainingFailure; readonly name: string }

const FAILURES: Readonly<Record<WorkCode, TrainingFailure>> = {
  'work.time': 'timeout',
  'work.busy': 'timeout',
  'work.dropped': 'cancelled',
  'work.memory': 'memory',
  'work.size': 'memory',
  'work.failed': 'memory',
}

/** Trains a model in the pool. Never rejects. */
export const trainInPool = async (
  { pool, from, signal }: { readonly pool: WorkPool; readonly from: WorkCaller; readonly signal: AbortSignal },
  data: NluData,
  onProgress: (part: number, stage: TrainingStage) => void,
): Promise<TrainedApart> => {
  const onPart = ({ progress, stage }: { readonly progress: number; readonly stage: TrainingStage }) =>
    onProgress(progress, stage)
  const result = await pool.run(TRAINING, data, { from, signal, onPart })
  return result.ok ? result.value : { ok: false, code: FAILURES[result.code], name: '' }
}

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
  const result = throwIfDropped(await pool.run(PATTERNS, { regexes, text: text.slice(0, MAX_LENGTH) }, { from }))
  return result.ok ? result.value : []
}

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Reads a file of training data, or an archive of them, in the pool. */
export const readNluFileInPool = async (
  pool: WorkPool,
  { name, bytes }: UploadedFile,
  locale: string,
  { from, signal }: { readonly from: WorkCaller; readonly signal: AbortSignal },
): Promise<Result<NluFileContent>> => {
  const result = await pool.run(NLU_FILE, { name, bytes, locale }, { from, signal })
  if (result.ok) return result.value
  if (isNotRead(result.code)) return BUSY
  return refused('nlu.format', { errors: [{ path: 'file', code: 'format', params: { rule: 'nlucost', name } }] })
}
