import { expect, test } from 'vitest'
import { PARSERS, type ParserName } from './engine.ts'
import { partsOf } from './template-check.ts'

const UNITS = 200_000
const repeated = (piece: string) => piece.repeat(Math.floor(UNITS / piece.length))
const nested = repeated('{{').slice(0, UNITS / 2) + repeated('}}').slice(0, UNITS / 2)

const HOSTILE: readonly [string, string][] = [
  ['unclosed pairs', repeated('{{')],
  ['pairs within pairs', nested],
  ['pairs within a pair', `{{${repeated('{{a}}')}}}`],
  ['escaped pairs', repeated('\\{{')],
  ['single braces', repeated('{a')],
  ['angles', repeated('<a')],
  ['pairs in an unclosed string', `"${nested}`],
  ['quotes', repeated('{{"')],
]

test.each(HOSTILE)('splits 200,000 characters of %s without comparing each with each [P-77]', (_name, text) => {
  const started = process.cpuUsage()
  for (const parser of Object.values(PARSERS) as readonly ParserName[]) {
    for (const kind of ['text', 'json', 'attribute', 'value'] as const) partsOf({ text, kind, parser })
  }
  const { user, system } = process.cpuUsage(started)
  // Twelve passes; one alone took 10 to 20 s where the work grew with the square of the text.
  expect((user + system) / 1000).toBeLessThan(5000)
})
