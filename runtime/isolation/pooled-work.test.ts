import { afterAll, describe, expect, it } from 'vitest'
import type { ExpressionJob } from '#domain/expression/run-job.ts'
import { openPool } from './pool.ts'
import { openEvaluator } from './pooled-work.ts'

const pool = openPool(1)
const evaluator = openEvaluator(pool, { level: 'l' })
afterAll(() => pool.close())

/** ms that no job here needs, even on a busy computer. */
const LONG = 15_000

/** The time grows exponentially with each `a`: uninterrupted, it would never end in practice. */
const ENDLESS = '$match($join([1..60].("a")) & "b", /^(a+)+$/)'
/** Tail calls: they need no stack and no memory. */
const TAIL = '($f := function($n) { $f($n) }; $f(1))'

describe('an evaluator in a process', () => {
  it('gives the value of expressions, templates and paths', async () => {
    const context = { nome: 'Ana', itens: [{ preco: 2 }, { preco: 3 }] }
    const jobs = [
      evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: 'nome|upper', context }, LONG),
      evaluator.evaluate({ kind: 'template', text: 'Oi {nome}', template: 'text', parser: 'ExprEval', context }, LONG),
      evaluator.evaluate({ kind: 'path', parser: 'JSONPath', source: '$.itens[*].preco', input: context }, LONG),
      evaluator.evaluate({ kind: 'path', parser: 'JsonAta', source: '$sum(itens.preco)', input: context }, LONG),
    ]
    const values = (await Promise.all(jobs)).map(outcome => outcome.ok && outcome.value)
    expect(values).toEqual(['ANA', 'Oi Ana', [2, 3], 5])
  })

  it.each([ENDLESS, TAIL])('ends %s, and answers what waits behind it', async source => {
    const context = {}
    const endless = evaluator.evaluate({ kind: 'expression', engine: 'JsonAta', source, context }, 100)
    const behind = evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '1 + 1', context }, LONG)
    expect(await endless).toMatchObject({ ok: false, fault: { code: 'time' } })
    expect(await behind).toEqual({ ok: true, value: 2 })
  })

  it.each([
    '($f := function($x) { $f($x & $x) }; $f("aaaaaaaaaaaaaaaa"))',
    // These abort the process in which they run, including its threads.
    '$length($pad("a", 500000000))',
    '$formatNumber(1, $pad("0", 100000000, "0"))',
    '($f := function($n) { $eval("$f(1)") }; $f(1))',
  ])('outlives %s, which takes all memory', async source => {
    const outcome = await evaluator.evaluate({ kind: 'expression', engine: 'JsonAta', source, context: {} }, LONG)
    expect(outcome).toMatchObject({ ok: false, fault: { code: 'limit' } })
    expect(await evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '2', context: {} }, LONG)).toEqual({
      ok: true,
      value: 2,
    })
  })

  const MUTUAL = '($f := function($n) { $g($n) }; $g := function($n) { $f($n) }; $f(1))'
  const TREE = 'f(x) = x > 60 ? 1 : f(x + 1) + f(x + 1); f(1)'
  const context = {}
  it.each<readonly [ExpressionJob, 'time' | 'limit']>([
    [{ kind: 'expression', engine: 'JsonAta', source: MUTUAL, context }, 'time'],
    [{ kind: 'path', parser: 'JsonAta', source: TAIL, input: {} }, 'time'],
    [{ kind: 'template', text: `<@ ${TAIL} @>`, template: 'text', parser: 'JsonAta', context }, 'time'],
    [{ kind: 'expression', engine: 'ExprEval', source: TREE, context }, 'time'],
    [{ kind: 'expression', engine: 'ExprEval', source: 'f(x) = f(x); f(1)', context }, 'limit'],
    [{ kind: 'expression', engine: 'ExprEval', source: 'f(x) = g(x); g(x) = f(x); f(1)', context }, 'limit'],
  ])('ends recursion that never ends: %j', async (job, code) => {
    expect(await evaluator.evaluate(job, code === 'time' ? 200 : LONG)).toMatchObject({ ok: false, fault: { code } })
  })

  it('does the jobs of a question one after the other, and ends those alone that find no end [R-14]', async () => {
    const job = (source: string): ExpressionJob => ({ kind: 'expression', engine: 'JsonAta', source, context })
    const jobs = [job('1 + 1'), job(ENDLESS), job('"a" & "b"'), job(TAIL), job('no such')]
    const asked = evaluator.evaluateAll(
      jobs.map(each => ({ job: each, ms: 300 })),
      LONG,
    )
    const behind = evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '3', context: {} }, LONG)
    expect((await asked).outcomes).toMatchObject([
      { ok: true, value: 2 },
      { ok: false, fault: { code: 'time' } },
      { ok: true, value: 'ab' },
      { ok: false, fault: { code: 'time' } },
      { ok: false, fault: { code: 'syntax' } },
    ])
    expect(await behind).toEqual({ ok: true, value: 3 })
  })

  it('leaves what does not begin within the time of a question [R-14]', async () => {
    const endless: ExpressionJob = { kind: 'expression', engine: 'JsonAta', source: ENDLESS, context }
    const jobs = Array.from({ length: 30 }, () => ({ job: endless, ms: 100 }))
    const began = performance.now()
    const asked = evaluator.evaluateAll(jobs, 250)
    const behind = evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '3', context: {} }, LONG)
    const { outcomes, ms } = await asked
    expect(ms).toBeGreaterThanOrEqual(250)
    expect(outcomes).toHaveLength(30)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, fault: { code: 'time' } })
    expect(await behind).toEqual({ ok: true, value: 3 })
    // Three of them were started, each in its own process.
    expect(performance.now() - began).toBeLessThan(LONG)
    expect(await evaluator.evaluateAll([], 500)).toEqual({ outcomes: [], ms: 0, waited: 0 })
  })

  it('rejects every job when the pool is closed, as no result of it [P-1706]', async () => {
    const closing = openPool(1)
    const asking = openEvaluator(closing, { level: 'l' })
    const jobs = ['1', '2'].map(source => asking.evaluate({ kind: 'expression', engine: 'Jexl', source, context: {} }))
    closing.close()
    const ended = await Promise.allSettled(jobs)
    for (const job of ended) expect(job).toMatchObject({ status: 'rejected', reason: { name: 'WorkDropped' } })
  })
})
