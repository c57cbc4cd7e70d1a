import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./writing-process.ts', import.meta.url))

export interface WritingProcess {
  readonly process: ChildProcess
  /** Lines printed so far. */
  readonly lines: readonly string[]
  /** Resolves with whether the condition came true before the process ended. */
  until(condition: (lines: readonly string[]) => boolean): Promise<boolean>
  /** Resolves when it has ended and all its output was read. */
  readonly ended: Promise<void>
}

/** @param around a command that runs it, with its arguments: `strace -f …` */
export function startWriting(args: readonly (string | number)[], around: readonly string[] = []): WritingProcess {
  const [command = '', ...rest] = [...around, process.execPath, SCRIPT, ...args.map(String)]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', line => lines.push(line))
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(() => undefined)
  let over = false
  ended.finally(() => {
    over = true
  })
  const until = async (condition: (lines: readonly string[]) => boolean) => {
    while (!condition(lines) && !over) await new Promise(resolve => setTimeout(resolve, 5))
    return condition(lines)
  }
  return { process: child, lines, until, ended }
}
