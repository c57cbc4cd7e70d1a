import { createHash } from 'node:crypto'
import type { NluData } from '#domain/nlu/project-data.ts'
import { type TrainingFault, type TrainingReport, type TrainingStage, trainModel } from '#domain/nlu/train-model.ts'
import type { JobSteps } from '../isolation/work.ts'

export interface TrainedModel {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
  readonly report: Omit<TrainingReport, 'evaluation'>
  /** JSON. */
  readonly evaluation: Uint8Array<ArrayBuffer>
}

interface TrainingProgressMessage {
  readonly progress: number
  readonly stage: TrainingStage
}

type Trained =
  | (TrainedModel & { readonly ok: true })
  | { readonly ok: false; readonly code: TrainingFault; readonly name: string }

export const run = (data: NluData, { tell }: JobSteps<TrainingProgressMessage>): Trained => {
  let told: TrainingProgressMessage = { progress: -1, stage: 'entities' }
  const result = trainModel(data, (progress, stage) => {
    if (stage === told.stage && progress - told.progress < 0.01) return
    told = { progress, stage }
    tell(told)
  })
  if (!result.ok) return { ok: false, code: result.code, name: result.name }
  const { bytes, report } = result
  const { evaluation: found, ...figures } = report
  const evaluation = new TextEncoder().encode(JSON.stringify(found))
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { ok: true, bytes, hash, report: figures, evaluation }
}
