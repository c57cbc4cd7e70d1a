import { Worker } from 'node:worker_threads'
import {
  createEvaluator,
  type EndableWorker,
  type Evaluator,
  type WorkerAnswer,
} from '#domain/expression/interruptible.ts'

/** MiB; a job that needs more ends its worker. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** A thread that sees no environment variable and does not keep the process alive. */
const startThread = (onAnswer: (answer: WorkerAnswer) => void, onDead: () => void): EndableWorker => {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: MEMORY, env: {} })
  thread.unref()
  thread.on('message', onAnswer)
  thread.on('error', onDead)
  thread.on('exit', onDead)
  return {
    ask: question => {
      thread.postMessage(question)
    },
    end: () => void thread.terminate(),
  }
}

/** Evaluates what people wrote in a thread of its own, which is ended when it takes too long or too much. */
export const openEvaluator = (): Evaluator =>
  createEvaluator({
    start: startThread,
    after: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
  })
