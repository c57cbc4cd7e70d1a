// Reads what test/fixture/processor-time.ts recorded: one line of JSON for each test file.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const linesOf = file =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
    : []

/** The files with most processor time, one line each. */
export const slowestFiles = (file, root, count) =>
  linesOf(file)
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(line => `${line.seconds.toFixed(1).padStart(7)}  ${relative(root, line.file)}`)

/** Seconds of this process and everything it started, on Linux. Children that outlive a test process end uncounted by
 * the kernel: the last record of that process has them. */
export const usedSeconds = file => {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const counted = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / 100
  const living = new Map(linesOf(file).map(line => [line.pid, line.living]))
  return [...living.values()].reduce((sum, seconds) => sum + seconds, counted)
}
