import { afterAll, expect, test } from 'vitest'
import { openPool } from '../isolation/pool.ts'
import { findPatterns } from './nlu-jobs.ts'

const pool = openPool(1)
afterAll(() => pool.close())
const find = (regexes: Parameters<typeof findPatterns>[1], text: string, level = 'l') =>
  findPatterns({ pool, from: { level } }, regexes, text)

test('finds the matches of all regexes of a project, for any case [N-5.6]', async () => {
  const regexes = [
    { entity: 'protocol', pattern: '\\b[A-Z]{2}\\d{6}\\b' },
    { entity: 'year', pattern: '\\b\\d{4}\\b' },
    { entity: 'broken', pattern: '(' },
  ]
  expect(await find(regexes, 'Protocolo ab123456 de 2026')).toEqual([
    { entity: 'protocol', start: 10, end: 18 },
    { entity: 'year', start: 22, end: 26 },
  ])
  expect(await find([], 'ab123456')).toEqual([])
})

test('a regex that does not end in time finds nothing, and the questions behind it are answered [N-5.6]', async () => {
  const year = [{ entity: 'year', pattern: '\\d{4}' }]
  expect(await find(year, '2026')).toHaveLength(1)
  const began = performance.now()
  const [slow, behind] = await Promise.all([
    find([{ entity: 'slow', pattern: '(a+)+$' }], `${'a'.repeat(40)}!`),
    find(year, 'em 2027'),
  ])
  expect(slow).toEqual([])
  expect(behind).toEqual([{ entity: 'year', start: 3, end: 7 }])
  expect(performance.now() - began).toBeLessThan(5000)
})
