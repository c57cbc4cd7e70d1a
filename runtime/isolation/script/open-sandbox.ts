import { throwIfDropped } from '../job-result.ts'
import { SCRIPT } from '../jobs.ts'
import type { WorkCaller, WorkPool } from '../work.ts'
import { SCRIPT_LIMITS, type ScriptJob, type TimedRun } from './script-run.ts'

/** ms after its time at which a script is ended that its engine could not stop. */
const GRACE_MS = 250

interface SandboxRun extends TimedRun {
  /** ms in the queue. */
  readonly waited: number
}

/** Runs scripts of one caller. */
export interface Sandbox {
  /** Rejects only with `WorkDropped`. */
  run(job: Omit<ScriptJob, 'time'>, isSlow?: boolean): Promise<SandboxRun>
}

const ENDED = {
  'work.time': 'time',
  'work.memory': 'memory',
  'work.size': 'memory',
  'work.failed': 'memory',
  'work.busy': 'busy',
  'work.dropped': 'busy',
} as const

/** Scripts run for at most `time` ms each, slow ones for ten seconds. */
export const openSandbox = (
  pool: WorkPool,
  from: WorkCaller,
  { time = SCRIPT_LIMITS.time, signal }: { readonly time?: number; readonly signal?: AbortSignal } = {},
): Sandbox => ({
  async run(job, isSlow = false) {
    const limit = isSlow ? SCRIPT_LIMITS.slowTime : time
    const options = { from, ms: limit + GRACE_MS, ...(signal === undefined ? {} : { signal }) }
    const result = throwIfDropped(await pool.run(SCRIPT, { ...job, time: limit }, options), signal)
    const { waited } = result
    if (result.ok) return { ...result.value, waited }
    return { console: [], ended: ENDED[result.code], time: Math.round(result.ms), waited }
  },
})
