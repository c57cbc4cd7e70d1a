import { expect, test } from 'vitest'
import { misclassifiedLines, similarLines } from './mistake.ts'

type Evaluation = Parameters<typeof misclassifiedLines>[0]

const wrong = (id: string, text: string, intent: string, found: string) => ({
  id,
  text,
  intent,
  found,
  confidence: 0.8,
})
const evaluation = (change: Partial<Evaluation>): Evaluation => ({
  model: 'm',
  threshold: 0.5,
  lines: 4,
  right: 1,
  f1: 0.5,
  below: 0,
  intents: [],
  entities: [],
  confusion: [],
  wrong: [],
  pairs: [],
  ...change,
})
const intent = (name: string, lines: Readonly<Record<string, string>>) => ({
  id: `id of ${name}`,
  revision: 1,
  name,
  statements: Object.entries(lines).map(([id, text]) => ({ id, text })),
})
const intents = [intent('a', { 1: 'um [dois](n)', 2: 'mudou' }), intent('b', { 3: 'três' })]
const context = { intents, reviewed: [], inherits: false }

test('a line that was moved, changed or removed since is no mistake any more; marks do not change it [P-923]', () => {
  const list = evaluation({
    wrong: [
      wrong('1', 'um dois', 'a', 'b'),
      wrong('2', 'antes', 'a', 'b'),
      wrong('3', 'três', 'a', 'b'),
      wrong('9', 'quatro', 'b', 'a'),
    ],
  })
  expect(misclassifiedLines(list, context).map(({ line, owner, target }) => [line, owner?.name, target?.name])).toEqual(
    [['1', 'a', 'b']],
  )
  const inherited = misclassifiedLines(list, { ...context, inherits: true })
  expect(inherited.map(({ line, owner }) => [line, owner?.name])).toEqual([
    ['1', 'a'],
    ['3', undefined],
    ['9', undefined],
  ])
})

test('a line that was looked at is done for that intent alone [P-920]', () => {
  const list = evaluation({ wrong: [wrong('1', 'um dois', 'a', 'b'), wrong('3', 'três', 'b', 'a')] })
  const reviewed = [
    { line: '1', as: 'b' },
    { line: '3', as: 'c' },
  ]
  expect(misclassifiedLines(list, { ...context, reviewed }).map(({ isDone }) => isDone)).toEqual([true, false])
})

test('two lines look alike while both are there [P-923]', () => {
  const pair = (other: string) => ({
    one: { id: '1', text: 'um dois', intent: 'a' },
    other: { id: other, text: 'um dois', intent: 'b' },
    score: 1,
  })
  const found = similarLines(evaluation({ pairs: [pair('3'), pair('gone')] }), context)
  expect(found).toMatchObject([{ line: '1', as: 'b', like: 'um dois', score: 1 }])
})
