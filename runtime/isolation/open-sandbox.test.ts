import { afterEach, describe, expect, it } from 'vitest'
import { openPool } from './pool.ts'
import { openSandbox } from './pooled-work.ts'

/** Time limit of each script here, in ms. */
const TIME = 200

let pool: ReturnType<typeof openPool>
const sandboxOf = (time: number) => {
  pool = openPool(1)
  return openSandbox(pool, { level: 'l' }, { time })
}
afterEach(() => pool.close())

describe('a sandbox', () => {
  it('ends what its engine cannot stop, and runs what waits behind it', async () => {
    const sandbox = sandboxOf(TIME)
    // Native steps, each short, that never check whether the time has run out.
    const endless = 'const a = []; while (true) a.push("x".repeat(1e6) + a.length)'
    const runs = [endless, endless, endless].map(source => sandbox.run({ source, parameters: [] }))
    const other = openSandbox(pool, { level: 'l', bot: 'other' }, { time: TIME })
    const behind = other.run({ source: 'run = a => typeof a', parameters: ['x'] })
    // The machine decides which limit is reached first.
    for (const { ended, value } of await Promise.all(runs)) {
      expect(['time', 'memory']).toContain(ended)
      expect(value).toBeUndefined()
    }
    expect(await behind).toMatchObject({ value: 'string' })
  })

  it('gives a slow script ten seconds [R-44]', async () => {
    const sandbox = sandboxOf(100)
    const busy = {
      source: 'run = ms => { const end = Date.now() + ms; while (Date.now() < end); return "done" }',
      parameters: [600],
    }
    expect((await sandbox.run({ source: 'while (true);', parameters: [] })).ended).toBe('time')
    expect(await sandbox.run(busy, true)).toMatchObject({ value: 'done' })
  })

  it('answers busy beyond the limit of the queue, and rejects when the pool is closed [P-1706]', async () => {
    const sandbox = sandboxOf(TIME)
    const runs = Array.from({ length: 230 }, () => sandbox.run({ source: '1', parameters: [] }))
    pool.close()
    const ended = await Promise.allSettled(runs)
    const results = ended.map(run => (run.status === 'rejected' ? run.reason.name : run.value.ended))
    expect([...new Set(results)].sort()).toEqual(['WorkDropped', 'busy'])
  })
})
