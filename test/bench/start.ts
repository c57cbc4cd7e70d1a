import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { discard, startParley } from '../api/harness.ts'
import { type Figure, median, rounded } from './figure.ts'

const STARTS = 5

/** Resident memory of a process, MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** P8 on a small store: warm start, and what an idle gateway holds. */
export const start = async (): Promise<readonly Figure[]> => {
  let parley = await startParley({ env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' } })
  const times: number[] = []
  const memories: number[] = []
  for (let n = 0; n < STARTS; n++) {
    await parley.end()
    const began = performance.now()
    parley = await startParley({ folder: parley.folder, env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' } })
    times.push(performance.now() - began)
    await pause(2_000)
    memories.push(memoryOf(parley.pid))
  }
  await discard(parley)
  const seconds = median(times) / 1000
  const memory = median(memories)
  return [
    {
      id: 'P8',
      what: 'warm start until ready',
      measured: `${rounded(seconds, 2)} s`,
      target: '≤ 2 s',
      met: seconds <= 2,
      detail: { seconds: rounded(seconds, 3) },
    },
    {
      id: 'P8',
      what: 'resident memory of an idle gateway',
      measured: `${Math.round(memory)} MB`,
      target: '≤ 200 MB',
      met: memory <= 200,
      detail: { megabytes: Math.round(memory) },
    },
  ]
}
