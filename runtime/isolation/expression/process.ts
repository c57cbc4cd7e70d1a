import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { WorkerQuestion } from '#domain/expression/interruptible.ts'

/** MiB of the heap and of the stack; a job that needs more ends the process. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

// Evaluation runs in a separate thread, so that this process notices the end of its parent at any time.
const thread = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: MEMORY, env: isolatedEnv() })
const end = () => process.exit(1)
thread.on('message', answer => process.send?.(answer))
thread.on('error', end)
thread.on('exit', end)
process.on('disconnect', end)
process.on('message', (question: WorkerQuestion) => thread.postMessage(question))
