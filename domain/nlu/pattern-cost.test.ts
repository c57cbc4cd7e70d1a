import { expect, test } from 'vitest'
import { compilePattern, costFault } from './pattern-cost.ts'

test.each([
  '(a+)+$',
  '(a*)*b',
  '(a|a)*b',
  '(a|aa)+$',
  '(\\w+\\s?)*$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*)*x',
  '(x+x+)+y',
  '([a-z]+)*\\d',
  '(?:\\d+|\\d{2})*z',
  '((ab)*)*c',
])('%s can explode and is refused [N-5.6]', pattern => {
  expect(costFault(pattern)).toBe('exploding')
})

test.each([
  '\\b[A-Z]{2}\\d{6}\\b',
  '\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}',
  '[\\w.+-]+@[\\w-]+\\.[\\w.-]+',
  '(?:[a-z]+-)*[a-z]+',
  '(\\d+,)*\\d+',
  'pedido\\s+(\\d+)',
  '(?P<ano>\\d{4})',
  '(?i)abc',
  '(sim|não|talvez)',
  '(?:ab|cd)+',
  '(?<=nº )\\d+(?!%)',
  'a{2,4}b{3}',
  '.*',
  '[a\\]b]+',
  '\\p{L}+\\s\\p{N}+',
])('%s is taken [N-5.6]', pattern => {
  expect(costFault(pattern)).toBeUndefined()
  expect(compilePattern(pattern)?.flags).toMatch(/^giu?$/u)
})

test.each([
  ['(a', 'syntax'],
  ['', 'syntax'],
  ['*', 'syntax'],
  ['(a)\\1', 'backreference'],
  ['(?<x>a)\\k<x>', 'backreference'],
  ['a'.repeat(2000), 'tooLarge'],
  ['[abc]{1,8}'.repeat(40), 'tooLarge'],
])('%s is refused as %s [N-5.6]', (pattern, fault) => {
  expect(costFault(pattern)).toBe(fault)
})

test('refuses a pattern whose analysis takes too many steps within 50 ms [P-1615]', () => {
  const began = process.threadCpuUsage()
  expect(costFault(`${'.{0,8}'.repeat(12)}x`)).toBe('tooLarge')
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(50)
  expect(costFault('.{0,8}.{0,8}x')).toBeUndefined()
})
