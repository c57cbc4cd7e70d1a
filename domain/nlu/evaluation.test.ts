import { expect, test } from 'vitest'
import {
  belowThreshold,
  compareLines,
  confusionOf,
  type Evaluation,
  intentScores,
  type JudgedLine,
  judgedLines,
  meanF1,
} from './evaluation.ts'
import { SMALL_PROJECT } from './fixture/small-project.ts'
import { trainModel } from './train-model.ts'

const line = (id: string, intent: number, found: number, confidence: number) => ({
  id,
  text: `linha ${id}`,
  intent,
  found,
  confidence,
})
const EVALUATION: Evaluation = {
  intents: ['a', 'b', 'c'],
  threshold: 0.5,
  lines: [line('1', 0, 0, 0.9), line('2', 0, 1, 0.6), line('3', 1, 1, 0.4), line('4', 1, 1, 0.8)],
  entities: [],
  pairs: [],
}

test('precision, recall and F1 are counted from the lines of each intent; one without lines has none [N-5.15]', () => {
  const [a, b, c] = intentScores(EVALUATION)
  expect(a).toMatchObject({ name: 'a', count: 2, precision: 1, recall: 0.5 })
  expect(a?.f1).toBeCloseTo(2 / 3)
  expect(b).toMatchObject({ count: 2, recall: 1 })
  expect(b?.precision).toBeCloseTo(2 / 3)
  expect(c).toEqual({ name: 'c', count: 0, precision: 0, recall: 0, f1: 0 })
  expect(belowThreshold(EVALUATION)).toBe(0.25)
  expect(confusionOf(EVALUATION)).toEqual([
    { intent: 0, found: 0, count: 1 },
    { intent: 0, found: 1, count: 1 },
    { intent: 1, found: 1, count: 2 },
  ])
})

test('two models are compared as a bot would take the lines, what became worse first [N-5.15]', () => {
  const verdict = (intent: string | null) => ({ intent, confidence: 0.7 })
  const lines = (...found: (string | null)[]): readonly JudgedLine[] =>
    found.map((intent, at) => ({ id: `${at}`, text: `t${at}`, intent: 'a', verdict: verdict(intent) }))
  const one = [...lines('a', null, 'b', 'a', 'b'), { id: 'x', text: 'só aqui', intent: 'a', verdict: verdict('a') }]
  const compared = compareLines(one, lines('a', 'a', 'c', 'b', 'b'))
  expect(compared).toMatchObject({ lines: 5, right: 2, otherRight: 2, better: 1, worse: 1 })
  expect(compared.changed.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(judgedLines(EVALUATION)[2]?.verdict).toEqual({ intent: null, confidence: 0.4 })
})

test('returns findings for every line, and lines shared by two intents [N-5.15]', () => {
  const [boleto, atendente, ...others] = SMALL_PROJECT.intents
  if (boleto === undefined || atendente === undefined) throw new Error('the fixture has intents')
  const statements = [...atendente.statements, { id: 'x', text: 'Preciso do BOLETO de maio' }]
  const stages = new Set<string>()
  const data = { ...SMALL_PROJECT, intents: [boleto, { ...atendente, statements }, ...others] }
  const result = trainModel(data, (_, stage) => stages.add(stage))
  if (!result.ok) throw new Error(result.code)
  const { evaluation, f1, accuracy, lines } = result.report
  expect(evaluation.lines).toHaveLength(lines)
  expect(evaluation.lines.filter(({ intent, found }) => intent === found)).toHaveLength(Math.round(accuracy * lines))
  expect(f1).toBe(meanF1(intentScores(evaluation)))
  const [{ one, other, score } = { one: 0, other: 0, score: 0 }] = evaluation.pairs
  expect([evaluation.lines[one]?.text, evaluation.lines[other]?.text, score]).toEqual([
    'Preciso do BOLETO de maio',
    'preciso do boleto de [maio](mes)',
    1,
  ])
  expect([...stages]).toEqual(['read', 'validate', 'intents'])
})
