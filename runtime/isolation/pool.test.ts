import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { isFull } from '#test/fixture/full.ts'
import type * as probe from './fixture/probe-job.ts'
import type { Probe } from './fixture/probe-job.ts'
import { openPool } from './pool.ts'
import type { JobKind, WorkPool } from './work.ts'

const PROBE: JobKind<typeof probe.run> = {
  module: new URL('./fixture/probe-job.ts', import.meta.url),
  ...{ lane: 'turn', ms: 15_000, memory: 500, input: 100_000, answer: 100_000 },
}

/** Answers beside a flood: long enough for its first deadlines, kills and restarts. */
const ANSWERS = isFull ? 20 : 10

let pool: WorkPool
const opened = (processes = 1): WorkPool => {
  // The code of expressions and scripts takes most of the start of a process.
  pool = openPool(processes, [])
  return pool
}
afterEach(() => pool.close())

const ask = (
  given: Probe,
  level = 'l',
  options: { ms?: number; bot?: string; signal?: AbortSignal; waitMs?: number } = {},
) => {
  const { bot, ...rest } = options
  return pool.run(PROBE, given, { from: { level, ...(bot === undefined ? {} : { bot }) }, ...rest })
}
const answer = (value: string): Probe => ({ do: 'answer', value })

test('ends a job at its deadline, and answers the next one [P-1601]', async () => {
  opened()
  const [late, behind] = await Promise.all([ask({ do: 'spin', ms: 60_000 }, 'l', { ms: 100 }), ask(answer('next'))])
  expect(late).toMatchObject({ ok: false, code: 'work.time' })
  // Timers count whole milliseconds from the beginning of the turn of the event loop in which they are set.
  expect(late.ms).toBeGreaterThan(90)
  expect(behind).toMatchObject({ ok: true, value: 'next' })
})

test('has ended its processes, busy ones as well, once it is closed [P-2255]', async () => {
  opened(2)
  const spins = [ask({ do: 'spin', ms: 60_000 }, 'a'), ask({ do: 'spin', ms: 60_000 }, 'b')]
  const children = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes('isolation/process.ts'))
    .map(line => Number.parseInt(line, 10))
  expect(children.length).toBeGreaterThan(0)
  await pool.close()
  for (const child of children) expect(() => process.kill(child, 0)).toThrow('ESRCH')
  for (const spin of spins) expect(await spin).toMatchObject({ code: 'work.dropped' })
})

test('counts neither start-up nor the restart after a kill as working time [P-1601]', async () => {
  opened()
  // Loading the module takes 300 ms.
  expect(await ask(answer('cold'), 'l', { ms: 100 })).toMatchObject({ ok: true })
  expect(await ask({ do: 'spin', ms: 60_000 }, 'l', { ms: 100 })).toMatchObject({ code: 'work.time' })
  expect(await ask(answer('again'), 'l', { ms: 100 })).toMatchObject({ ok: true, value: 'again' })
})

test('gives each part its own deadline, within that of the job [P-1601]', async () => {
  opened()
  const from = { level: 'l' }
  const parts: number[] = []
  const onPart = (part: number) => parts.push(part)
  const limited = { from, onPart, partMs: [5_000, 5_000, 200, 5_000] }
  const result = await pool.run(PROBE, { do: 'parts', ms: [20, 20, 60_000, 20] }, limited)
  expect(result).toMatchObject({ ok: false, code: 'work.time' })
  expect(parts).toEqual([0, 1])
})

test.runIf(process.platform === 'linux')(
  'counts the time in which its process waits for a processor as no working time [P-2901]',
  async () => {
    opened()
    await ask(answer('warm'))
    let pid = 0
    const onPart = (told: number) => {
      pid = told
      // The busy machine: the process gets no processor for longer than its job may work.
      process.kill(pid, 'SIGSTOP')
      setTimeout(() => process.kill(pid, 'SIGCONT'), 900)
    }
    const result = await pool.run(PROBE, { do: 'tell', ms: 200 }, { from: { level: 'l' }, ms: 400, onPart })
    expect(pid).toBeGreaterThan(0)
    expect(result).toMatchObject({ ok: true, value: 'done' })
    expect(result.ms).toBeLessThan(400)
  },
)

