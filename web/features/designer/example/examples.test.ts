import { describe, expect, test } from 'vitest'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { lintExpressions } from '#domain/flow/lint/lint-expression.ts'
import { lintFlow } from '#domain/flow/lint/lint-flow.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { EXAMPLES, loadExample } from './examples.ts'

describe.each(LANGUAGES)('in %s', language => {
  test.each(EXAMPLES)('the example %s can be published as it is, without a warning [P-2951]', async name => {
    const read = parseFlowFile(await loadExample(name, language))
    if (!read.ok) throw new Error(JSON.stringify(read.errors))
    expect(read.unknown).toEqual([])
    const flow = readFlow(importFlow(read.file))
    const known = {
      task: new Set<string>(),
      dialog: new Set<string>(),
      variable: new Set<string>(),
      declared: new Map(),
    }
    const written = await lintExpressions(flow, { parser: 'Jexl', pathParser: 'JSONPath' }, known)
    expect([...lintFlow(flow, known), ...written]).toEqual([])
  })
})

/** All texts of an example that people read. */
const words = async (language: (typeof LANGUAGES)[number]) => {
  const files = await Promise.all(EXAMPLES.map(name => loadExample(name, language)))
  const found = JSON.stringify(files).matchAll(/"(?:title|text|label|retryPrompt|varname)":"([^"]+)"/g)
  return new Set([...found].map(([, text]) => text))
}

test('the examples have no text of another language [P-2951]', async () => {
  const [en, pt, es] = await Promise.all([words('en'), words('pt'), words('es')])
  // Words that are the same in both.
  expect([...en].filter(text => pt.has(text))).toEqual([])
  expect([...es].filter(text => pt.has(text))).toEqual(['Promotores'])
  expect(pt.size).toBeGreaterThan(60)
})
