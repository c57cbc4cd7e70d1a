import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** utime + stime of a process, ms. */
export const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}
