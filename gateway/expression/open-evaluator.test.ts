import { afterAll, describe, expect, it } from 'vitest'
import { openEvaluator } from './open-evaluator.ts'

const evaluator = openEvaluator()
afterAll(() => evaluator.close())

/** ms that nothing here takes, on however busy a computer. */
const LONG = 15_000

/** It grows with each `a`: by itself it would end long after this computer. */
const ENDLESS = '$match($join([1..60].("a")) & "b", /^(a+)+$/)'
/** Needs no stack and no memory. */
const TAIL_CALLS = '($f := function($n) { $f($n) }; $f(1))'

describe('an evaluator in a thread', () => {
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

  it.each([ENDLESS, TAIL_CALLS])('ends %s, and answers what waits behind it', async source => {
    const context = {}
    const endless = evaluator.evaluate({ kind: 'expression', engine: 'JsonAta', source, context }, 100)
    const behind = evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '1 + 1', context }, LONG)
    expect(await endless).toMatchObject({ ok: false, fault: { code: 'time' } })
    expect(await behind).toEqual({ ok: true, value: 2 })
  })

  it('survives what takes all memory', async () => {
    const source = '($f := function($x) { $f($x & $x) }; $f("aaaaaaaaaaaaaaaa"))'
    const outcome = await evaluator.evaluate({ kind: 'expression', engine: 'JsonAta', source, context: {} }, LONG)
    expect(outcome.ok).toBe(false)
    expect(await evaluator.evaluate({ kind: 'expression', engine: 'Jexl', source: '2', context: {} }, LONG)).toEqual({
      ok: true,
      value: 2,
    })
  })

  it('answers every job when it is closed', async () => {
    const closing = openEvaluator()
    const jobs = ['1', '2'].map(source => closing.evaluate({ kind: 'expression', engine: 'Jexl', source, context: {} }))
    closing.close()
    for (const outcome of await Promise.all(jobs)) expect(outcome).toMatchObject({ ok: false, fault: { code: 'time' } })
  })
})