test.runIf(process.platform === 'linux')('kills a process beyond its resident memory [P-1602]', async () => {
  opened()
  const [large, small] = await Promise.all([ask({ do: 'fill', bytes: 600_000_000 }, 'B'), ask(answer('x'), 'A')])
  expect(large).toMatchObject({ ok: false, code: 'work.memory' })
  expect(small).toMatchObject({ ok: true })
})

test('survives a heap overflow and the death of a process, which fail their job alone [P-1602]', async () => {
  opened()
  const jobs: Probe[] = [{ do: 'heap' }, { do: 'die' }, { do: 'throw' }, answer('after')]
  const results = await Promise.all(jobs.map((job, place) => ask(job, `level ${place}`)))
  expect(results.map(each => (each.ok ? each.value : each.code))).toEqual([
    'work.memory',
    'work.memory',
    'work.failed',
    'after',
  ])
})

test('refuses inputs and answers beyond their size [P-1603]', async () => {
  opened()
  expect(await ask(answer('x'.repeat(200_000)))).toMatchObject({ ok: false, code: 'work.size' })
  const wide: JobKind<typeof probe.run> = { ...PROBE, input: 1_000_000 }
  const large = await pool.run(wide, answer('x'.repeat(200_000)), { from: { level: 'l' } })
  expect(large).toMatchObject({ ok: false, code: 'work.size' })
  expect(await ask(answer('x'))).toMatchObject({ ok: true })
})

test('drops aborted jobs from the queue, and kills those that run [P-1604]', async () => {
  opened()
  const stopped = new AbortController()
  const jobs = Array.from({ length: 5 }, () => ask({ do: 'spin', ms: 60_000 }, 'B', { signal: stopped.signal }))
  await ask(answer('warm'), 'A')
  stopped.abort()
  for (const result of await Promise.all(jobs)) expect(result).toMatchObject({ ok: false, code: 'work.dropped' })
  expect(await ask(answer('next'), 'B')).toMatchObject({ ok: true })
  expect(await ask(answer('x'), 'B', { signal: stopped.signal })).toMatchObject({ ok: false, code: 'work.dropped' })
})

test('bounds the time in the queue and the jobs that wait of one level [P-1605]', async () => {
  opened()
  const jobs = Array.from({ length: 230 }, () => ask({ do: 'spin', ms: 1_000 }, 'B', { waitMs: 400 }))
  expect(await ask(answer('x'), 'A')).toMatchObject({ ok: true })
  const results = await Promise.all(jobs)
  expect(results.filter(each => !each.ok && each.code === 'work.busy').length).toBeGreaterThan(200)
  for (const each of results) if (!each.ok) expect(each.waited).toBeGreaterThanOrEqual(390)
})

test('answers a level within a second while others flood the pool with endless jobs [P-1606]', async () => {
  opened()
  const ended = new AbortController()
  const flood = ['B', 'C'].flatMap(level =>
    Array.from({ length: 24 }, (_, bot) =>
      ask({ do: 'spin', ms: 60_000 }, level, { ms: 1_000, bot: `${bot % 3}`, signal: ended.signal, waitMs: 60_000 }),
    ),
  )
  // The first answer of a level may wait for the start of a process.
  await ask(answer('warm'), 'A')
  const waited: number[] = []
  for (let place = 0; place < ANSWERS; place += 1) {
    const result = await ask(answer('x'), 'A')
    expect(result).toMatchObject({ ok: true })
    waited.push(result.waited)
    await pause(150)
  }
  expect(pool.processes()).toBeLessThanOrEqual(4)
  // All but one in twenty.
  expect(waited.toSorted((a, b) => a - b)[Math.ceil(ANSWERS * 0.95) - 1]).toBeLessThan(1_000)
  ended.abort()
  await Promise.all(flood)
})
