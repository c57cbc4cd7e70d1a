import { describe, expect, it } from 'vitest'
import { parseAta } from '#domain/expression/json-ata.ts'
import { selectAll } from '#domain/expression/json-path.ts'
import type { Json } from '#schemas/event.ts'
import { memberPath, pathOf, type Steps } from './path-of.ts'

const STEPS: readonly Steps[] = [
  [],
  ['nome'],
  ['endereço', 'nº'],
  ['itens', 0, 'preco'],
  ['a b', "it's", 'say "x"'],
  ['back\\slash', 'line\nend', '$.x', '[0]', '@', ''],
  ['and', 'or', 'in', 'true', 'null', 'length', '7'],
  ['__proto__', 'constructor'],
  [2, 1],
]
/** Something that has `found` at that place, and other things beside it. */
const around = (steps: Steps): Json =>
  steps.reduceRight<Json>((held, step) => {
    if (typeof step === 'number') return [...Array.from({ length: step }, (_, place) => `no ${place}`), held]
    return Object.fromEntries([
      ['other', 1],
      [step, held],
    ])
  }, 'found')

describe('the path to what was chosen in an answer', () => {
  it.each(STEPS)('leads there by RFC 9535: %j', (...steps) => {
    const path = pathOf(steps, 'JSONPath')
    expect(selectAll(path, around(steps)), path).toEqual({ ok: true, value: ['found'] })
  })

  it.each(STEPS.filter(steps => !steps.some(step => step === '')))('leads there in JsonAta: %j', async (...steps) => {
    const path = pathOf(steps, 'JsonAta')
    const parsed = parseAta(path)
    expect(parsed.ok && (await parsed.value.evaluateOver(around(steps))), path).toEqual({ ok: true, value: 'found' })
  })

  it('reads as people write it', () => {
    expect(pathOf(['data', 'items', 0, 'first name'], 'JSONPath')).toBe("$.data.items[0]['first name']")
    expect(pathOf(['data', 'items', 0, 'first name'], 'JsonAta')).toBe('data.items[0].`first name`')
  })
})

it('names a place in the value of a variable as an expression does [P-2947]', () => {
  expect(memberPath('pedido', [])).toBe('pedido')
  expect(memberPath('pedido', ['itens', 0, 'nome'])).toBe('pedido.itens[0].nome')
  expect(memberPath('pedido', ['não plano'])).toBeUndefined()
})
