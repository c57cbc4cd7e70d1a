import { afterAll, expect, test } from 'vitest'
import { openPool } from './pool.ts'
import { openChecks, openEvaluator, openVersionWork } from './pooled-work.ts'
import type { WorkPool } from './work.ts'

const pool = openPool(1)
afterAll(() => pool.close())

const FILE = 'format: parley-test\nversion: 1\nname: t\ngiven: { channel: webchat }\nsteps:\n  - user: oi\n'

test('reads where each of 300 tests of a level begins, all asked for at once [P-1616]', async () => {
  const checks = openChecks(pool)
  const given = await Promise.all(Array.from({ length: 300 }, () => checks.given(FILE, 'l')))
  expect(given.filter(each => each === undefined)).toEqual([])
})

const busy: WorkPool = {
  run: async () => ({ ok: false, code: 'work.busy', ms: 0, waited: 60_000 }),
  processes: () => 0,
  close: async () => {},
}
const LONG = 'x'.repeat(10_000)

test('rejects checks for which no process is free, which say nothing of the file [P-1703]', async () => {
  const checks = openChecks(busy)
  await expect(checks.testFile(LONG, undefined, 'l')).rejects.toMatchObject({ name: 'FileNotRead' })
  await expect(checks.compose(LONG, 'l')).rejects.toMatchObject({ name: 'FileNotRead' })
  await expect(checks.given(FILE, 'l')).rejects.toMatchObject({ name: 'FileNotRead' })
})

test('rejects records for which no process is free: no line fails [P-1704]', async () => {
  const evaluator = openEvaluator(busy, { level: 'l' })
  const records = [{ line: 1, value: {} }]
  const job = { kind: 'records', step: 'rule', source: '$', bindings: {}, records } as const
  await expect(evaluator.evaluate(job, 1_000)).rejects.toMatchObject({ name: 'FileNotRead' })
})

test('refuses version files for which no process is free [P-1705]', async () => {
  const versions = openVersionWork(busy)
  const from = { level: 'l', bot: 'b' }
  const refusal = { code: 'request.toomany', params: { retryAfter: 10 } }
  expect(await versions.check([Buffer.from(LONG.repeat(10))], from)).toMatchObject({ ok: false, refusal })
  expect(await versions.open({ packed: [], size: 1_000_000 }, from)).toMatchObject({ ok: false, refusal })
})
