import { parentPort } from 'node:worker_threads'
import { loadEngine, runScript } from './sandbox.ts'
import type { ScriptJob, TimedRun } from './script-run.ts'

const engine = loadEngine()

parentPort?.once('message', async (job: ScriptJob) => {
  const ready = await engine
  parentPort?.postMessage('begun')
  const began = performance.now()
  const run = runScript(ready, job)
  parentPort?.postMessage({ ...run, time: Math.round(performance.now() - began) } satisfies TimedRun)
})
