import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import type { TrainingFault, TrainingStage } from '#domain/nlu/train-model.ts'
import type { TrainedModel, TrainingNews } from './training-worker.ts'

/** MiB of the thread's heap; typed arrays are not part of it. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 }
/** The largest projects take several minutes. */
const TRAINING_TIMEOUT_MS = 20 * 60_000

type TrainingFailure = TrainingFault | 'memory' | 'timeout' | 'cancelled'

type TrainedApart =
  | (TrainedModel & { readonly ok: true })
  | { readonly ok: false; readonly code: TrainingFailure; readonly name: string }

const failure = (code: TrainingFailure, name = ''): TrainedApart => ({ ok: false, code, name })

/** Trains a model in a separate thread, which ends with the training. Never rejects. */
export const trainApart = (
  data: NluData,
  onProgress: (part: number, stage: TrainingStage) => void,
  signal: AbortSignal,
): Promise<TrainedApart> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve(failure('cancelled'))
    const thread = new Worker(new URL('./training-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: LIMITS,
      env: isolatedEnv(),
    })
    const end = (outcome: TrainedApart) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      void thread.terminate()
      resolve(outcome)
    }
    const cancel = () => end(failure('cancelled'))
    const timer = setTimeout(() => end(failure('timeout')), TRAINING_TIMEOUT_MS)
    signal.addEventListener('abort', cancel)
    thread.on('message', (news: TrainingNews) => {
      if ('progress' in news) onProgress(news.progress, news.stage)
      else if ('fault' in news) end(failure(news.fault, news.name))
      else end({ ok: true, ...news })
    })
    thread.on('error', () => end(failure('memory')))
    thread.on('exit', () => end(failure('memory')))
  })
