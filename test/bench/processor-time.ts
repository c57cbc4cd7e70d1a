import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** utime + stime of a process, ms. */
export const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

export interface Cost {
  readonly seconds: number
  /** Processor time of all threads of this process, ms. */
  readonly cpu: number
}

export const costOf = async (work: () => unknown): Promise<Cost> => {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  return { seconds, cpu: (user + system) / 1000 }
}
