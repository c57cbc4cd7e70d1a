import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { FileReading } from '#domain/audience/file/fault.ts'

/** ms for the thread to start and read the file. */
const READ_TIMEOUT_MS = 30_000
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

/** Reads a file in a separate thread with limits on time and memory. */
export const readFileApart = (bytes: Buffer): Promise<FileReading> =>
  new Promise(resolve => {
    const url = new URL('./read-file-worker.ts', import.meta.url)
    const thread = new Worker(url, { workerData: bytes, resourceLimits: LIMITS, env: isolatedEnv() })
    const end = (reading: FileReading) => {
      clearTimeout(timer)
      void thread.terminate()
      resolve(reading)
    }
    const tooLarge = () => end({ ok: false, fault: { code: 'inflated' } })
    const timer = setTimeout(tooLarge, READ_TIMEOUT_MS)
    thread.unref()
    thread.on('message', end)
    thread.on('error', tooLarge)
    thread.on('exit', tooLarge)
  })
