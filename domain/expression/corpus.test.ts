import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#schemas/event.ts'
import { openAtaEvaluator } from '#test/doubles/evaluate-ata.ts'
import { corpus, corpusJson } from '#test/fixture/corpus.ts'
import type { Engine, Outcome } from './engine.ts'
import { exprEval } from './expr-eval.ts'
import { jexl } from './jexl.ts'
import { selectAll } from './json-path.ts'

/** No case comes out otherwise (docs/expressions.md); one that does is named. */
const expectNone = (differing: readonly string[]) => {
  expect(differing).toEqual([])
}

const datasets = new Map<string, unknown>()
const dataset = (name: string): unknown => {
  if (!datasets.has(name)) datasets.set(name, corpusJson(`jsonata/datasets/${name}.json`))
  return datasets.get(name)
}

const LACKING = new Map<unknown, unknown>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['undefined', undefined],
])
/** `{"$": "NaN"}` and others are values that JSON lacks. */
const real = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(real)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === '$' && LACKING.has(only[1])) return LACKING.get(only[1])
  return Object.fromEntries(entries.map(([name, member]) => [name, real(member)]))
}

const isSame = (made: unknown, expected: unknown): boolean =>
  typeof made === 'number' && typeof expected === 'number' && Number.isFinite(expected)
    ? Math.abs(made - expected) <= 1e-12 * Math.abs(expected)
    : isDeepStrictEqual(made, expected)

interface ExpressionCase {
  readonly id: string
  readonly expression: string
  readonly context: JsonObject | null
  readonly expected?: unknown
  readonly throws?: boolean
}
interface AtaCase {
  readonly expr?: string
  readonly 'expr-file'?: string
  readonly data?: unknown
  readonly dataset?: string | null
  readonly bindings?: JsonObject
  readonly result?: unknown
  readonly undefinedResult?: boolean
  readonly unordered?: boolean
  readonly code?: string
  readonly error?: unknown
}
interface PathCase {
  readonly name: string
  readonly selector: string
  readonly document?: Json
  readonly result?: unknown
  readonly results?: readonly unknown[]
  readonly invalid_selector?: boolean
}

const tableOf = async (engine: Engine, cases: readonly ExpressionCase[]): Promise<readonly string[]> => {
  const differing: string[] = []
  expect(cases).not.toEqual([])
  for (const { id, expression, context, expected, throws } of cases) {
    const parsed = engine.parse(expression)
    const outcome = parsed.ok ? await parsed.value.evaluate(real(context ?? {}) as JsonObject) : parsed
    const isRight = throws === true ? !outcome.ok : outcome.ok && isSame(outcome.value, real(expected))
    if (!isRight) differing.push(`${id} ${expression}`)
  }
  return differing
}

const sorted = (value: unknown) => (Array.isArray(value) ? value.map(item => JSON.stringify(item)).sort() : value)
const isAtaRight = (one: AtaCase, outcome: Outcome<unknown>): boolean => {
  if (one.code !== undefined || one.error !== undefined) return !outcome.ok
  if (!outcome.ok) return false
  if (one.undefinedResult === true) return outcome.value === undefined
  if (one.unordered === true) return isDeepStrictEqual(sorted(outcome.value), sorted(one.result))
  return isDeepStrictEqual(outcome.value, one.result)
}

/** ms that no case takes on a busy computer but a tail call that never ends; two of these fit into one test. */
const CASE_TIMEOUT_MS = 20_000
const ata = openAtaEvaluator(CASE_TIMEOUT_MS)
afterAll(() => ata.close())

it('reports a tail recursion that never ends, and evaluates what comes after it', async () => {
  const impatient = openAtaEvaluator(300)
  const source = '($f := function($n) { $f($n) }; $f(1))'
  const ask = (source: string) => impatient.evaluate({ source, input: {}, bindings: undefined })
  expect(await ask(source)).toMatchObject({ ok: false, fault: { code: 'time' } })
  await impatient.close()
  expect(await ata.evaluate({ source: '1 + 1', input: {}, bindings: undefined })).toEqual({ ok: true, value: 2 })
})

describe('expressions of others', () => {
  it('Jexl says what the corpus says', async () => {
    expectNone(await tableOf(jexl, corpusJson('expressions/jexl.json')))
  })

  it('ExprEval says what the corpus says', async () => {
    expectNone(await tableOf(exprEval, corpusJson('expressions/expr-eval.json')))
  })

  it('JsonAta says what the corpus says', async () => {
    const differing: string[] = []
    let count = 0
    for (const group of readdirSync(corpus('jsonata/groups'))) {
      const files = readdirSync(corpus('jsonata/groups', group)).filter(name => name.endsWith('.json'))
      for (const file of files) {
        const found = corpusJson<AtaCase | readonly AtaCase[]>('jsonata/groups', group, file)
        for (const one of [found].flat()) {
          count += 1
          const source = one.expr ?? readFileSync(corpus('jsonata/groups', group, one['expr-file'] ?? ''), 'utf8')
          const input = 'data' in one ? one.data : typeof one.dataset === 'string' ? dataset(one.dataset) : undefined
          const outcome = await ata.evaluate({ source, input, bindings: one.bindings })
          if (!isAtaRight(one, outcome)) differing.push(`${group}/${file} ${source}`)
        }
      }
    }
    expect(count).toBeGreaterThan(0)
    expectNone(differing)
  })

  it('JSONPath selects what the corpus selects', () => {
    const { tests } = corpusJson<{ readonly tests: readonly PathCase[] }>('jsonpath/cts.json')
    expect(tests).not.toEqual([])
    const differing = tests.filter(({ selector, document, result, results, invalid_selector }) => {
      const outcome = selectAll(selector, document ?? {})
      if (invalid_selector === true) return outcome.ok
      return !outcome.ok || !(results ?? [result]).some(each => isDeepStrictEqual(outcome.value, each))
    })
    expectNone(differing.map(({ name }) => name))
  })
})
