import { describe, expect, it } from 'vitest'
import type { EngineName } from './engine.ts'
import { openEngine } from './engines.ts'

const parse = async (name: EngineName, source: string) => (await openEngine(name)).parse(source)

/** The source with the place of the fault in guillemets. */
const marked = async (name: EngineName, source: string): Promise<string> => {
  const parsed = await parse(name, source)
  if (parsed.ok) return 'parses'
  const { code, place } = parsed.fault
  const end = place.offset + place.length
  return `${code} ${source.slice(0, place.offset)}«${source.slice(place.offset, end)}»${source.slice(end)}`
}

describe('a fault has its exact place', () => {
  it.each<readonly [EngineName, string, string]>([
    ['Jexl', 'a +', 'unclosed a +«»'],
    ['Jexl', 'a b + c', 'syntax a «b» + c'],
    ['Jexl', 'x == "abc', 'unclosed x == «"»abc'],
    ['Jexl', 'max(a, b', 'unclosed max«(»a, b'],
    ['Jexl', 'a & b', 'syntax a «&» b'],
    ['Jexl', 'a|nope + 1', 'function a|«nope» + 1'],
    ['Jexl', ' - 5 + \n b c', 'syntax  - 5 + \n b «c»'],
    ['Jexl', 'a.__proto__', 'forbidden a.«__proto__»'],
    ['Jexl', '  ', 'empty «  »'],
    ['ExprEval', 'a +', 'unclosed a +«»'],
    ['ExprEval', 'a b', 'syntax a «b»'],
    ['ExprEval', '1 + 2 * / 3 - 1 / 2', 'syntax 1 + 2 * «/» 3 - 1 / 2'],
    ['ExprEval', '(a', 'unclosed (a«»'],
    ['ExprEval', 'a)', 'syntax a«)»'],
    ['ExprEval', 'a,\n b', 'syntax a«,»\n b'],
    ['ExprEval', 'x = "abc', 'unclosed x = «"»abc'],
    ['ExprEval', 'nope(1) + 2', 'function «nope»(1) + 2'],
    ['ExprEval', 'a.b = 1', 'syntax a.b «=» 1'],
    ['ExprEval', 'c = 2; a.b = c; c', 'syntax c = 2; a.b «=» c; c'],
    ['JsonAta', 'a b', 'syntax a «b»'],
    ['JsonAta', 'a.b[', 'unclosed a.b[«»'],
    ['JsonAta', 'a)', 'syntax a«)»'],
    ['JSONPath', '$.a b', 'syntax $.a «b»'],
    ['JSONPath', '$.a[?nope(@)]', 'function $.a[?«nope»(@)]'],
    ['JSONPath', 'a.b', 'syntax «a».b'],
    ['JSONPath', '$.a[', 'unclosed $.a[«»'],
    ['JSONPath', '$.a[?@.first-name]', 'syntax $.a[?@.«first-name»]'],
    ['JSONPath', '$[?@.a == 00.1]', 'syntax $[?@.a == «00.1»]'],
    ['JSONPath', '$[?(@.a == 1) == true]', 'syntax $[?«(»@.a == 1) == true]'],
  ])('%s: %s', async (name, source, expected) => {
    expect(await marked(name, source)).toBe(expected)
  })
})

describe('the variables that an expression reads', () => {
  it.each<readonly [EngineName, string, readonly string[]]>([
    ['Jexl', 'a.b + c[d].e', ['a', 'c', 'd']],
    ['Jexl', 'list[.price > limit]|first', ['list', 'limit']],
    ['Jexl', '{key: value, other: a ? b : c}', ['value', 'a', 'b', 'c']],
    ['Jexl', 'max(a, null, true, "b")', ['a']],
    ['ExprEval', 'f(x) = x * rate; y = 2; f(y) + a.b', ['rate', 'a']],
    ['ExprEval', 'max(a, PI) > 1 and not b', ['a', 'b']],
    ['JsonAta', 'orders[price > limit].name & $$.user.name', ['orders', 'user']],
    ['JsonAta', '$map(list, function($v) { $v.price * rate })', ['list', 'rate']],
    ['JsonAta', '{ "a": `b c`, "d": $x }', ['b c']],
    ['JSONPath', "$.a[?@.b == $['c d'].e]", ['a', 'c d']],
    ['JSONPath', '$..a', []],
    ['JSONPath', '$.a[?!(@.b == $.c && !$.d)]', ['a', 'c', 'd']],
  ])('%s: %s', async (name, source, expected) => {
    const parsed = await parse(name, source)
    if (!parsed.ok) throw new Error(parsed.fault.code)
    const { references } = parsed.value
    expect(references.map(each => each.name)).toEqual(expected)
    for (const { name: written, place } of references) {
      expect(source.slice(place.offset, place.offset + place.length)).toBe(written)
    }
  })
})

it('reports the place of a variable without a value', async () => {
  const parsed = await parse('ExprEval', '1 + missing')
  if (!parsed.ok) throw new Error(parsed.fault.code)
  expect(await parsed.value.evaluate({})).toEqual({
    ok: false,
    fault: { code: 'variable', place: { offset: 4, length: 7 }, name: 'missing' },
  })
})
