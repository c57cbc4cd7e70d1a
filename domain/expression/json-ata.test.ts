import { expect, test } from 'vitest'
import { openEngine } from './engines.ts'
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

test.each([
  ['Jexl', ['one == other', 'one != other', 'one == "Ana"', '"José" == one']],
  ['ExprEval', ['one == other', 'one != other', 'one == "Ana"', '"José" == one']],
  ['JsonAta', ['one = other', 'one != other', 'one = "Ana"', '"José" = one']],
] as const)('composed and decomposed letters are equal in %s [P-1925]', async (name, sources) => {
  const engine = await openEngine(name)
  const context = { one: 'José'.normalize('NFD'), other: 'José'.normalize('NFC'), n: 1 }
  const value = async (source: string) => {
    const parsed = engine.parse(source)
    const outcome = parsed.ok ? await parsed.value.evaluate(context) : parsed
    return outcome.ok ? outcome.value : outcome.fault.code
  }
  expect(await Promise.all(sources.map(value))).toEqual([true, false, false, true])
})

test.each([
  ['names[$ = "Bia"]', 'Bia'],
  ['missing = "Ana"', false],
  ['missing != "Ana"', false],
  ['names = ["Ana", "Bia"]', true],
  ['$filter(names, function($n) { $n = "Ana" })', 'Ana'],
  ['($n := 1; $n = 1 ? "one" : "other")', 'one'],
])('an equality keeps the meaning that JSONata gives it: %s', async (source, found) => {
  expect(await evaluated(source)).toEqual(found)
})

// The depth that the stack holds changes with the compiler's state: some length between these is beyond the walk of the tree.
test.each(['~>', '+', '&', ' and '])(
  'a chain of thousands of "%s" is read or a fault, not an error [P-2421]',
  operator => {
    for (const length of [5_000, 10_000, 15_000, 19_000]) {
      const parsed = jsonAta.parse(`${`a${operator}`.repeat(length / (operator.length + 1))}a`)
      expect(parsed.ok || parsed.fault.code).toBeOneOf([true, 'limit'])
    }
  },
)
