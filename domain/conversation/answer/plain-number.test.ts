import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ODD_TEXTS } from '#test/fixture/any-text.ts'
import { plainNumber } from './measure.ts'

describe('plainNumber', () => {
  test.each([
    ['1.234,56', 1234.56, 1234.56],
    ['1,234.56', 1234.56, 1234.56],
    ['1234.5', 1234.5, 1234.5],
    ['1234,5', 1234.5, 1234.5],
    ['1.234', 1234, 1.234],
    ['1,234', 1.234, 1234],
    ['1.234.567', 1_234_567, 1_234_567],
    ['1,234,567', 1_234_567, 1_234_567],
    ['0.123', 0.123, 0.123],
    ['0,123', 0.123, 0.123],
    ['12.34', 12.34, 12.34],
    ['1 234,5', 1234.5, 1234.5],
    ['1\u202f234\u00a0567', 1_234_567, 1_234_567],
    ['.5', 0.5, 0.5],
    [',5', 0.5, 0.5],
    ['007', 7, 7],
    ['-3,5', -3.5, -3.5],
    ['−3,5', -3.5, -3.5],
    ['- 3', -3, -3],
    ['+3', 3, 3],
    ['-0', 0, 0],
    ['9007199254740991', 9_007_199_254_740_991, 9_007_199_254_740_991],
  ])('%j is %d in Portuguese and %d in English', (text, portuguese, english) => {
    expect(plainNumber(text, 'pt-BR')).toBe(portuguese)
    expect(plainNumber(text, 'en')).toBe(english)
  })

  test.each([
    ...[
      '1.23.456',
      '1.234.56',
      '1,2,3',
      '1.234,567,8',
      '1.234.567.89',
      '12 34',
      '1 23',
      '1234 567',
      '1 2 3',
      '5.',
      '5,',
    ],
    ...[
      '1e3',
      '1e400',
      '0x10',
      'Infinity',
      'NaN',
      '½',
      '²',
      '١٢٣',
      '１２',
      '--1',
      '+-1',
      '1-',
      '',
      '-',
      '.',
      ',',
      'dez',
    ],
    ...['1_000', "1'000", '10%', '1/2', '9'.repeat(400)],
  ])('%j is none in any language', text => {
    for (const locale of ['pt', 'en', 'es', 'es-MX', '', 'xx-invalid-locale-']) {
      expect(plainNumber(text, locale)).toBeUndefined()
    }
  })

  test.each([
    ['es', 1234],
    ['es-AR', 1234],
    ['es-MX', 1.234],
    ['es-419', 1.234],
    ['pt-PT', 1234],
    ['en-GB', 1.234],
    ['EN', 1.234],
    ['', 1234],
    ['eno', 1234],
  ])('1.234 in %s is %d', (locale, value) => {
    expect(plainNumber('1.234', locale)).toBe(value)
  })

  test('odd texts are none, or a finite number', () => {
    for (const text of ODD_TEXTS) expect(plainNumber(text, 'pt') ?? 0).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  test.each(['pt-BR', 'en-US', 'es-ES', 'es-MX'])('parses numbers formatted in %s', locale => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, useGrouping: 'always' })
    const cents = fc.integer({ min: -1e12, max: 1e12 }).map(value => value / 100)
    fc.assert(
      fc.property(cents, value => {
        expect(plainNumber(format.format(value), locale)).toBe(value + 0)
      }),
    )
  })
})
