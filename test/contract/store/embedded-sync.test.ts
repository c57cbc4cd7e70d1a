import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startWriting } from './child-process.ts'
import { permitted } from './permitted.ts'

const APPENDS = 20
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(process.env.PARLEY_DISK ?? tmpdir(), 'parley-store-'))
})
afterEach(() => rm(folder, { recursive: true }))

type Step = 'write' | 'sync' | 'ack'

/** Write-ahead-log writes and acknowledgements, in the order in which they finished. */
function steps(trace: string): Step[] {
  const found: Step[] = []
  const syncing = new Set<string>()
  for (const line of trace.split('\n')) {
    const thread = line.split(' ')[0] ?? ''
    const sync = /\bf(data)?sync\(\d+<[^>]*events\.sqlite-wal>/.test(line)
    if (/\bpwrite64\(\d+<[^>]*events\.sqlite-wal>/.test(line)) found.push('write')
    else if (sync && line.includes('unfinished')) syncing.add(thread)
    else if (sync && / = 0$/.test(line)) found.push('sync')
    else if (/f(data)?sync resumed>.* = 0$/.test(line) && syncing.delete(thread)) found.push('sync')
    else if (/\bwrite\(1<[^>]*>, "ack /.test(line)) found.push('ack')
  }
  return found
}

it.skipIf(!permitted('strace', '-V'))(
  'Every acknowledgement comes after its events were synced to the disk',
  async () => {
    const log = join(folder, 'trace')
    const calls = 'trace=pwrite64,write,fsync,fdatasync'
    const writing = startWriting([join(folder, 'data'), 1, APPENDS], ['strace', '-f', '-y', '-e', calls, '-o', log])
    await writing.ended
    expect(writing.lines.at(-1)).toBe(`ack bot-0 ${APPENDS * 2}`)
    const told = steps(await readFile(log, 'utf8'))
      .join(' ')
      .split('ack')
    const before = told.slice(0, APPENDS)
    expect(told).toHaveLength(APPENDS + 1)
    for (const each of before) expect(each.trim()).toMatch(/write sync$/)
  },
)
