import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { readNumber } from './number-answer.ts'

const read = (said: string | number, validation: string, unit = '', locale = 'pt-BR') => {
  const result = readNumber(said, validation, unit, locale)
  return result.ok ? result.value : undefined
}

const OF_KIND: readonly (readonly [validation: string, said: string | number, value: number | string | undefined])[] = [
  ['none', '1.234,56', 1234.56],
  ['none', ' 42 ', 42],
  ['none', '42.', 42],
  ['none', '\u200f42\u200f', 42],
  ['none', 'quarenta e dois', undefined],
  ['none', '42 anos', undefined],
  ['none', 1.234, 1.234],
  ['none', 1e21, 1e21],
  ['none', -0, 0],
  ['Percentage', '50%', 50],
  ['Percentage', '12,5 %', 12.5],
  ['Percentage', '50', 50],
  ['Percentage', '50 por cento', 50],
  ['Percentage', '50 por ciento', 50],
  ['Percentage', '50 percent.', 50],
  ['Percentage', '150%', 150],
  ['Percentage', '-3%', -3],
  ['Percentage', '%', undefined],
  ['Percentage', '50%%', undefined],
  ['Percentage', '% 50', 50],
  ['Percentage', '%50%', undefined],
  ['Ordinal', '2', 2],
  ['Ordinal', '2º', 2],
  ['Ordinal', '2.ª', 2],
  ['Ordinal', '2°', 2],
  ['Ordinal', '2a', 2],
  ['Ordinal', '2nd', 2],
  ['Ordinal', '21ST', 21],
  ['Ordinal', '3er', 3],
  ['Ordinal', '1ro', 1],
  ['Ordinal', '#4', 4],
  ['Ordinal', 'segundo', 2],
  ['Ordinal', 'a Sétima', 7],
  ['Ordinal', 'the third', 3],
  ['Ordinal', 'el octavo', 8],
  ['Ordinal', 'DÉCIMO', 10],
  ['Ordinal', 'first.', 1],
  ['Ordinal', '0', undefined],
  ['Ordinal', '-1', undefined],
  ['Ordinal', '2,5', undefined],
  ['Ordinal', '2xx', undefined],
  ['Ordinal', 'último', undefined],
  ['Ordinal', '99999999999', undefined],
  ['Ordinal', '½', undefined],
  ['Port', '0', 0],
  ['Port', '8080', 8080],
  ['Port', '65535', 65_535],
  ['Port', '65536', undefined],
  ['Port', '8.080', undefined],
  ['Port', '-1', undefined],
  ['Port', '80.0', undefined],
  ['Port', ':80', undefined],
  ['Port', '1e3', undefined],
  ['Port', '٨٠', undefined],
  ['Port', 443, 443],
  ['IP', '192.168.0.1', '192.168.0.1'],
  ['IP', ' 10.0.0.255 ', '10.0.0.255'],
  ['IP', '::1', '::1'],
  ['IP', '2001:DB8::8a2e:370:7334', '2001:DB8::8a2e:370:7334'],
  ['IP', '::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['IP', '::', '::'],
  ['IP', '256.1.1.1', undefined],
  ['IP', '192.168.0', undefined],
  ['IP', '192.168.0.1.1', undefined],
  ['IP', '192.168.001.1', undefined],
  ['IP', '1.2.3.4/24', undefined],
  ['IP', '3232235521', undefined],
  ['IP', '2001:db8::1::2', undefined],
  ['IP', ':::', undefined],
  ['IP', 'fe80::1%eth0', undefined],
  ['IP', '12345::', undefined],
  ['IP', '[::1]', undefined],
  ['IP', 'localhost', undefined],
]

const VALIDATIONS = [
  ...['none', '', 'CPF', 'CNPJ', 'CEP', 'Boleto', 'PIS', 'Age', 'Temperature', 'Dimension', 'Currency', 'Percentage'],
  ...['Ordinal', 'CreditCard', 'IP', 'Port', '__proto__', 'toString'],
]
const UNITS = ['', 'year', 'C', 'F', 'cm', 'kg', 'l', 'BRL', 'USD', 'mile', '__proto__']

describe('number [D-5.19]', () => {
  test.each(OF_KIND)('%s %j is %j [D-5.33] [D-5.35]', (validation, said, value) => {
    expect(read(said, validation)).toBe(value)
  })

  test.each(VALIDATIONS)('%j survives odd texts at once', validation => {
    const began = processorMs()
    for (const text of ODD_TEXTS)
      for (const unit of UNITS) expect(typeof readNumber(text, validation, unit, 'pt').ok).toBe('boolean')
    expect(processorMs() - began).toBeLessThan(2_000)
  })

  test('never throws, and keeps finite numbers and non-empty text alone', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789.,-+%°º$/:e RUaosmkgl\'"'), maxLength: 24 })
    fc.assert(
      fc.property(
        fc.oneof(anyText(), near, fc.double()),
        fc.constantFrom(...VALIDATIONS),
        fc.constantFrom(...UNITS),
        fc.constantFrom('pt', 'en', 'es-MX', '', '\u0000'),
        (said, validation, unit, locale) => {
          const value = read(said, validation, unit, locale)
          if (typeof value === 'number') expect(Number.isFinite(value) && !Object.is(value, -0)).toBe(true)
          else expect(value).not.toBe('')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('a number of an option is itself in any language', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), value => {
        const held = read(value, 'none', '', 'pt')
        expect(held).toBeCloseTo(value, 10)
        if (Math.abs(value) >= 1e-5) expect(held).toBe(value)
      }),
      // Twenty figures behind the point are too few for this one.
      { examples: [[0.000010000006214864951]] },
    )
  })
})
