import { describe, expect, it } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { selectAll } from './json-path.ts'

const selected = (source: string, document: Json) => {
  const outcome = selectAll(source, document)
  return outcome.ok ? outcome.value : outcome.fault.code
}

/** Beside the cases of others (corpus.test.ts): rules of RFC 9535 that the library breaks. */
describe('JSONPath, as RFC 9535 has it', () => {
  it.each<readonly [string, Json, readonly unknown[]]>([
    ['$[?@.price < 0.5]', [{ price: 0.1 }, { price: 0.7 }], [{ price: 0.1 }]],
    ['$[?@.price == 0.10]', [{ price: 0.1 }], [{ price: 0.1 }]],
    ['$[?@.n == -1e-01]', [{ n: -0.1 }], [{ n: -0.1 }]],
    ['$[?@.items[?@ > $.limit]]', { limit: 1, a: { items: [0] }, b: { items: [2] } }, [{ items: [2] }]],
    ['$[?count(@[?@ == $[0]]) > 0]', [1, [1], [2]], [[1]]],
    ['$[?@[?@[?@ == $[0]]]]', [1, [[1]], [[2]]], [[[1]]]],
    ['$[?length(@) == 1]', ['😀', 'ab'], ['😀']],
    ['$[?match(@, "1")]', ['1', 1], ['1']],
    ['$[?match(@, "null")]', ['null', null], ['null']],
    ['$[?!@.a && @.b || @.c]', [{ b: 1 }, { a: 1, c: 1 }, { a: 1, b: 1 }], [{ b: 1 }, { a: 1, c: 1 }]],
    ['$[?!(!@.a)]', [{ a: 1 }, {}], [{ a: 1 }]],
    ['$[?(@.a == 1 || @.a == 2) && !(@.b)]', [{ a: 1 }, { a: 2, b: 1 }], [{ a: 1 }]],
  ])('%s selects what it says', (source, document, expected) => {
    expect(selected(source, document)).toEqual(expected)
  })

  it.each([
    '$[?@.a == -01]',
    '$[?@.a == 00.1]',
    '$[?@.a == 1.-5]',
    '$[?!!@.a]',
    '$[?!1]',
    '$[?!(1)]',
    '$[?!@.a == 1]',
    '$[?@.a == 1 == 1]',
    '$[?(@.a == 1) == true]',
    '$[?(@.a) == 1]',
    '$[?@.b && length(@.a)]',
    '$[?!length(@.a)]',
    '$.first-name',
    '$..first-name',
    '$[?@.first-name]',
  ])('%s is no path', source => {
    expect(selected(source, [{ a: 1 }])).toBe('syntax')
  })
})
