import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Shows progress: a bar on a terminal, a line now and then in a file. */
export interface Progress {
  /** `total` may be left out where it is not known. */
  at(done: number, total?: number): void
  done(text?: string): void
}

interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const WIDTH = 30
const REDRAW_MS = 100
const LINE_MS = 5000

const count = (value: number) => value.toLocaleString('en')

export const openProgress = (
  label: string,
  screen: Screen = process.stderr,
  now = () => performance.now(),
): Progress => {
  const every = screen.isTTY ? REDRAW_MS : LINE_MS
  const started = now()
  let shown = screen.isTTY ? Number.NEGATIVE_INFINITY : started
  const erase = () => screen.isTTY && screen.write('\r\u001b[K')
  return {
    at(done, total) {
      if (now() - shown < every) return
      shown = now()
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
      if (!screen.isTTY) {
        const part = share === undefined ? '' : ` of ${count(total ?? 0)} (${Math.floor(share * 100)} %)`
        screen.write(`${label}: ${count(done)}${part}\n`)
        return
      }
      const filled = Math.round((share ?? 0) * WIDTH)
      const bar = share === undefined ? '' : `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] `
      const end = share === undefined ? count(done) : `${Math.floor(share * 100)} % of ${count(total ?? 0)}`
      screen.write(`\r\u001b[K${`${label} ${bar}${end}`.slice(0, (screen.columns ?? 80) - 1)}`)
    },
    done(text) {
      erase()
      const seconds = ((now() - started) / 1000).toFixed(1)
      if (text !== undefined) screen.write(`${label}: ${text} (${seconds} s)\n`)
    },
  }
}

/** Writes lines to a new or replaced file of the owner's alone, or to standard output. @returns how many there were */
export const writeLines = async (
  lines: AsyncIterable<string>,
  output: string | boolean | undefined,
): Promise<number> => {
  let written = 0
  async function* counted() {
    for await (const line of lines) {
      written += 1
      yield line
    }
  }
  if (typeof output === 'string') await pipeline(Readable.from(counted()), createWriteStream(output, { mode: 0o600 }))
  else await pipeline(Readable.from(counted()), process.stdout, { end: false })
  return written
}
