import { createEvaluator, type EndableWorker, type WorkerAnswer } from '#domain/expression/interruptible.ts'

const startWorker = (onAnswer: (answer: WorkerAnswer) => void, onDead: () => void): EndableWorker => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => onAnswer(data)
  worker.onerror = onDead
  return { ask: question => worker.postMessage(question), end: () => worker.terminate() }
}

/** Evaluates what people write beside the page, so that what never ends ends there. */
export const evaluator = createEvaluator({
  start: startWorker,
  after: (ms, then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  now: () => performance.now(),
})
