import { parentPort } from 'node:worker_threads'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { createContentCache } from './flow-content.ts'
import { type FlowJob, type FlowJobResults, performFlowJob } from './flow-job.ts'

export interface FlowQuestion {
  readonly number: number
  readonly job: FlowJob
}

export type FlowAnswer =
  | { readonly number: number; readonly result: FlowJobResults[keyof FlowJobResults] }
  /** An error loses its class between threads. */
  | { readonly number: number; readonly failed: Error; readonly isTooCostly: boolean }

const contents = createContentCache()

parentPort?.on('message', ({ number, job }: FlowQuestion) => {
  void answer(number, job).then(told => {
    const bytes = 'result' in told && told.result instanceof Uint8Array ? [told.result.buffer as ArrayBuffer] : []
    parentPort?.postMessage(told, bytes)
  })
})

const answer = async (number: number, job: FlowJob): Promise<FlowAnswer> => {
  try {
    return { number, result: await performFlowJob(job, contents) }
  } catch (error) {
    const failed = error instanceof Error ? error : new Error(String(error))
    return { number, failed, isTooCostly: error instanceof TooCostly }
  }
}
