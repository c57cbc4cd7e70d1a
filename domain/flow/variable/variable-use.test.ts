import { expect, test } from 'vitest'
import { evaluateTemplate } from '#domain/expression/template-evaluate.ts'
import type { JsonObject } from '#schemas/event.ts'
import { assignedBefore, withAssigned } from './variable-use.ts'

const evaluate = (text: string, variables: JsonObject) =>
  evaluateTemplate({ text, kind: 'text', parser: 'Jexl' }, variables)

test('a line of an assignment finds what the lines before it set, and a line that fails sets nothing', async () => {
  const lines = [
    { name: 'total', value: '{{preco * 2}}' },
    { name: 'pedido.total', value: '{{total + 1}}' },
    { name: 'total', value: '{{ +' },
    { name: 'x', value: '{{pedido.total}}' },
  ]

  expect(await assignedBefore(lines, { preco: 5 }, evaluate)).toEqual([
    { preco: 5 },
    { preco: 5, total: 10 },
    { preco: 5, total: 10, pedido: { total: 11 } },
    { preco: 5, total: 10, pedido: { total: 11 } },
  ])
})

test('a member is set beside the others, and no name reaches what is not the variables’ own', () => {
  expect(withAssigned({ a: { b: 1 } }, 'a.c', 2)).toEqual({ a: { b: 1, c: 2 } })
  expect(withAssigned({ a: 1 }, 'a.b.c', 2)).toEqual({ a: { b: { c: 2 } } })
  expect(withAssigned({ a: 1 }, 'a[0]', 2)).toEqual({ a: 1 })
  expect(withAssigned({ a: 1 }, '', 2)).toEqual({ a: 1 })
  const polluted = withAssigned({}, '__proto__.x', 2)
  expect(Object.getPrototypeOf({}).x).toBeUndefined()
  expect(Object.keys(polluted)).toEqual(['__proto__'])
})
