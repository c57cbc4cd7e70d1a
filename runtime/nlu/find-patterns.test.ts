import { expect, test } from 'vitest'
import { openPatternFinder } from './find-patterns.ts'

test('finds the matches of all regexes of a project, whatever the capitals [N-5.6]', async () => {
  const finder = openPatternFinder()
  const regexes = [
    { entity: 'protocol', pattern: '\\b[A-Z]{2}\\d{6}\\b' },
    { entity: 'year', pattern: '\\b\\d{4}\\b' },
    { entity: 'broken', pattern: '(' },
  ]
  expect(await finder.find(regexes, 'Protocolo ab123456 de 2026')).toEqual([
    { entity: 'protocol', start: 10, end: 18 },
    { entity: 'year', start: 22, end: 26 },
  ])
  expect(await finder.find([], 'ab123456')).toEqual([])
  finder.close()
})

test('a regex that does not end in time finds nothing, and the questions behind it are answered [N-5.6]', async () => {
  const finder = openPatternFinder()
  const year = [{ entity: 'year', pattern: '\\d{4}' }]
  expect(await finder.find(year, '2026')).toHaveLength(1)
  const began = performance.now()
  const [slow, behind] = await Promise.all([
    finder.find([{ entity: 'slow', pattern: '(a+)+$' }], `${'a'.repeat(40)}!`),
    finder.find(year, 'em 2027'),
  ])
  expect(slow).toEqual([])
  expect(behind).toEqual([{ entity: 'year', start: 3, end: 7 }])
  expect(performance.now() - began).toBeLessThan(5000)
  finder.close()
})
