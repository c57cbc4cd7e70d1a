import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isolatedEnv } from '#commands/isolated-env.ts'
import {
  createEvaluator,
  type EndableWorker,
  type Evaluator,
  type WorkerAnswer,
} from '#domain/expression/interruptible.ts'

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url))

/**
 * A process, not a thread: V8 aborts the whole process when one allocation exceeds a thread's heap, as
 * `$pad("a", 500000000)` does. It does not keep this process alive.
 */
const startProcess = (onAnswer: (answer: WorkerAnswer) => void, onDead: () => void): EndableWorker => {
  const child = fork(PROCESS, { execArgv: [], env: isolatedEnv(), serialization: 'advanced', stdio: 'ignore' })
  child.unref()
  child.channel?.unref()
  child.on('message', message => onAnswer(message as WorkerAnswer))
  child.on('error', onDead)
  child.on('exit', onDead)
  return {
    ask: question => {
      // A process that has ended is reported by `exit`.
      if (child.connected) child.send(question, () => {})
    },
    end: () => void child.kill('SIGKILL'),
  }
}

/** Evaluates expressions of users in a separate process, which is ended when it takes too much time or memory. */
export const openEvaluator = (): Evaluator =>
  createEvaluator({
    start: startProcess,
    after: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
    now: () => performance.now(),
  })
