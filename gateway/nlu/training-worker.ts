import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { NluData } from '#domain/nlu/project-data.ts'
import { type TrainingFault, type TrainingReport, trainModel } from '#domain/nlu/train-model.ts'

export type TrainingNews =
  | { readonly progress: number }
  | { readonly fault: TrainingFault; readonly name: string }
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly hash: string; readonly report: TrainingReport }

const tell = (news: TrainingNews, moved: ArrayBuffer[] = []) => parentPort?.postMessage(news, moved)

let told = 0
const result = trainModel(workerData as NluData, progress => {
  if (progress - told < 0.01) return
  told = progress
  tell({ progress })
})
if (result.ok) {
  const { bytes, report } = result
  tell({ bytes, hash: createHash('sha256').update(bytes).digest('hex'), report }, [bytes.buffer])
} else tell({ fault: result.code, name: result.name })
