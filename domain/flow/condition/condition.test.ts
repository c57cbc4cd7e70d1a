import { describe, expect, it, test } from 'vitest'
import { COMPARISONS, DATE_UNITS, OPERATORS } from '#schemas/blocks/comparison.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { chooseBranch, isRuleHolding, leftType } from './condition.ts'

type Operands = Parameters<typeof chooseBranch>[1]

/** Saturday, 21 November 2026, 22:30 in São Paulo: already Sunday in UTC. */
const NOW = Date.parse('2026-11-22T01:30:00Z')

const operands = (variables: JsonObject = {}, more: Partial<Operands> = {}): Operands => ({
  input: '',
  channel: 'whatsapp',
  tags: ['vip'],
  variable: name => variables[name],
  typeOf: () => undefined,
  expression: () => undefined,
  now: NOW,
  timezone: 'America/Sao_Paulo',
  ...more,
})

type Case = readonly [type: string, left: Json, comparison: string, values: readonly Json[], holds: boolean]

const table: readonly Case[] = [
  ['string', 'Olá, Ana', 'startsWith', ['Olá'], true],
  ['string', 'José'.normalize('NFD'), 'equals', ['José'.normalize('NFC')], true],
  ['string', 'José'.normalize('NFC'), 'in', ['Ana', 'José'.normalize('NFD')], true],
  ['string', 'Oi, José'.normalize('NFD'), 'contains', ['José'.normalize('NFC')], true],
  ['string', 'José'.normalize('NFC'), 'notEquals', ['José'.normalize('NFD')], false],
  ['string', 'José'.normalize('NFD'), 'matches', ['^Jos.$'], true],
  ['string', 'Olá, Ana', 'startsWith', ['Ana'], false],
  ['string', 'Olá, Ana', 'endsWith', ['Ana'], true],
  ['string', 'Olá, Ana', 'endsWith', ['Olá'], false],
  ['string', 'Olá, Ana', 'contains', ['lá,'], true],
  ['string', 'Olá, Ana', 'contains', ['xyz'], false],
  ['string', null, 'contains', ['null'], false],
  ['string', 'sim', 'equals', ['não', 'sim'], true],
  ['string', 'sim', 'equals', ['Sim'], false],
  ['string', 'sim', 'notEquals', ['não'], true],
  ['string', 'sim', 'notEquals', ['não', 'sim'], false],
  ['string', 'sp', 'in', ['rj', 'sp'], true],
  ['string', 'mg', 'in', ['rj', 'sp'], false],
  ['string', 'mg', 'notIn', ['rj', 'sp'], true],
  ['string', 'sp', 'notIn', ['rj', 'sp'], false],
  ['string', '  ', 'isBlank', [], true],
  ['string', null, 'isBlank', [], true],
  ['string', 'a', 'isBlank', [], false],
  ['string', 'a', 'isNotBlank', [], true],
  ['string', ' ', 'isNotBlank', [], false],
  ['string', null, 'isNull', [], true],
  ['string', '', 'isNull', [], false],
  ['string', '', 'isNotNull', [], true],
  ['string', 'AB12', 'matches', ['^[A-Z]{2}\\d+$'], true],
  ['string', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', 'matches', ['^(a+)+$'], false],
  ['string', 'x', 'matches', ['('], false],
  ['string', 'x', 'exists', [], true],
  ['string', '', 'exists', [], false],
  ['string', null, 'notExists', [], true],
  ['numeric', 10, 'equals', ['10.0'], true],
  ['numeric', '9,5', 'equals', [9.5], true],
  ['numeric', 10, 'notEquals', ['11'], true],
  ['numeric', 10, 'greater', ['9'], true],
  ['numeric', 10, 'greater', ['10'], false],
  ['numeric', '10', 'less', ['9'], false],
  ['numeric', 2, 'less', ['10'], true],
  ['numeric', 10, 'lessOrEqual', ['10'], true],
  ['numeric', 11, 'lessOrEqual', ['10'], false],
  ['numeric', 10, 'greaterOrEqual', ['10'], true],
  ['numeric', 9, 'greaterOrEqual', ['10'], false],
  ['numeric', null, 'less', ['10'], false],
  ['numeric', 3, 'in', ['1', '3'], true],
  ['numeric', 3, 'notIn', ['1', '3'], false],
  ['numeric', null, 'isNull', [], true],
  ['numeric', 0, 'isNotNull', [], true],
  ['boolean', true, 'isTrue', [], true],
  ['boolean', 'true', 'isTrue', [], true],
  ['boolean', null, 'isTrue', [], false],
  ['boolean', false, 'isFalse', [], true],
  ['boolean', null, 'isFalse', [], false],
  ['date', '2026-11-21', 'equals', ['21/11/2026'], true],
  ['date', '2026-11-21', 'notEquals', ['2026-11-22'], true],
  ['date', '2026-11-21', 'greater', ['2026-11-20'], true],
  ['date', '2026-11-21', 'less', ['2026-11-20'], false],
  ['date', '2026-11-21', 'greaterOrEqual', ['2026-11-21'], true],
  ['date', '2026-11-21', 'lessOrEqual', ['2026-11-21'], true],
  ['date', '31/02/2026', 'lessOrEqual', ['2030-01-01'], false],
  ['date', 'ontem', 'less', ['2030-01-01'], false],
  ['date', '2026-11-22T01:00:00Z', 'isToday', [], true],
  ['date', '2026-11-22', 'isToday', [], false],
  ['date', '2026-11-20', 'isYesterday', [], true],
  ['date', '2026-11-21', 'isYesterday', [], false],
  ['date', '2026-11-15', 'isThisWeek', [], true],
  ['date', '2026-11-22', 'isThisWeek', [], false],
  ['date', '2026-11-14', 'isLastWeek', [], true],
  ['date', '2026-11-22', 'isNextWeek', [], true],
  ['date', '2026-11-01', 'isThisMonth', [], true],
  ['date', '2026-10-31', 'isLastMonth', [], true],
  ['date', '2026-12-31', 'isNextMonth', [], true],
  ['date', '2027-01-01', 'isNextMonth', [], false],
  ['date', '2026-01-01', 'isThisYear', [], true],
  ['date', '2025-12-31', 'isLastYear', [], true],
  ['date', '2027-06-01', 'isNextYear', [], true],
  ['date', null, 'isThisYear', [], false],
  ['date', null, 'isNull', [], true],
  ['date', '2026-11-21', 'isNotNull', [], true],
  ['object', {}, 'isNull', [], false],
  ['object', null, 'isNull', [], true],
  ['array-object', [{ a: 1 }], 'isNotNull', [], true],
  ['array', ['a', 'b'], 'contains', ['b'], true],
  ['array', [1, 2], 'contains', ['2'], true],
  ['array', ['a', 'b'], 'notContains', ['b'], false],
  ['array', ['a'], 'notContains', ['b'], true],
  ['array', null, 'isNull', [], true],
  ['array', [], 'isNotNull', [], true],
]

describe('a rule of a condition', () => {
  it('holds as its operator is named, for each type of the left side and any form of its letters [D-9.15] [P-1726]', () => {
    const wrong = table.filter(([datatype, left, comparison, values, holds]) => {
      const rule: JsonObject = { source: 'variable', variable: 'x', datatype, comparison, values }
      return isRuleHolding(rule, operands({ x: left })) !== holds
    })
    expect(wrong).toEqual([])
  })

  it('is tried here with every operator there is', () => {
    const tried = new Set(table.map(([, , comparison]) => comparison))
    expect(COMPARISONS.filter(each => !tried.has(each))).toEqual(['tagExists', 'tagNotExists'])
  })

  it.each(['text', 'constructor', 'channel', ' '])('a type that nothing here knows is none: %s', datatype => {
    const rule = { source: 'variable', variable: 'idade', datatype }
    expect(leftType(rule, operands({}, { typeOf: () => 'numeric' }))).toBe('numeric')
    expect(leftType({ ...rule, source: 'expression' }, operands(), true)).toBe('boolean')
  })

  it('looks at the channel and at tags', () => {
    const holds = (source: string, comparison: string, value: string) =>
      isRuleHolding({ source, comparison, values: [value] }, operands())
    expect(holds('channel', 'equals', 'whatsapp')).toBe(true)
    expect(holds('channel', 'notEquals', 'whatsapp')).toBe(false)
    expect(holds('tag', 'tagExists', 'vip')).toBe(true)
    expect(holds('tag', 'tagNotExists', 'vip')).toBe(false)
  })

  it('compares with a list that a variable holds [D-9.14]', () => {
    const rule = { source: 'input', comparison: 'in', values: [], valueVariable: 'states' }
    expect(isRuleHolding(rule, operands({ states: ['SP', 'RJ'] }, { input: 'RJ' }))).toBe(true)
    expect(isRuleHolding(rule, operands({ states: ['SP'] }, { input: 'RJ' }))).toBe(false)
    expect(isRuleHolding({ ...rule, comparison: 'notIn' }, operands({}, { input: 'RJ' }))).toBe(true)
  })

  test.each([
    ['year', '2026-01-01', '2026-12-31', '2025-12-31'],
    ['month', '2026-11-01', '2026-11-30', '2026-10-31'],
    ['day', '2026-11-21 00:00', '2026-11-21 23:59', '2026-11-20 23:59'],
    ['week', '2026-11-15', '2026-11-21', '2026-11-14'],
    ['isoWeek', '2026-11-16', '2026-11-22', '2026-11-15'],
    ['hour', '2026-11-21 10:00', '2026-11-21 10:59', '2026-11-21 09:59'],
    ['minute', '2026-11-21 10:00:00', '2026-11-21 10:00:59', '2026-11-21 09:59:59'],
    ['second', '2026-11-21T10:00:00.000', '2026-11-21T10:00:00.900', '2026-11-21T09:59:59'],
  ])('compares dates by the %s [D-9.16]', (dateUnit, first, last, before) => {
    const holds = (left: string, comparison: string) =>
      isRuleHolding(
        { source: 'variable', variable: 'x', datatype: 'date', comparison, values: [last], dateUnit },
        operands({ x: left }),
      )
    expect(DATE_UNITS).toContain(dateUnit)
    expect([holds(first, 'equals'), holds(first, 'less'), holds(before, 'equals'), holds(before, 'less')]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('the operators that are offered', () => {
  it('are those of the specification, by the type of the left side [D-9.08] [D-9.09] [D-9.10] [D-9.11] [D-9.12] [D-9.13]', () => {
    expect(OPERATORS.channel).toEqual(['equals', 'notEquals'])
    expect(OPERATORS.tag).toEqual(['tagExists', 'tagNotExists'])
    expect(OPERATORS.object).toEqual(['isNull', 'isNotNull'])
    expect(OPERATORS['array-object']).toEqual(OPERATORS.object)
    expect(OPERATORS.boolean).toEqual(['isTrue', 'isFalse'])
    expect(OPERATORS.array).toEqual(['isNull', 'isNotNull', 'contains', 'notContains'])
    expect(OPERATORS.string).toHaveLength(11)
    expect(OPERATORS.numeric).toHaveLength(10)
    expect(OPERATORS.date).toHaveLength(19)
  })
})

describe('a condition', () => {
  const is = (value: string) => ({ source: 'input', comparison: 'equals', values: [value] })
  const vip = { source: 'tag', comparison: 'tagExists', values: ['vip'] }
  const chosen = (branches: readonly Json[], input: string, tags: readonly string[] = []) =>
    chooseBranch(branches, operands({}, { input, tags }))

  it('leaves by the first branch that holds, and by otherwise when none does [D-9.15]', () => {
    const branches = [[is('sim')], { rules: [is('não')] }, { rules: [is('sim')] }]
    expect([chosen(branches, 'sim'), chosen(branches, 'não'), chosen(branches, 'talvez')]).toEqual([0, 1, undefined])
  })

  it('joins rules with and, or with or, and groups likewise', () => {
    const all = [{ match: 'and', rules: [is('sim'), vip] }]
    const any = [{ match: 'or', rules: [is('sim'), vip] }]
    const grouped = [{ match: 'and', rules: [vip], groups: [{ match: 'or', rules: [is('a'), is('b')] }] }]
    expect([chosen(all, 'sim'), chosen(all, 'sim', ['vip'])]).toEqual([undefined, 0])
    expect([chosen(any, 'sim'), chosen(any, '', ['vip']), chosen(any, '')]).toEqual([0, 0, undefined])
    expect([chosen(grouped, 'b', ['vip']), chosen(grouped, 'c', ['vip']), chosen(grouped, 'b')]).toEqual([
      0,
      undefined,
      undefined,
    ])
  })

  it('never takes a branch without rules', () => {
    expect(chosen([{ rules: [] }, 'junk', null], '')).toBeUndefined()
  })
})

test('a value between double braces is what it becomes, and one in single braces is what it says', () => {
  const expression = (source: string) =>
    source === '{{limite * 2}}' ? 10 : source === 'Olá, {{nome}}' ? 'Olá, Ana' : null
  const holds = (left: Json, comparison: string, values: readonly string[]) =>
    isRuleHolding({ source: 'input', comparison, values: [...values] }, operands({}, { input: left, expression }))

  expect(holds('10', 'equals', ['{{limite * 2}}'])).toBe(true)
  expect(holds('Olá, Ana', 'in', ['x', 'Olá, {{nome}}'])).toBe(true)
  expect(holds('{nome}', 'equals', ['{nome}'])).toBe(true)
  expect(holds('', 'equals', ['{{outra}}'])).toBe(true)
})
