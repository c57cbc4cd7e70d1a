import { parentPort } from 'node:worker_threads'
import { createContentCache } from './flow-content.ts'
import { type FlowJobResults, performFlowJob } from './flow-job.ts'
import type { PackedJob } from './packed-job.ts'

export interface FlowQuestion {
  readonly number: number
  readonly job: PackedJob
}

export type FlowAnswer =
  | { readonly number: number; readonly result: FlowJobResults[keyof FlowJobResults] }
  | { readonly number: number; readonly failed: Error }

const contents = createContentCache()

parentPort?.on('message', ({ number, job }: FlowQuestion) => {
  void answer(number, job).then(told => parentPort?.postMessage(told))
})

const answer = async (number: number, job: PackedJob): Promise<FlowAnswer> => {
  try {
    return { number, result: await performFlowJob(job.job, contents) }
  } catch (error) {
    return { number, failed: error instanceof Error ? error : new Error(String(error)) }
  }
}
