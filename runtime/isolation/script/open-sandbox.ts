import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import { SCRIPT_LIMITS, type ScriptJob, type TimedRun } from './script-run.ts'

/** MiB of the thread's heap; the engine limits the memory of a script. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
/** ms in which a thread must have loaded its engine. */
const LOADING = 30_000
/** ms after its time at which the thread is ended for a script that its engine could not stop. */
const GRACE = 250
/** Limits of threads and of waiting jobs; further jobs end as `busy`. */
const MAX_RUNNING = 2
const MAX_WAITING = 20

interface Sandbox {
  /** Never rejects. */
  run(job: Omit<ScriptJob, 'time'>, isSlow?: boolean): Promise<TimedRun>
  /** Ends running and waiting jobs. */
  close(): void
}

const BUSY: TimedRun = { console: [], ended: 'busy', time: 0 }

/** One thread for each run: no part of a script outlives it, and any script can be ended. */
const runInThread = (job: ScriptJob, threads: Set<Worker>): Promise<TimedRun> =>
  new Promise(resolve => {
    const thread = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: LIMITS, env: isolatedEnv() })
    threads.add(thread)
    const end = (run: TimedRun) => {
      clearTimeout(timer)
      threads.delete(thread)
      void thread.terminate()
      resolve(run)
    }
    const late = () => end({ console: [], ended: 'time', time: job.time })
    let timer = setTimeout(late, LOADING)
    thread.on('message', (said: 'begun' | TimedRun) => {
      if (said !== 'begun') return end(said)
      clearTimeout(timer)
      timer = setTimeout(late, job.time + GRACE)
    })
    thread.on('error', () => end({ console: [], ended: 'memory', time: 0 }))
    thread.on('exit', late)
    thread.unref()
    thread.postMessage(job)
  })

/** Runs scripts of users, a few at a time, each for at most `time` ms, slow ones for ten times as long. */
export const openSandbox = (time: number = SCRIPT_LIMITS.time): Sandbox => {
  const threads = new Set<Worker>()
  const waiting: (() => void)[] = []
  let running = 0
  let isClosed = false

  const turn = async (): Promise<void> => {
    if (running >= MAX_RUNNING) await new Promise<void>(resolve => waiting.push(resolve))
    running += 1
  }
  const leave = () => {
    running -= 1
    waiting.shift()?.()
  }
  return {
    run: async (job, isSlow = false) => {
      if (isClosed || waiting.length >= MAX_WAITING) return BUSY
      await turn()
      try {
        return isClosed ? BUSY : await runInThread({ ...job, time: isSlow ? SCRIPT_LIMITS.slowTime : time }, threads)
      } finally {
        leave()
      }
    },
    close: () => {
      isClosed = true
      for (const thread of threads) void thread.terminate()
    },
  }
}
