import type { NluData } from '#domain/nlu/project-data.ts'
import type { TrainingFault, TrainingStage } from '#domain/nlu/train-model.ts'
import { TRAINING } from '../isolation/jobs.ts'
import type { WorkCaller, WorkCode, WorkPool } from '../isolation/work.ts'
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
export const trainApart = async (
  { pool, from, signal }: { readonly pool: WorkPool; readonly from: WorkCaller; readonly signal: AbortSignal },
  data: NluData,
  onProgress: (part: number, stage: TrainingStage) => void,
): Promise<TrainedApart> => {
  const onPart = ({ progress, stage }: { readonly progress: number; readonly stage: TrainingStage }) =>
    onProgress(progress, stage)
  const result = await pool.run(TRAINING, data, { from, signal, onPart })
  return result.ok ? result.value : { ok: false, code: FAILURES[result.code], name: '' }
}
