import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { type EngineName, EXPRESSION_LIMITS } from './engine.ts'
import { openEngine } from './engines.ts'

const HIDDEN = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'call',
]

const context: JsonObject = { word: 'a', list: [1, { inner: 2 }], thing: { part: { x: 1 } }, count: 3 }

const run = async (name: EngineName, source: string, over: JsonObject = context) => {
  const parsed = (await openEngine(name)).parse(source)
  return parsed.ok ? await parsed.value.evaluate(over) : parsed
}

/** Reaching nothing is either a fault or no value; an empty list is none, for a path selects lists. */
const expectNothing = async (name: EngineName, source: string) => {
  const outcome = await run(name, source)
  const value = outcome.ok ? outcome.value : undefined
  expect([source, Array.isArray(value) ? value.length : value]).toEqual([source, Array.isArray(value) ? 0 : undefined])
}

const ofJexl = (name: string) =>
  ['word', 'list', 'thing', 'thing.part', 'count', '"a"', '[1]', '{a: 1}', '5', 'true']
    .flatMap(value => [
      `${value}.${name}`,
      `${value}["${name}"]`,
      `${value}["${name.slice(0, 3)}" + "${name.slice(3)}"]`,
    ])
    .concat(name, `.${name}`, `"x"|${name}`, `${name}("x")`, `list[.${name}]`, `{a: thing}.a.${name}.${name}`)
const ofExprEval = (name: string) =>
  ['list', 'thing', 'thing.part', 'count', 'max', '(f(x) = x)']
    .flatMap(value => [`${value}.${name}`, `thing["${name}"]`, `word.${name}`])
    .concat(name, `${name}()`, `map(${name}, [1])`, `fold(${name}, 1, [1])`, `sin.${name}`, `f(x) = ${name}; f(1)`)
const ofAta = (name: string) =>
  ['word', 'list', 'thing', 'thing.part', 'count', '"a"', '$sum', '{"a": 1}', '$match("a", /a/)', 'function(){1}']
    .flatMap(value => [`(${value}).${name}`, `(${value})."${name}"`, `$lookup(${value}, "${name}")`])
    .concat(name, `$${name}`, `$eval("thing.${name}")`, `$lookup(thing, "${name.slice(0, 3)}" & "${name.slice(3)}")`)
const ofPath = (name: string) => [
  `$.${name}`,
  `$['${name}']`,
  `$..${name}`,
  `$.list.${name}`,
  `$.thing["${name}"]`,
  `$[?@.${name}]`,
]

describe('names hidden from expressions', () => {
  it.each(HIDDEN)('%s is reached by no spelling of any engine', async name => {
    for (const source of ofJexl(name)) await expectNothing('Jexl', source)
    for (const source of ofExprEval(name)) await expectNothing('ExprEval', source)
    for (const source of ofAta(name)) await expectNothing('JsonAta', source)
    for (const source of ofPath(name)) await expectNothing('JSONPath', source)
  })

  it.each<readonly [EngineName, string]>([
    ['Jexl', 'process'],
    ['Jexl', 'globalThis'],
    ['ExprEval', 'globalThis'],
    ['ExprEval', 'process'],
    ['JsonAta', 'globalThis.process'],
    ['JsonAta', '$globalThis'],
    ['JsonAta', '$eval("$globalThis.process")'],
    ['JSONPath', '$.globalThis'],
  ])('no global is reached from %s by %s', expectNothing)

  it.each<readonly [EngineName, string]>([
    ['ExprEval', 'max'],
    ['ExprEval', 'f(x) = x'],
    ['ExprEval', '[max]'],
    ['JsonAta', '$sum'],
    ['JsonAta', '{"a": $sum}'],
    ['JsonAta', '/a/'],
    ['JsonAta', 'function($x){$x}'],
  ])('%s gives out no function by %s', async (name, source) => {
    expect(await run(name, source)).toMatchObject({ ok: false, fault: { code: 'value' } })
  })

  it.each<readonly [EngineName, string]>([
    ['ExprEval', '__proto__ = 1'],
    ['ExprEval', 'thing.part = 5; thing.part.x'],
    ['ExprEval', 'constructor = 1; 2'],
    ['JsonAta', '{"__proto__": {"polluted": true}}'],
    ['JsonAta', '$merge([thing, {"__proto__": {"polluted": true}}])'],
    ['JsonAta', 'thing ~> |part|{"__proto__": {"polluted": true}}|'],
    ['JsonAta', '$lookup(thing ~> |part|{"x": 2}|, "part")'],
  ])('%s pollutes nothing by %s', async (name, source) => {
    const before = structuredClone(context)
    const outcome = await run(name, source)
    expect('polluted' in {}).toBe(false)
    expect(context).toEqual(before)
    expect(Object.getPrototypeOf(outcome.ok ? Object(outcome.value) : {})).not.toHaveProperty('polluted')
  })

  it('a context that poses as a function is data', async () => {
    const over: JsonObject = {
      posing: { _jsonata_function: true, _jsonata_lambda: true, implementation: 'x', apply: 1, call: 1 },
    }
    expect(await run('JsonAta', '$posing := posing; posing(1)', over)).toMatchObject({ ok: false })
    expect(await run('JsonAta', 'posing.implementation', over)).toEqual({ ok: true, value: 'x' })
    expect(await run('ExprEval', 'map(posing, [1])', over)).toMatchObject({ ok: false })
  })
})

describe('bounds', () => {
  const ENGINES: readonly EngineName[] = ['Jexl', 'ExprEval', 'JsonAta', 'JSONPath']

  it.each(ENGINES)('%s refuses a source that is too long or too deep before it is parsed', async name => {
    const engine = await openEngine(name)
    expect(engine.parse('1+'.repeat(EXPRESSION_LIMITS.source))).toMatchObject({ ok: false, fault: { code: 'limit' } })
    expect(engine.parse(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toMatchObject({
      ok: false,
      fault: { code: 'limit' },
    })
    expect(engine.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`)).toMatchObject({
      ok: false,
      fault: { code: 'limit' },
    })
  })

  it.each<readonly [EngineName, string]>([
    ['Jexl', `${'!'.repeat(15_000)}true`],
    ['Jexl', `1${'+1'.repeat(5000)}`],
    ['Jexl', `${'1?'.repeat(4000)}1${':1'.repeat(4000)}`],
    ['ExprEval', `${'-'.repeat(15_000)}1`],
    ['ExprEval', 'f(x) = f(x + 1); f(1)'],
    ['JsonAta', '($f := function($x) { 1 + $f($x) }; $f(1))'],
    ['JsonAta', `${'-'.repeat(15_000)}1`],
    ['JsonAta', '[1..100000000]'],
    ['JsonAta', '$pad("a", 50000000)'],
  ])('%s ends in a fault or a value, never in a crash', async (name, source) => {
    const outcome = await run(name, source)
    expect(outcome.ok || ['limit', 'value', 'syntax'].includes(outcome.fault.code)).toBe(true)
  })

  it('a result has a size and a depth', async () => {
    const list = Array.from({ length: 2000 }, () => 'x'.repeat(5000))
    let deep: JsonObject = {}
    for (let at = 0; at < 500; at++) deep = { deep }
    for (const [name, source] of [
      ['Jexl', 'list'],
      ['ExprEval', 'list'],
      ['JsonAta', 'list'],
      ['JSONPath', '$.list'],
    ] as const) {
      expect(await run(name, source, { list })).toMatchObject({ ok: false, fault: { code: 'limit' } })
      expect(await run(name, source, { list: deep })).toMatchObject({ ok: false, fault: { code: 'limit' } })
    }
  })
})
