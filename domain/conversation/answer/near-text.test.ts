import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { editDistance, nearest } from './choice-answer.ts'

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['boleto', 'boleto', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['boleto', 'bolleto', 1],
    ['boleto', 'bleto', 1],
    ['boleto', 'bolete', 1],
    ['boleto', 'boelto', 1],
    ['ca', 'abc', 2],
    ['a cat', 'an abct', 3],
    ['kitten', 'sitting', 3],
    ['segunda via', 'segudna vai', 2],
    ['abcdef', 'fedcba', 5],
    ['👍🏽', '👍', 1],
    ['ab', 'ba', 1],
  ])('%j to %j takes %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
    expect(editDistance(b, a)).toBe(distance)
  })

  test('is a distance: nothing between equals, at most the longer length, no shorter by a way round', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        const direct = editDistance(a, b)
        expect(direct === 0).toBe(a === b)
        expect(direct).toBeLessThanOrEqual(Math.max(a.length, b.length))
        expect(direct).toBeLessThanOrEqual(editDistance(a, c) + editDistance(c, b))
      }),
    )
  })
})

const OPTIONS = ['Boleto', 'Segunda via', 'Falar com atendente', 'Sim', 'Não', 'Pedido 10234', 'Pedido 20345']

describe('nearest', () => {
  test.each([
    ['boleto', 'Boleto'],
    ['  BOLÉTO ', 'Boleto'],
    ['Boleto!', 'Boleto'],
    ['✅ sim', 'Sim'],
    ['nao', 'Não'],
    ['na\u0303o', 'Não'],
    ['segunda   via', 'Segunda via'],
    ['\u200fsegunda via\u200f', 'Segunda via'],
    ['boelto', 'Boleto'],
    ['bolet', 'Boleto'],
    ['bolteoo', undefined],
    ['segudna vai', 'Segunda via'],
    ['falar com atendete', 'Falar com atendente'],
    ['falar com um atendente', 'Falar com atendente'],
    ['si', undefined],
    ['sin', undefined],
    ['pedido 10234', 'Pedido 10234'],
    ['pedidos 10234', 'Pedido 10234'],
    ['pedido 1023', undefined],
    ['pedido 10235', undefined],
    ['pedido', undefined],
    ['', undefined],
    ['   ', undefined],
    ['!!!', undefined],
    ['a'.repeat(100_000), undefined],
  ])('%j is meant as %j when fuzzy', (said, meant) => {
    expect(nearest(said, OPTIONS, true)).toBe(meant)
  })

  test('takes no edits when not fuzzy', () => {
    expect(nearest('boelto', OPTIONS, false)).toBeUndefined()
    expect(nearest('BOLETO.', OPTIONS, false)).toBe('Boleto')
  })

  test('takes none of several that are as near', () => {
    expect(nearest('marca', ['marco', 'marta'], true)).toBeUndefined()
    expect(nearest('marcos', ['marco', 'marta'], true)).toBe('marco')
    expect(nearest('c', ['C++', 'C#'], true)).toBeUndefined()
    expect(nearest('c#', ['C++', 'C#'], true)).toBe('C#')
    expect(nearest('+', ['+', '-'], true)).toBe('+')
  })

  test('returns an option that is listed twice', () => {
    expect(nearest('boletp', ['Boleto', 'boleto', 'outro'], true)).toBe('Boleto')
  })

  test('allows a number without letters no edit', () => {
    expect(nearest('10235', ['10234', '99999'], true)).toBeUndefined()
  })

  test('matches every text with itself, for any characters', () => {
    fc.assert(
      fc.property(anyText(), fc.boolean(), (text, fuzzy) => {
        const found = nearest(text, [text], fuzzy)
        expect(found === undefined || found === text).toBe(true)
        if (/[a-z]/u.test(text)) expect(found).toBe(text)
      }),
    )
  })

  test('compares long texts and many options at once', () => {
    const long = 'á'.repeat(90)
    const many = Array.from({ length: 500 }, (_, place) => `${long}${place}`)
    const began = processorMs()
    expect(nearest(`${long}x`, many, true)).toBeUndefined()
    expect(processorMs() - began).toBeLessThan(2_000)
  })
})
