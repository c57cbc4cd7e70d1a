import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corpusJson } from '#test/fixture/corpus.ts'
import { readText } from './text-answer.ts'

const read = (said: string): string | undefined => {
  const result = readText(said, 'MobilePhone')
  return result.ok ? result.value : undefined
}

describe('mobile phone [D-5.24]', () => {
  test.each([
    ['11987654321', '+5511987654321'],
    ['(11) 98765-4321', '+5511987654321'],
    ['11 9 8765.4321', '+5511987654321'],
    ['011 98765 4321', '+5511987654321'],
    ['0 15 11 98765-4321', '+5511987654321'],
    ['5511987654321', '+5511987654321'],
    ['+55 11 98765-4321', '+5511987654321'],
    ['+55 (011) 98765-4321', '+5511987654321'],
    ['\u202a+55 11 98765‑4321\u202c', '+5511987654321'],
    ['55 98765-4321 12', undefined],
    ['(55) 98765-4321', '+5555987654321'],
    ['55 55 98765-4321', '+5555987654321'],
    ['11 8765-4321', '+5511987654321'],
    ['551187654321', '+5511987654321'],
    ['11 3333-4444', undefined],
    ['+55 11 3333-4444', undefined],
    ['20 98765-4321', undefined],
    ['98765-4321', undefined],
    ['11 98765-432', undefined],
    ['11 98765-43210', undefined],
    ['190', undefined],
    ['0800 722 1234', undefined],
    ['+11 98765-4321', undefined],
    ['+1 650 555 1234', '+16505551234'],
    ['+1 150 555 1234', undefined],
    ['+351 912 345 678', '+351912345678'],
    ['+34 612 34 56 78', '+34612345678'],
    ['+52 1 55 1234 5678', '+525512345678'],
    ['+54 11 15 2345-6789', '+5491123456789'],
    ['+54 9 11 2345-6789', '+5491123456789'],
    ['+210 987654321', undefined],
    ['+0 11 98765 4321', undefined],
    ['+999 123456789', undefined],
    ['+44 1', undefined],
    ['+44 1234567890123456', undefined],
    ['00 351 912 345 678', undefined],
    ['11987654321 ramal 12', undefined],
    ['+5511+987654321', undefined],
    ['١١٩٨٧٦٥٤٣٢١', undefined],
    ['1198765432½', undefined],
    ['', undefined],
    ['+', undefined],
    ['()', undefined],
    ['meu número', undefined],
  ])('%j is %j', (said, expected) => {
    expect(read(said)).toBe(expected)
  })

  test('reads every Brazilian mobile number in the ways it is written', () => {
    const areas = ['11', '19', '21', '28', '31', '38', '41', '49', '51', '55', '61', '69', '71', '79', '81', '99']
    fc.assert(
      fc.property(fc.constantFrom(...areas), fc.integer({ min: 0, max: 99_999_999 }), (area, number) => {
        const digits = `9${String(number).padStart(8, '0')}`
        const split = `${digits.slice(0, 5)}-${digits.slice(5)}`
        const expected = `+55${area}${digits}`
        for (const said of [
          `${area}${digits}`,
          `(${area}) ${split}`,
          `0${area} ${split}`,
          `+55 ${area} ${split}`,
          expected,
        ])
          expect(read(said)).toBe(expected)
      }),
    )
  })
})

interface PhoneCase {
  readonly input: string
  readonly e164?: string
  readonly type?: string
}
/** Marks that spreadsheets put before a number; chats never contain them. */
const isSpreadsheetMark = (input: string) => /^[='][+\d]/u.test(input)

describe('phones of the corpus', () => {
  test('are read as there, landlines excepted', () => {
    const { cases } = corpusJson<{ readonly cases: readonly PhoneCase[] }>('campaigns/constructed/phones.json')
    const typed = cases.filter(({ input }) => !isSpreadsheetMark(input))
    expect(typed.length).toBeGreaterThan(25)
    for (const { input, e164, type } of typed)
      expect([input, read(input)]).toEqual([input, type === 'FIXED_LINE' ? undefined : e164])
  })
})
