import { fork } from 'node:child_process'
import { afterEach, expect, test, vi } from 'vitest'
import type * as probe from '#runtime/isolation/fixture/probe-job.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import type { JobKind } from '#runtime/isolation/work.ts'

vi.mock('node:child_process', async original => {
  const whole = await original<typeof import('node:child_process')>()
  return { ...whole, fork: vi.fn(whole.fork) }
})

const PROBE: JobKind<typeof probe.run> = {
  module: new URL('../../runtime/isolation/fixture/probe-job.ts', import.meta.url),
  ...{ lane: 'turn', ms: 15_000, memory: 500, input: 100_000, answer: 100_000 },
}
const pool = openPool(1)
const ask = () => pool.run(PROBE, { do: 'answer', value: 'x' }, { from: { level: 'l' } })
afterEach(() => pool.close())

test('fails its jobs when the system starts no process, and serves again when it does [P-1602]', async () => {
  const refused = () => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  }
  for (let n = 0; n < 3; n += 1) vi.mocked(fork).mockImplementationOnce(refused)
  expect(await ask()).toMatchObject({ ok: false, code: 'work.failed' })
  vi.mocked(fork).mockImplementationOnce(refused)
  expect(await ask()).toMatchObject({ ok: true, value: 'x' })
})
