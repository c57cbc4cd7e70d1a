import { Worker } from 'node:worker_threads'
import { fault, type Outcome } from '#domain/expression/engine.ts'
import type { AtaQuestion } from './ata-worker.ts'

export interface AtaEvaluator {
  /** Runs jobs one at a time. A timeout returns the fault `time` and replaces the thread. */
  evaluate(question: AtaQuestion): Promise<Outcome<unknown>>
  close(): Promise<void>
}

/** Test code only: evaluates JSONata with bindings in a thread, as the program does without them. */
export const openAtaEvaluator = (timeoutMs: number): AtaEvaluator => {
  const start = () => new Worker(new URL('./ata-worker.ts', import.meta.url))
  let worker = start()
  return {
    async evaluate(question) {
      const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>()
      const timer = setTimeout(() => {
        void worker.terminate()
        worker = start()
        resolve(fault('time', { offset: 0, length: question.source.length }))
      }, timeoutMs)
      worker.once('message', resolve)
      worker.postMessage(question)
      const outcome = await promise
      clearTimeout(timer)
      return outcome
    },
    close: async () => void (await worker.terminate()),
  }
}
