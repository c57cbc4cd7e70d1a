import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { Gathered } from '#domain/nlu/format/gathered.ts'
import { type Result, refused } from '#schemas/refusal.ts'

/** ms for the thread to start and read the file. */
const READ_TIMEOUT_MS = 30_000
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Reads a file of training data, or an archive of them, in a separate thread with limits. */
export const readNluApart = ({ name, bytes }: UploadedFile, locale: string): Promise<Result<Gathered>> =>
  new Promise(resolve => {
    const url = new URL('./read-worker.ts', import.meta.url)
    const thread = new Worker(url, { workerData: { name, bytes, locale }, resourceLimits: LIMITS, env: isolatedEnv() })
    const end = (result: Result<Gathered>) => {
      clearTimeout(timer)
      void thread.terminate()
      resolve(result)
    }
    const tooLarge = () =>
      end(refused('nlu.format', { errors: [{ path: 'file', code: 'format', params: { rule: 'nlucost', name } }] }))
    const timer = setTimeout(tooLarge, READ_TIMEOUT_MS)
    thread.unref()
    thread.on('message', end)
    thread.on('error', tooLarge)
    thread.on('exit', tooLarge)
  })
