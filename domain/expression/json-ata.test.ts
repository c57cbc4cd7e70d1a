import { expect, test } from 'vitest'
import { jsonAta } from './json-ata.ts'

const evaluated = async (source: string) => {
  const parsed = jsonAta.parse(source)
  const outcome = parsed.ok ? await parsed.value.evaluate({ names: ['Ana', 'Bia'] }) : parsed
  return outcome.ok ? outcome.value : outcome.fault.code
}

test.each([
  ['"Ana" ~> /n(a)/', { match: 'na', start: 1, end: 3, groups: ['a'] }],
  ['/n/("Ana")', { match: 'n', start: 1, end: 2, groups: [] }],
  ['names.($ ~> /a$/).start', [2, 2]],
  ['names.($ ~> /^A/)', { match: 'A', start: 0, end: 1, groups: [] }],
])('what a pattern found is data: %s', async (source, found) => {
  expect(await evaluated(source)).toEqual(found)
})
