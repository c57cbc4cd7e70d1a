import { expect, test } from 'vitest'
import { jexl } from './jexl.ts'

const CONTEXT = { list: [1, 2], order: { id: 7 }, none: null, name: 'Ana' }

const valueIn = (source: string): unknown => {
  const parsed = jexl.parse(source)
  if (!parsed.ok) return parsed.fault.code
  const outcome = parsed.value.evaluate(CONTEXT)
  if (outcome instanceof Promise) throw new Error('Jexl is evaluated at once')
  return outcome.ok ? outcome.value : outcome.fault.code
}

test.each([
  ['name ?: "nobody"', 'Ana'],
  ['none ?: "nobody"', 'nobody'],
  ['list ?: 1', [1, 2]],
  ['(order.id ?: 1) + 1', 8],
  ['order == "x"', false],
  ['order != "x"', true],
  ['order == order', true],
  ['order == list', false],
  ['"id: " + order', 'id: [object Object]'],
  ['[order] + list', '[object Object]1,2'],
  ['order > 1', false],
  ['order in "x"', false],
  ['"Oi, " + none', 'Oi, '],
  ['"Oi, " + missing + "!"', 'Oi, !'],
  ['"Total: " + missing * 2', 'Total: '],
  ['"jos\u00e9" == "jose\u0301"', true],
  ['"jos\u00e9" != "jose\u0301"', false],
])('%s is %j', (source, value) => {
  expect(valueIn(source)).toEqual(value)
})
