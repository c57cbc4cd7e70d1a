import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DATA_TYPES } from '#schemas/entities/variable.ts'
import type { Json } from '#schemas/event.ts'
import { ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { convertValue } from './question.ts'

const convert = (value: Json, datatype: string): Json | undefined => {
  const result = convertValue(value, datatype)
  return result.ok ? result.value : undefined
}

const nested = (depth: number): Json => {
  let value: Json = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe('convertValue', () => {
  test.each<[datatype: string, value: Json, converted: Json | undefined]>([
    ['string', 'x', 'x'],
    ['string', 1.5, '1.5'],
    ['string', true, 'true'],
    ['string', { a: [1] }, '{"a":[1]}'],
    ['string', [], '[]'],
    ['string', '', ''],
    ['number', 2, 2],
    ['number', '2', 2],
    ['number', ' -2.50 ', -2.5],
    ['number', '1e3', 1000],
    ['number', '12,5', 12.5],
    ['number', '0,125', 0.125],
    ['number', '1,234', undefined],
    ['number', '1.234,5', undefined],
    ['number', '1e400', undefined],
    ['number', '', undefined],
    ['number', ' ', undefined],
    ['number', '0x10', undefined],
    ['number', '½', undefined],
    ['number', '١٢', undefined],
    ['number', 'NaN', undefined],
    ['number', true, undefined],
    ['number', [2], undefined],
    ['boolean', false, false],
    ['boolean', 'true', true],
    ['boolean', 'FALSE', false],
    ['boolean', 'Sim', true],
    ['boolean', 'não', false],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['boolean', 2, undefined],
    ['boolean', '1', undefined],
    ['boolean', '2', undefined],
    ['boolean', 'talvez', undefined],
    ['boolean', '', undefined],
    ['boolean', {}, undefined],
    ['date', '2026-05-12', '2026-05-12'],
    ['date', '12/05/2026', '2026-05-12'],
    ['date', '12/05/2026 14:30', '2026-05-12T14:30:00'],
    ['date', '2026-05-12T14:30', '2026-05-12T14:30:00'],
    ['date', '2026-05-12T14:30:00.000Z', '2026-05-12T14:30:00.000Z'],
    ['date', '2026-05-12T14:30:00-03:00', '2026-05-12T14:30:00-03:00'],
    ['date', '14:30', '14:30'],
    ['date', 12, 12],
    ['date', '2026-02-30', undefined],
    ['date', '2026-02-30T00:00:00Z', undefined],
    ['date', '31/04/2026', undefined],
    ['date', '25:00', undefined],
    ['date', 'amanhã', undefined],
    ['date', '12/05', undefined],
    ['date', '', undefined],
    ['date', true, undefined],
    ['object', { a: 1 }, { a: 1 }],
    ['object', '{"a": 1}', { a: 1 }],
    ['object', '[1]', undefined],
    ['object', 'a', undefined],
    ['object', [], undefined],
    ['object', 5, undefined],
    ['array', [1], [1]],
    ['array', '[1, 2]', [1, 2]],
    ['array', { a: 1 }, [{ a: 1 }]],
    ['array', 'a', undefined],
    ['array', 1, undefined],
    ['', { a: 1 }, { a: 1 }],
    ['haiku', 'x', 'x'],
    ['__proto__', 1, 1],
  ])('as %s %j is %j', (datatype, value, converted) => {
    expect(convert(value, datatype)).toEqual(converted)
  })

  test.each([...DATA_TYPES, ''])('null is kept by %j', datatype => {
    expect(convertValue(null, datatype)).toEqual({ ok: true, value: null })
  })

  test('returns no text when nested deeper than the stack', () => {
    expect(convert(nested(100_000), 'string')).toBeUndefined()
    expect(convert('['.repeat(100_000), 'array')).toBeUndefined()
  })

  test.each(DATA_TYPES)('%s survives odd texts at once', datatype => {
    const began = processorMs()
    for (const text of ODD_TEXTS) expect(typeof convertValue(text, datatype).ok).toBe('boolean')
    expect(processorMs() - began).toBeLessThan(1_000)
  })

  test('never throws, and what is converted stays as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...DATA_TYPES, ''), (value, datatype) => {
        const once = convert(value as Json, datatype)
        if (once !== undefined) expect(convert(once, datatype)).toEqual(once)
      }),
      { numRuns: 500 },
    )
  })

  test('a value as text reads back as its type', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0)
    fc.assert(
      fc.property(number, value => {
        expect(convert(convert(value, 'string') ?? null, 'number')).toBe(value)
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const kept = JSON.parse(JSON.stringify(value)) as Json
        expect(convert(convert(kept, 'string') ?? null, 'object')).toEqual(kept)
      }),
    )
  })
})
