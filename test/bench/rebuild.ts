import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median, ROUNDS, rounded } from './figure.ts'
import { MILLION, millionEvents } from './million.ts'
import { writeMixedStore } from './mixed-store.ts'
import { contentOf, inserted, rebuilt } from './rebuild-once.ts'

const EVENTS = 100_000

/** P3: the ratio on a mixed store of 100,000 events, and the time for a million. */
export const rebuild = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const models = join(folder, 'models')
  await writeMixedStore(folder, EVENTS)
  const rebuilds: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rebuilds.push((await rebuilt(folder, models)).seconds)
    bare.push((await inserted(contentOf(models), EVENTS)).seconds)
  }
  rmSync(folder, { recursive: true })
  const ratio = median(bare.map((seconds, round) => seconds / (rebuilds[round] ?? Number.NaN)))
  const all = await millionEvents()
  const { seconds } = await rebuilt(all, join(all, 'projections'))
  return [
    {
      id: 'P3',
      what: `rebuild of all projections, ${EVENTS} mixed events, of bare inserts of the same rows`,
      measured: `${rounded(ratio, 2)} (${rounded(median(rebuilds), 2)} s, ${rounded(median(bare), 2)} s)`,
      target: '≥ 0.4',
      met: ratio >= 0.4,
      detail: { ratio: rounded(ratio, 3), rebuild: rounded(median(rebuilds), 3), bare: rounded(median(bare), 3) },
    },
    {
      id: 'P3',
      what: `rebuild from ${MILLION} events`,
      measured: `${rounded(seconds)} s`,
      target: '≤ 60 s',
      met: seconds <= 60,
      detail: { seconds: rounded(seconds, 2) },
    },
  ]
}
