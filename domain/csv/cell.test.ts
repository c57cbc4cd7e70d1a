import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import * as f from '#schemas/field/field.ts'
import { cellText, cellValue, csvRecord, unescapeFormula } from './cell.ts'

const readCells = (record: string) => (parse(record) as string[][])[0]?.map(unescapeFormula) ?? []

const hostile = fc.stringMatching(/^[=+\-@;"' \t\r\n\\a,\uFF1D]{0,12}$/)
const field = f.list({ name: f.text(), tags: f.strings(), key: f.string({ secret: true }) })
const items = fc.array(fc.record({ id: fc.uuid(), name: hostile, tags: fc.array(hostile) }))

test('a list comes back from its cell as it was, without the secrets of its items [P-450]', () => {
  fc.assert(
    fc.property(items, list => {
      const stored = list.map(item => ({ ...item, key: { set: true } }))
      const [cell = ''] = readCells(csvRecord([cellText(field, stored)]))
      expect(cellValue(field, cell)).toEqual(list)
    }),
  )
})

/** Splits a text like a spreadsheet: at separators, even inside quotes. */
const partsOf = (text: string) => text.split(/[;,\t\r\n]|\\[trn]/).map(part => part.replace(/^["' [{]+/, ''))

test('no part of a structured cell begins a formula, wherever it is split [P-450]', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[=+\-@;"'\t\r\n\uFF1D]{0,8}$/)), (list: Json[]) => {
      const text = cellText(f.strings(), list)
      for (const part of partsOf(text)) expect(part).not.toMatch(/^[=+\-@\uFF1D]/)
      expect(JSON.parse(text)).toEqual(list)
    }),
  )
  expect(cellText(f.json(), { a: '=1', b: -1 })).toBe('{"a":"\\u003d1","b":-1}')
})
