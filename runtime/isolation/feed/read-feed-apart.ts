import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { Feed } from './read-feed.ts'

/** ms for the thread to start and to read. */
const READ_TIMEOUT_MS = 20_000
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** As `readFeed`, in a separate thread: feeds may be large, and rooms must not wait for them. */
export const readFeedApart = (xml: string, most: number, address: string): Promise<Feed | undefined> =>
  new Promise(resolve => {
    const url = new URL('./worker.ts', import.meta.url)
    const thread = new Worker(url, { workerData: { xml, most, address }, resourceLimits: LIMITS, env: isolatedEnv() })
    const end = (feed: Feed | undefined) => {
      clearTimeout(timer)
      void thread.terminate()
      resolve(feed)
    }
    const timer = setTimeout(end, READ_TIMEOUT_MS, undefined)
    thread.unref()
    thread.on('message', end)
    thread.on('error', () => end(undefined))
    thread.on('exit', () => end(undefined))
  })
