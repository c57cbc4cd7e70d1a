import { expect, test } from 'vitest'
import { statisticsOf } from './statistics.ts'

test('offers nothing to correct for a person who stopped marketing, and their contacts for other failures [P-2378]', () => {
  const failed = (reason: string) => ({ status: 'failed', state: 'failed', reason, count: 1, held: 0 }) as const
  const { byreason } = statisticsOf(['131050', '131026', 'variable', '130429'].map(failed), [], 'en')
  expect(byreason.map(({ code, act }) => [code, act])).toEqual([
    ['131050', 'none'],
    ['131026', 'contact'],
    ['variable', 'contact'],
    ['130429', 'retry'],
  ])
})

test('offers nothing to correct for a person in an experiment of Meta [P-2850]', () => {
  const { byreason } = statisticsOf(
    [{ status: 'failed', state: 'failed', reason: '130472', count: 1, held: 0 }],
    [],
    'en',
  )
  expect(byreason.map(({ code, act }) => [code, act])).toEqual([['130472', 'none']])
})
