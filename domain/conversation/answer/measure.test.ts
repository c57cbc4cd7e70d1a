import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNumber } from './number-answer.ts'

const read = (said: string | number, validation: string, unit = '', locale = 'pt-BR') => {
  const result = readNumber(said, validation, unit, locale)
  return result.ok ? result.value : undefined
}

const MEASURES: readonly (readonly [
  validation: string,
  unit: string,
  said: string | number,
  value: number | undefined,
])[] = [
  ['Age', 'year', '22', 22],
  ['Age', 'year', '22 anos', 22],
  ['Age', 'year', '22 years old', 22],
  ['Age', 'year', '18 meses', 1.5],
  ['Age', 'month', '2 años', 24],
  ['Age', 'year', '2 anos e 6 meses', 2.5],
  ['Age', 'month', '1 year, 3 months', 15],
  ['Age', 'day', '3 semanas', 21],
  ['Age', 'week', '14 dias', 2],
  ['Age', 'year', '0', 0],
  ['Age', 'year', '-1', undefined],
  ['Age', 'year', '6 meses e 2 anos', undefined],
  ['Age', 'year', '2 anos e 6', undefined],
  ['Age', 'year', '22 kg', undefined],
  ['Age', 'year', 'vinte e dois', undefined],
  ['Age', 'year', '20-25 anos', undefined],
  ['Age', 'year', 'anos', undefined],
  ['Age', '', '22 anos', 22],
  ['Age', 'year', 22, 22],
  ['Temperature', 'C', '25', 25],
  ['Temperature', 'C', '25°', 25],
  ['Temperature', 'C', '25 ºC', 25],
  ['Temperature', 'C', '-5,5 graus', -5.5],
  ['Temperature', 'C', 'menos 5', -5],
  ['Temperature', 'C', '77 F', 25],
  ['Temperature', 'C', '212°F', 100],
  ['Temperature', 'C', '300,15 K', 27],
  ['Temperature', 'F', '77 degrees', 77],
  ['Temperature', 'F', '100 celsius', 212],
  ['Temperature', 'K', '0 °C', 273.15],
  ['Temperature', 'C', '-273,15', -273.15],
  ['Temperature', 'C', '-274', undefined],
  ['Temperature', 'C', '-1 K', undefined],
  ['Temperature', 'C', '25 metros', undefined],
  ['Temperature', 'C', '20 C 5 F', undefined],
  ['Dimension', 'cm', '1,80 m', 180],
  ['Dimension', 'm', '180 centímetros', 1.8],
  ['Dimension', 'm', '1m80', 1.8],
  ['Dimension', 'cm', "5'10", 177.8],
  ['Dimension', 'in', '5 ft 10', 70],
  ['Dimension', 'cm', '5\'10"', 177.8],
  ['Dimension', 'in', '5 ft 10 in', 70],
  ['Dimension', 'ft', '2 metros', 6.56167979003],
  ['Dimension', 'm', '1.234 km', 1_234_000],
  ['Dimension', 'mm', '2 pulgadas', 50.8],
  ['Dimension', 'in', '3 pés', 36],
  ['Dimension', 'g', '1,5 quilos', 1500],
  ['Dimension', 'kg', '500 gramas', 0.5],
  ['Dimension', 'kg', '1 kg e 500 g', 1.5],
  ['Dimension', 'ml', '2 L', 2000],
  ['Dimension', 'l', '750ml', 0.75],
  ['Dimension', 'cm', '80', 80],
  ['Dimension', 'cm', '2 kg', undefined],
  ['Dimension', 'l', '2 m', undefined],
  ['Dimension', 'cm', '-2 m', undefined],
  ['Dimension', 'cm', '2 milhas', undefined],
  ['Dimension', 'cm', '2 x 3 cm', undefined],
  ['Dimension', 'mile', '3', 3],
  ['Dimension', 'mile', '3 mile', 3],
  ['Dimension', 'mile', '3 km', undefined],
  ['Dimension', '', '3 km', 3],
  ['Currency', 'BRL', 'R$ 1.234,56', 1234.56],
  ['Currency', 'BRL', 'R$10', 10],
  ['Currency', 'BRL', '10 reais', 10],
  ['Currency', 'BRL', '10 reais e 50 centavos', 10.5],
  ['Currency', 'BRL', '50 centavos', 0.5],
  ['Currency', 'BRL', 'R$ 10 reais', 10],
  ['Currency', 'BRL', '-R$ 10', -10],
  ['Currency', 'BRL', 'R$ -10', -10],
  ['Currency', 'BRL', '10', 10],
  ['Currency', 'BRL', 'BRL 10', 10],
  ['Currency', 'BRL', '10 dólares', undefined],
  ['Currency', 'BRL', '$ 10', undefined],
  ['Currency', 'BRL', '€ 10', undefined],
  ['Currency', 'BRL', 'R$ 10 dólares', undefined],
  ['Currency', 'USD', '$ 10', 10],
  ['Currency', 'USD', 'US$ 10', 10],
  ['Currency', 'USD', 'R$ 10', undefined],
  ['Currency', 'EUR', '10 €', 10],
  ['Currency', 'EUR', '10 euros', 10],
  ['Currency', 'ARS', '100 pesos', 100],
  ['Currency', 'ARS', '100 pesos mexicanos', undefined],
  ['Currency', 'MXN', '$1.000 pesos', 1000],
  ['Currency', 'PEN', 'S/.10', 10],
  ['Currency', 'PEN', '10 soles', 10],
  ['Currency', 'UYU', '$U 100', 100],
  ['Currency', 'EUR', '10 pesos', undefined],
  ['Currency', '', 'US$ 10', 10],
  ['Currency', 'BRL', 'R$', undefined],
  ['Currency', 'BRL', 'dez reais', undefined],
]

describe('measures', () => {
  test.each(MEASURES)('%s in %s: %j is %d [D-5.32]', (validation, unit, said, value) => {
    expect(read(said, validation, unit)).toBe(value)
  })

  test('an amount is read by the locale first', () => {
    expect(read('$1,000', 'Currency', 'USD', 'en')).toBe(1000)
    expect(read('$1,000', 'Currency', 'USD', 'pt')).toBe(1)
    expect(read('1 250 000 pesos', 'Currency', 'COP', 'es')).toBe(1_250_000)
  })

  test('a measure that is converted and back is what it was', () => {
    const pairs = fc.constantFrom(
      ...([
        ['Dimension', 'cm', 'in'],
        ['Dimension', 'kg', 'g'],
        ['Dimension', 'ml', 'l'],
        ['Temperature', 'C', 'F'],
        ['Temperature', 'K', 'C'],
        ['Age', 'year', 'month'],
      ] as const),
    )
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 1_000_000 }), ([validation, from, to], hundredths) => {
        const value = hundredths / 100
        const there = read(`${value} ${from}`, validation, to, 'en')
        const shown = Number(there).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
        expect(read(`${shown} ${to}`, validation, from, 'en')).toBeCloseTo(value, 6)
      }),
    )
  })
})
