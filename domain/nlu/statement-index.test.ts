import { expect, test } from 'vitest'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { createStatementIndex } from './statement-index.ts'

const line = (id: string, text: string) => ({ id, text })
const INTENTS = [
  {
    id: 'a',
    name: 'marcar',
    statements: [line('1', 'Quero marcar uma [consulta](x)!'), line('2', 'marcar'), line('3', 'Já')],
  },
  {
    id: 'b',
    name: 'remarcar',
    statements: [line('4', 'quero marcar uma consulta'), line('5', 'quero remarcar minha consulta hoje')],
  },
]

test('finds lines with the same words, for any case, accents and marks [P-754]', () => {
  const index = createStatementIndex(INTENTS)
  expect(index.same('QUERO marcar uma consulta').map(({ id }) => id)).toEqual(['1', '4'])
  expect(index.same('ja').map(({ id }) => id)).toEqual(['3'])
  expect([index.conflicts('a'), index.conflicts('b')]).toEqual([1, 1])
  expect(index.near('já', 'b')).toMatchObject({ name: 'marcar', score: 1 })
})

test('returns a line of another intent that shares most words, with the share [P-754]', () => {
  const index = createStatementIndex(INTENTS)
  expect(index.near('quero remarcar minha consulta', 'a')).toMatchObject({ name: 'remarcar', id: '5', score: 0.8 })
  expect(index.near('quero remarcar minha consulta', 'b')).toBeUndefined()
  expect(index.near('algo que ninguém disse', 'a')).toBeUndefined()
})

test('10,000 lines are indexed and asked within a moment [P-754]', () => {
  const intents = Array.from({ length: 100 }, (_, at) => ({
    id: `i${at}`,
    name: `intenção ${at}`,
    statements: Array.from({ length: 100 }, (__, n) =>
      line(`${at}-${n}`, `quero ver o assunto ${at} do tipo ${n} agora ${(at * n) % 97}`),
    ),
  }))
  const begun = processorMs()
  const index = createStatementIndex(intents)
  for (let at = 0; at < 200; at += 1) index.near(`quero ver o assunto ${at} do tipo 3 agora`, 'none')
  expect(processorMs() - begun).toBeLessThan(2000)
})
