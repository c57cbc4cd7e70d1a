import { loadEngine, runScript } from './sandbox.ts'
import type { ScriptJob, TimedRun } from './script-run.ts'

let engine = loadEngine()

export const warm = () => engine

/** Each script has its own engine instance: nothing of a script reaches the next one. */
export const run = async (job: ScriptJob): Promise<TimedRun> => {
  const ready = await engine
  const began = performance.now()
  const done = runScript(ready, job)
  engine = loadEngine()
  return { ...done, time: Math.round(performance.now() - began) }
}
