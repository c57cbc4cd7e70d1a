import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { SMALL_PROJECT } from './fixture/small-project.ts'
import { parseStatement, printStatement } from './project-data.ts'

type MarkedStatement = ReturnType<typeof parseStatement>

test.each<[string, MarkedStatement]>([
  ['quero um boleto', { text: 'quero um boleto', spans: [] }],
  ['boleto de [maio](mes)', { text: 'boleto de maio', spans: [{ start: 10, end: 14, entity: 'mes' }] }],
  ['[sampa](city:São Paulo)', { text: 'sampa', spans: [{ start: 0, end: 5, entity: 'city', value: 'São Paulo' }] }],
  [
    'from [Rio]{"entity": "city", "role": "from", "group": "1"} to [SP]{"entity":"city","value":"São Paulo"}',
    {
      text: 'from Rio to SP',
      spans: [
        { start: 5, end: 8, entity: 'city', role: 'from', group: '1' },
        { start: 12, end: 14, entity: 'city', value: 'São Paulo' },
      ],
    },
  ],
  ['a [b] (c)', { text: 'a [b] (c)', spans: [] }],
  ['a [](c)', { text: 'a [](c)', spans: [] }],
  ['a [b]()', { text: 'a [b]()', spans: [] }],
  ['[b]{"entity": 5} [b]{entity}', { text: '[b]{"entity": 5} [b]{entity}', spans: [] }],
  ['C:\\dir \\[b\\](c) \\\\', { text: 'C:\\dir [b](c) \\', spans: [] }],
  ['[a\\]b](c)', { text: 'a]b', spans: [{ start: 0, end: 3, entity: 'c' }] }],
  ['[a [b](c)', { text: '[a b', spans: [{ start: 3, end: 4, entity: 'c' }] }],
  ['', { text: '', spans: [] }],
])('%j is read with its marks [P-730]', (marked, statement) => {
  expect(parseStatement(marked)).toEqual(statement)
  expect(parseStatement(printStatement(statement))).toEqual(statement)
})

test('reads printed statements back, with any marks [P-730]', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '[', ']', '(', ')', '\\', '{', '}', '"', ':', ' ', '😀') })
  const name = fc.constantFrom('city', 'a:b', 'a)b', 'x y', '[', '\\')
  const piece = fc.record({ before: part, raw: part, entity: name, value: fc.option(part), role: fc.option(name) })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), part, (pieces, end) => {
      let text = ''
      const spans = []
      for (const { before, raw, entity, value, role } of pieces) {
        text += before
        if (raw === '') continue
        const span = { start: text.length, end: text.length + raw.length, entity }
        text += raw
        spans.push({ ...span, ...(value ? { value } : {}), ...(role ? { role } : {}) })
      }
      const statement = { text: text + end, spans }
      expect(parseStatement(printStatement(statement))).toEqual(statement)
    }),
  )
})

test('never throws, and reading again what was read changes nothing [P-730]', () => {
  const odd = fc.string({ unit: fc.constantFrom('a', '[', ']', '(', ')', '\\', '{"entity":"x"}', '{', '"', ':') })
  fc.assert(
    fc.property(odd, marked => {
      const statement = parseStatement(marked)
      expect(parseStatement(printStatement(statement))).toEqual(statement)
    }),
  )
})

test('a long run of brackets takes no long time [P-730]', () => {
  const began = processorMs()
  for (const unit of ['[', '[a', '[a](', '[a]{"', '\\']) parseStatement(unit.repeat(3000 / unit.length))
  expect(processorMs() - began).toBeLessThan(1500)
})

test('statements of a project keep their places [P-730]', () => {
  const spans = SMALL_PROJECT.intents.flatMap(({ statements }) =>
    statements.flatMap(({ text }) => {
      const statement = parseStatement(text)
      return statement.spans.map(({ start, end, entity }) => `${entity}: ${statement.text.slice(start, end)}`)
    }),
  )
  expect(spans).toEqual(['mes: maio', 'mes: junho', 'cidade: sampa', 'cidade: Recife'])
})
