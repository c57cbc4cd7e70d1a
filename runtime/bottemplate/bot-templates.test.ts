import { expect, test } from 'vitest'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import { evaluated, settingsWith } from '#domain/conversation/fixture/talk.ts'
import { compileFlow } from '#domain/conversation/release.ts'
import type { InnerEffect } from '#domain/conversation-test/answer-call.ts'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import { runTest } from '#domain/conversation-test/run-test.ts'
import { looseTestFile } from '#domain/conversation-test/test-file.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { lintExpressions } from '#domain/flow/lint/lint-expression.ts'
import { lintFlow } from '#domain/flow/lint/lint-flow.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { drawnWithKeys } from '../sample/fixture.ts'
import { BOT_TEMPLATES } from './bot-templates.ts'

const all = BOT_TEMPLATES.flatMap(template => LANGUAGES.map(language => ({ template, language, key: template.key })))

const answerOf = async (effect: InnerEffect): Promise<EffectAnswer> => {
  if (effect.kind !== 'evaluate') throw new Error(`a template needs no ${effect.kind}`)
  return { kind: 'evaluate', ms: 0, values: await Promise.all(effect.jobs.map(job => evaluated(job, effect.context))) }
}

test.each(all)(
  'the template $key in $language has a flow without faults and tests that pass [P-2483]',
  async ({ template, language }) => {
    const { sketch, tests } = template.write(language)
    const flow = readFlow(importFlow(drawnWithKeys(sketch).file))
    const variable = new Set(template.variables.map(([name]) => name))
    const found = await lintExpressions(flow, { parser: 'Jexl', pathParser: 'JSONPath' }, { variable })
    expect([...lintFlow(flow, {}), ...found]).toEqual([])

    expect(tests.length).toBeGreaterThan(1)
    const scope = 'conversation' as const
    const bot = {
      release: { dialogs: new Map([['main', compileFlow('main', 1, flow)]]), handlers: new Map() },
      settings: settingsWith({
        variables: template.variables.map(([name, datatype]) => ({
          ...{ name, datatype, scope, schema: null, task: null, dialog: null },
        })),
      }),
      dialogs: new Map([['main', 'Main']]),
    }
    for (const test of tests) {
      const { name } = test
      const read = readTestFile(looseTestFile(test))
      if (!read.ok) throw new Error(JSON.stringify(read.errors))
      const running = runTest(read.file, bot)
      let step = running.next()
      while (!step.done) step = running.next(await answerOf(step.value))
      const { passed, step: at, expected, got } = step.value
      expect({ name, passed, ...(passed ? {} : { at, expected, got }) }).toEqual({ name, passed: true })
    }
  },
)

test('ten templates have the same shape in the three languages [P-2483]', () => {
  expect(new Set(BOT_TEMPLATES.map(({ key }) => key)).size).toBe(10)
  for (const { key, write } of BOT_TEMPLATES) {
    const shapes = LANGUAGES.map(language =>
      write(language).sketch.map(({ key: of, pieces }) => [
        of,
        pieces.map(({ type, properties }) => [type, properties.varname ?? null]),
      ]),
    )
    expect(shapes.map(shape => ({ key, shape }))).toEqual(LANGUAGES.map(() => ({ key, shape: shapes[0] })))
    expect(new Set(LANGUAGES.map(language => write(language).name)).size).toBeGreaterThan(1)
  }
})
