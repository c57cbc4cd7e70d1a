import { expect, test } from 'vitest'
import { readCsv } from '#domain/audience/file/read-csv.ts'
import { type Sheet, sheetText, withCells, withoutLines } from './sheet.ts'

const read = (text: string): Sheet => {
  const reading = readCsv(new TextEncoder().encode(text))
  if (!reading.ok) throw new Error(reading.fault.code)
  return reading.table
}

const FILE = 'nome;telefone\nLuana;90000-0093\n\n"Ana; ""Clara""\nSouza";11 98765-4321\nRui;12 90000-2260\n'

test('writes a file as it was read, every line where it was [P-1387]', () => {
  const sheet = read(FILE)
  expect(sheet.rows.map(({ line }) => line)).toEqual([1, 2, 4, 6])
  expect(read(sheetText(sheet)).rows).toEqual(sheet.rows)
  const told = read(`sep=;\n${FILE}`)
  expect(read(sheetText(told)).rows).toEqual(told.rows)
})

test('mends cells and leaves lines out without moving the others [P-1387]', () => {
  const sheet = read(FILE)
  const mended = read(sheetText(withCells(sheet, 1, new Map([[2, '12 90000-0093']]))))
  expect(mended.rows[1]).toEqual({ line: 2, cells: ['Luana', '12 90000-0093'] })
  const fewer = read(sheetText(withoutLines(sheet, new Set([4]))))
  expect(fewer.rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'nome'],
    [2, 'Luana'],
    [6, 'Rui'],
  ])
})
