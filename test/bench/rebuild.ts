import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median, ROUNDS, rounded } from './figure.ts'
import { writeMixedStore } from './mixed-store.ts'
import { contentOf, inserted, rebuilt } from './rebuild-once.ts'

const EVENTS = 100_000

/** P3. */
export const rebuild = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const models = join(folder, 'models')
  await writeMixedStore(folder, EVENTS)
  const rebuilds: number[] = []
  const bare: number[] = []
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { seconds, cpu } = await rebuilt(folder, models)
    rebuilds.push(seconds)
    costs.push(cpu / EVENTS)
    bare.push((await inserted(contentOf(models), EVENTS)).seconds)
  }
  rmSync(folder, { recursive: true })
  const ratio = median(bare.map((seconds, round) => seconds / (rebuilds[round] ?? Number.NaN)))
  const each = rounded(median(costs), 3)
  return [
    {
      id: 'P3',
      what: `rebuild of all projections, ${EVENTS} mixed events, of bare inserts of the same rows; processor time of an event`,
      measured: `${rounded(ratio, 2)} (${rounded(median(rebuilds), 2)} s, ${rounded(median(bare), 2)} s); ${each} ms`,
      target: '≥ 0.4',
      met: ratio >= 0.4,
      detail: { ratio: rounded(ratio, 3), rebuild: rounded(median(rebuilds), 3), bare: rounded(median(bare), 3), each },
    },
  ]
}
