import { describe, expect, test } from 'vitest'
import { readSegmentRule, type SegmentRule, segmentDay, segmentNumber } from '#schemas/segment-rule.ts'
import { estimateSegment, isInSegment, type OpenFacts, type SealedFacts, withColumns } from './segment.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 29)
const ANA: SealedFacts = {
  phone: '+5511987650001',
  nome: 'Ana Conceição',
  fields: { field01: 'R$ 1.234,50', field02: '24/11/2026', field03: 'São Paulo' },
  consent: { source: 'loja', time: '2026-01-01T00:00:00Z' },
}
const OPEN: OpenFacts = {
  country: 'BR',
  lists: ['l1'],
  tags: ['reclamacao'],
  replied: NOW - 3 * DAY_MS,
  results: { c1: { state: 'delivered' }, c2: { state: 'failed', class: 'cap' }, c3: { state: 'engaged' } },
}
const is = (rule: SegmentRule, sealed = ANA, open = OPEN) => isInSegment(rule, { open, sealed, now: NOW })
const where = (field: string, op: string, value?: unknown) => is({ field, op, value } as SegmentRule)

describe('a rule of a segment', () => {
  test('compares texts without capitals and accents, numbers and days as people write them [P-2750]', () => {
    const cases: readonly (readonly [string, string, unknown, boolean])[] = [
      ['nome', 'is', 'ana conceicao', true],
      ['nome', 'isnot', 'ANA CONCEIÇÃO', false],
      ['nome', 'contains', 'conce', true],
      ['nome', 'notcontains', 'bia', true],
      ['nome', 'starts', 'ana', true],
      ['field04', 'empty', undefined, true],
      ['field03', 'filled', undefined, true],
      ['field01', 'more', '1234', true],
      ['field01', 'less', '1.234,50', false],
      ['field03', 'more', '1', false],
      ['field02', 'before', '2026-11-25', true],
      ['field02', 'after', '24/11/2026', false],
    ]
    for (const [field, op, value, expected] of cases)
      expect([field, op, where(field, op, value)]).toEqual([field, op, expected])
    expect([
      segmentNumber('10'),
      segmentNumber('1,234.5'),
      segmentNumber('-3,5'),
      segmentNumber('1.000'),
      segmentNumber('x'),
    ]).toEqual([10, 1234.5, -3.5, 1000, undefined])
    expect([segmentDay('31/02/2026'), segmentDay('1/2/26'), segmentDay('2026-02-01T10:00')]).toEqual([
      undefined,
      20260201,
      20260201,
    ])
  })

  test('asks for country, area code, consent, lists, tags, last reply and outcomes of campaigns [P-2751]', () => {
    const cases: readonly (readonly [string, string, unknown, boolean])[] = [
      ['country', 'in', ['BR', 'PT'], true],
      ['ddd', 'in', ['11'], true],
      ['ddd', 'notin', ['11'], false],
      ['consent', 'has', undefined, true],
      ['list', 'notin', ['l2'], true],
      ['list', 'in', ['l2', 'l1'], true],
      ['tag', 'has', 'Reclamação', true],
      ['tag', 'hasnot', 'elogio', true],
      ['lastreply', 'within', 3, true],
      ['lastreply', 'within', 2, false],
      ['lastreply', 'notwithin', 2, true],
      ['campaign', 'sent', { campaign: 'c1' }, true],
      ['campaign', 'notread', { campaign: 'c1' }, true],
      ['campaign', 'read', { campaign: 'c3' }, true],
      ['campaign', 'engaged', { campaign: 'c1' }, false],
      ['campaign', 'failed', { campaign: 'c2' }, true],
      ['campaign', 'failed', { campaign: 'c2', class: 'recipient' }, false],
      ['campaign', 'notsent', { campaign: 'c9' }, true],
      ['campaign', 'notread', { campaign: 'c9' }, false],
    ]
    for (const [field, op, value, expected] of cases)
      expect([field, op, where(field, op, value)]).toEqual([field, op, expected])
    expect(is({ field: 'lastreply', op: 'notwithin', value: 1 }, ANA, { ...OPEN, replied: undefined as never })).toBe(
      true,
    )
  })

  test('joins conditions with all and any, and reads columns by the names of their file [P-2752]', () => {
    const rule: SegmentRule = {
      all: [
        { field: 'country', op: 'in', value: ['BR'] },
        {
          any: [
            { field: 'column:CIDADE', op: 'is', value: 'sao paulo' },
            { field: 'nome', op: 'is', value: 'x' },
          ],
        },
      ],
    }
    expect(is(withColumns(rule, { field03: 'Cidade' }))).toBe(true)
    expect(is(withColumns(rule, { field02: 'Cidade' }))).toBe(false)
    expect(is(withColumns(rule, {}))).toBe(false)
    expect(is(withColumns({ all: [{ field: 'column:Bairro', op: 'empty' }] }, {}))).toBe(true)
  })

  test('is refused with the place of each fault, beyond three levels and beyond 20 conditions [P-2753]', () => {
    const of = (given: unknown) => {
      const read = readSegmentRule(given)
      return read.ok ? [] : read.faults.map(({ path, rule }) => `${path} ${rule}`)
    }
    const one = { field: 'nome', op: 'is', value: 'a' }
    expect(of({ all: [one, { any: [one, { all: [one] }] }] })).toEqual([])
    expect(of({ all: [{ any: [{ all: [{ any: [one] }] }] }] })).toEqual(['all.0.any.0.all.0 segmentdepth'])
    expect(of({ all: Array.from({ length: 20 }, () => one) })).toEqual([])
    expect(of({ all: Array.from({ length: 21 }, () => one) })).toEqual([' segmentcount'])
    expect(of(one)).toEqual([' segmentform'])
    expect(of({ all: [] })).toEqual([' segmentform'])
    expect(of({ all: [one], any: [one] })).toEqual([' segmentform'])
    expect(of({ all: [{ ...one, sql: '1=1' }] })).toEqual(['all.0 segmentform'])
    expect(
      of({
        any: [
          { field: 'phone', op: 'is', value: '1' },
          { field: 'nome', op: 'in', value: 'a' },
        ],
      }),
    ).toEqual(['any.0.field segmentfield', 'any.1.op segmentop'])
    const wrong = [
      { field: 'field01', op: 'more', value: 'muito' },
      { field: 'field01', op: 'before', value: '31/02/2026' },
      { field: 'country', op: 'in', value: ['Brasil'] },
      { field: 'ddd', op: 'in', value: ["11' OR 1=1"] },
      { field: 'nome', op: 'is', value: 'x'.repeat(201) },
      { field: 'lastreply', op: 'within', value: 0 },
      { field: 'campaign', op: 'sent', value: { campaign: 'c', class: 'cap' } },
      { field: 'list', op: 'in', value: [] },
      { field: 'consent', op: 'has', value: 'x' },
      { field: 'nome', op: 'is', value: { $gt: '' } },
    ]
    expect(of({ all: wrong })).toEqual(wrong.map((_, at) => `all.${at}.value segmentvalue`))
  })

  test('is estimated with the error of runs of neighbours, and counted where all rows were looked at [P-2754]', () => {
    expect(estimateSegment([{ rows: 40, matches: 10 }], 40)).toEqual({ count: 10, error: 0 })
    expect(estimateSegment([], 0)).toEqual({ count: 0, error: 0 })
    // Each run of 100 is alike: shares 0 and 1 in turn, 100 runs of 1,000,000 rows.
    const blocks = Array.from({ length: 100 }, (_, at) => ({ rows: 100, matches: at % 2 === 0 ? 100 : 0 }))
    const { count, error } = estimateSegment(blocks, 1_000_000)
    expect(count).toBe(500_000)
    // 1.96 × √(0.99 × 0.25 × 100/99 ÷ 100) × 1,000,000
    expect(error).toBe(98_000)
    expect(estimateSegment([{ rows: 10_000, matches: 0 }], 1_000_000)).toEqual({ count: 0, error: 300 })
  })
})
