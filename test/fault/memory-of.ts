import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** Bytes that a process uses after garbage collection. */
export interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
}

/** Settings of a gateway whose memory is to be asked for. */
export const measured = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'memory-on-demand.ts'))}`,
  PARLEY_TEST_MEMORY: file,
})

/** Has the gateway that was started as `measured` collect its garbage and tell. */
export const memoryOf = async (pid: number, file: string): Promise<Memory> => {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Memory
    } catch {
      await pause(20)
    }
  }
}

/** Files and sockets that a process has open. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
