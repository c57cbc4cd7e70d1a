import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { NluData } from '#domain/nlu/project-data.ts'
import { type TrainingFault, type TrainingReport, type TrainingStage, trainModel } from '#domain/nlu/train-model.ts'

export interface TrainedModel {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
  readonly report: Omit<TrainingReport, 'evaluation'>
  /** JSON. */
  readonly evaluation: Uint8Array<ArrayBuffer>
}

export type TrainingNews =
  | { readonly progress: number; readonly stage: TrainingStage }
  | { readonly fault: TrainingFault; readonly name: string }
  | TrainedModel

const tell = (news: TrainingNews, moved: ArrayBuffer[] = []) => parentPort?.postMessage(news, moved)

let told = { progress: -1, stage: 'entities' as TrainingStage }
const result = trainModel(workerData as NluData, (progress, stage) => {
  if (stage === told.stage && progress - told.progress < 0.01) return
  told = { progress, stage }
  tell(told)
})
if (result.ok) {
  const { bytes, report } = result
  const { evaluation: found, ...figures } = report
  const evaluation = new TextEncoder().encode(JSON.stringify(found))
  const hash = createHash('sha256').update(bytes).digest('hex')
  tell({ bytes, hash, report: figures, evaluation }, [bytes.buffer, evaluation.buffer])
} else tell({ fault: result.code, name: result.name })
