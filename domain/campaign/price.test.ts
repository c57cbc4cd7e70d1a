import { describe, expect, test } from 'vitest'
import { variantOf } from './comparison.ts'
import { amountOf, listOn, microsOf, priceListBehaviour, priceListOf, priceOf, roundedMicros, sumOf } from './price.ts'
import { countryReader, readPastedPrices, withPasted } from './price-paste.ts'

const row = (category: string, country: string, price: string) => ({ category, country, price })
const list = (from: string, ...rows: readonly ReturnType<typeof row>[]) =>
  priceListOf(from, { name: from, currency: 'BRL', valid_from: from, rows })

describe('amounts', () => {
  test('are exact in both directions, with two to six decimals [P-2800]', () => {
    expect(['0', '0.3', '0.0625', '2581.06', '999999999.999999'].map(text => amountOf(microsOf(text) ?? -1n))).toEqual([
      '0.00',
      '0.30',
      '0.0625',
      '2581.06',
      '999999999.999999',
    ])
    expect(['', '-1', '1,5', '1.', '.5', '1e3', '1.1234567'].map(microsOf)).toEqual(Array(7).fill(undefined))
    // 0.1 + 0.2 of numbers is 0.30000000000000004.
    expect(amountOf((microsOf('0.1') ?? 0n) + (microsOf('0.2') ?? 0n))).toBe('0.30')
    expect([roundedMicros('0.0312344'), roundedMicros('0.03123450'), roundedMicros('x')]).toEqual([
      31234,
      31235,
      undefined,
    ])
  })

  test('come from the newest list that has begun, and from * for countries without a price [P-2800]', () => {
    const [old, now] = [
      list('2026-07-01', row('marketing', 'BR', '0.30')),
      list('2026-10-01', row('marketing', 'BR', '0.3125'), row('marketing', '*', '0.5')),
    ]
    const lists = [now, old, list('2027-01-01')]
    expect(['2026-06-30', '2026-09-30', '2026-10-01', '2026-12-31'].map(day => listOn(lists, day)?.name)).toEqual([
      undefined,
      '2026-07-01',
      '2026-10-01',
      '2026-10-01',
    ])
    expect([
      priceOf(now, 'marketing', 'BR'),
      priceOf(now, 'marketing', 'PT'),
      priceOf(now, 'utility', 'BR'),
      priceOf(old, 'marketing', 'PT'),
    ]).toEqual([312_500n, 500_000n, undefined, undefined])
    // 8,326 × 0.3125 = 2601.875; 7 × 0.5 = 3.5; 3 have no price.
    const counts = [
      { category: 'marketing', country: 'BR', count: 8326 },
      { category: 'marketing', country: 'PT', count: 7 },
      { category: 'utility', country: 'BR', count: 3 },
    ]
    expect(sumOf(now, counts)).toEqual({ amount: '2605.375', unpriced: 3 })
  })

  test('a list has one price for the same messages and a day that exists [P-2801]', () => {
    const rows = [row('marketing', 'BR', '1'), row('utility', 'BR', '1'), row('marketing', 'BR', '2')]
    expect(priceListBehaviour.onCreate({ rows, valid_from: '2026-02-30' })).toMatchObject({
      ok: false,
      refusal: {
        errors: [
          { path: 'rows.2.country', code: 'duplicate' },
          { path: 'valid_from', code: 'format' },
        ],
      },
    })
    expect(priceListBehaviour.onCreate({ rows: rows.slice(0, 2), valid_from: '2028-02-29' }).ok).toBe(true)
  })
})

describe('pasted prices', () => {
  const read = (text: string) => readPastedPrices(text, countryReader(['en', 'pt', 'es']))

  test('are read from lines of category, country and price in any order and language [P-2802]', () => {
    const text = [
      'Categoria\tPaís\tPreço',
      'Marketing\tBrasil\tR$ 0,3125',
      'BR\tutilidade\t0,04',
      'autenticação\tPortugal\t€0.0300',
      'Utility\t*\t1.234,5',
    ].join('\n')
    expect(read(text)).toEqual({
      rows: [
        row('marketing', 'BR', '0.3125'),
        row('utility', 'BR', '0.04'),
        row('authentication', 'PT', '0.0300'),
        row('utility', '*', '1234.5'),
      ],
      unread: [],
    })
  })

  test('are read from a table with a column for each category; other lines are named [P-2802]', () => {
    const text = [
      'Market;Currency;Marketing;Utility;Authentication',
      'Brazil;$US;0.0625;0.0068;n/a',
      'Rest of Latin America;$US;0.0740;0.0113;0.0113',
      '',
      'Germany;$US;0.1365;x;0.0768',
    ].join('\r\n')
    expect(read(text)).toEqual({
      rows: [row('marketing', 'BR', '0.0625'), row('utility', 'BR', '0.0068')],
      unread: [
        { line: 3, text: 'Rest of Latin America' },
        { line: 5, text: 'x' },
      ],
    })
  })

  test('replace the price of equal messages, and keep the others [P-2802]', () => {
    const before = [
      { id: 'i1', ...row('marketing', 'BR', '0.30') },
      { id: 'i2', ...row('utility', 'BR', '0.04') },
    ]
    const { rows } = read('marketing\tBR\t0,31\nmarketing\tBR\t0,32\nmarketing\tPT\t0,5')
    expect(withPasted(before as never, rows)).toEqual([
      { id: 'i1', ...row('marketing', 'BR', '0.32') },
      { id: 'i2', ...row('utility', 'BR', '0.04') },
      row('marketing', 'PT', '0.5'),
    ])
  })
})

test('half of the share of a comparison gets each template, and a number keeps its part [P-2805]', () => {
  const parts = (campaign: string) => Array.from({ length: 10_000 }, (_, at) => variantOf(campaign, `phone ${at}`, 20))
  const [one, other] = [parts('c1'), parts('c2')]
  for (const variant of ['a', 'b'] as const) {
    const count = one.filter(part => part === variant).length
    expect(count).toBeGreaterThan(900)
    expect(count).toBeLessThan(1100)
  }
  expect(parts('c1')).toEqual(one)
  // Another campaign asks other people.
  const both = one.filter((part, at) => part !== 'rest' && other[at] !== 'rest').length
  expect(both).toBeGreaterThan(300)
  expect(both).toBeLessThan(500)
  expect(new Set(Array.from({ length: 1000 }, (_, at) => variantOf('c1', `${at}`, 100)))).toEqual(new Set(['a', 'b']))
  // Parts of recipients of running comparisons, computed apart from the code: an upgrade must not change them.
  expect(Array.from({ length: 24 }, (_, at) => variantOf('c1', `phone ${at}`, 50).charAt(0)).join('')).toBe(
    'rbrarrarrarararaarrrarra',
  )
})
