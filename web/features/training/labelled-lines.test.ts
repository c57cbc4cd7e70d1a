import { expect, test } from 'vitest'
import { readLabelledLines } from './labelled-lines.ts'

test.each([
  ['CSV with a header', 'intent,text\na,"um, ""dois"""\nb,três\n'],
  ['columns in another order, of a spreadsheet', '\uFEFFtext;intent\r\n"um, ""dois""";a\r\ntrês;b\r\n'],
  ['tabs without a header', 'a\t"um, ""dois"""\nb\ttrês'],
  ['an object of JSON each line', '{"intent":"a","text":"um, \\"dois\\""}\n\n{"text":"três","intent":"b"}'],
])('reads lines with their intents from %s [N-5.15]', (_, file) => {
  expect(readLabelledLines(file)).toEqual([
    { intent: 'a', text: 'um, "dois"' },
    { intent: 'b', text: 'três' },
  ])
})

test('leaves out what is no line, takes marks away and stops at what the API takes [N-5.15]', () => {
  expect(readLabelledLines('intent,text\na,um [dois](n)\n,três\nb\n{"text":1}\n{')).toEqual([
    { intent: 'a', text: 'um dois' },
  ])
  expect(readLabelledLines('')).toEqual([])
  expect(readLabelledLines('a,"aberta')).toHaveLength(1)
  expect(readLabelledLines('a,b\n'.repeat(6000))).toHaveLength(5000)
})
