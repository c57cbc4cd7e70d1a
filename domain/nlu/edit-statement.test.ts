import { describe, expect, test } from 'vitest'
import { withMark, withoutMarks, withText } from './edit-statement.ts'
import { parseStatement, printStatement } from './project-data.ts'

describe('marks in a line survive editing [P-753]', () => {
  test.for([
    ['ver [conta](c) já', 'quero ver conta já', 'quero ver [conta](c) já'],
    ['ver [conta](c) já', 'ver conta agora', 'ver [conta](c) agora'],
    ['ver [conta](c) já', 'ver contas já', 'ver [conta](c)s já'],
    ['ver [conta](c) já', 'ver coonta já', 'ver [coonta](c) já'],
    ['ver [conta](c) já', 'ver já', 'ver já'],
    ['[um](a) [dois](b) [três](c)', 'um três', '[um](a) [três](c)'],
    ['[um](a) [dois](b)', 'um e dois', '[um](a) e [dois](b)'],
    ['[abc](a)', 'ac', '[ac](a)'],
    ['[abc](a)', '', ''],
    ['x [abcd](a) y', 'x ab', 'x [ab](a)'],
    ['[aa](x)aa', 'aa', '[aa](x)'],
  ])('%s, now %s', ([before = '', text = '', after]) => {
    expect(printStatement(withText(parseStatement(before), text))).toBe(after)
  })

  test('a part is marked without the white space around it, in place of marks that it meets', () => {
    const line = parseStatement('ver [conta](c) já')
    expect(printStatement(withMark(line, 3, 10, 'x'))).toBe('ver [conta](x) já')
    expect(printStatement(withMark(line, 3, 4, 'x'))).toBe('ver [conta](c) já')
    expect(printStatement(withMark(line, 9, 12, 'quando'))).toBe('ver [conta](c) [já](quando)')
    expect(printStatement(withoutMarks(line, 5, 6))).toBe('ver conta já')
  })
})
