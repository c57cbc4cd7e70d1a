import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { corpus, corpusExpectation } from '#test/fixture/corpus.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { sheetOf, workbookOf } from '#test/fixture/workbook.ts'
import { readXlsx } from './read-xlsx.ts'

/** A cell of 15 MB takes the library 37 s of processor time. */
const MAX_REFUSAL_MS = 2_000

const collected = (...path: readonly string[]) => corpus('campaigns', ...path)
const ROWS = [
  ['telefone', 'nome'],
  [5511987654321, 'Ana'],
]
/** Rows of the collected workbooks. */
const TYPED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'contacts-typed.xlsx': [
    ['telefone', 'nome', 'field01', 'field02', 'field03', 'field04'],
    ['5511987654321', 'João', '1234.5', '2026-12-01', 'true', '2'],
    ['+55 21 99876-5432', 'Maria', '0.1', '2026-12-01T13:30:00', 'false', 'site'],
  ],
  'date1904.xlsx': [
    ['telefone', 'field01'],
    ['5511987654321', '2026-12-01'],
  ],
  'zip-slip.xlsx': [['telefone']],
}
const cells = async (bytes: Uint8Array) => {
  const reading = await readXlsx(bytes)
  return reading.ok ? reading.table.rows.map(row => row.cells) : reading.fault
}

describe('a workbook', () => {
  it('is read as text: numbers without exponent, from the first line of several columns on', async () => {
    const table = [
      ['telefone', 'nome'],
      ['5511987654321', 'Ana'],
    ]
    expect(await cells(workbookOf(sheetOf(ROWS)))).toEqual(table)
    const reading = await readXlsx(workbookOf(sheetOf([['Base de clientes'], ...ROWS])))
    expect(reading.ok && reading.table.rows.map(({ line }) => line)).toEqual([2, 3])
  })

  it('is refused where it resolves entities, grows beyond its limit or has cells beyond all limits', async () => {
    const entity = `<!DOCTYPE x [<!ENTITY x "y">]>${sheetOf(ROWS)}`
    expect(await cells(workbookOf(entity))).toMatchObject({ code: 'format' })
    const bomb = sheetOf(ROWS, ' '.repeat(20_000_000))
    expect(await cells(workbookOf(bomb))).toEqual({ code: 'inflated' })
    const far = sheetOf(ROWS, '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    expect(await cells(workbookOf(far))).toEqual({ code: 'columns', line: 1_048_576 })
    const empty = sheetOf(ROWS, '<row r="1048576"><c r="XFD1048576"/></row>')
    expect(await cells(workbookOf(empty))).toHaveLength(2)
    expect(await cells(workbookOf('<worksheet'))).toMatchObject({ code: 'format' })
    expect(await cells(workbookOf(sheetOf(ROWS), { 'xl/../../x.xml': '<x/>' }))).toHaveLength(2)
  })

  it('is refused for a cell of 15 MB before it is parsed [P-1674]', async () => {
    // Bytes that nothing compresses keep the file within the bound of its ratio.
    const random = randomBytes(300_000)
    const long = workbookOf(sheetOf([...ROWS, ['x'.repeat(15_000_000)]]), { 'xl/media/image1.png': random })
    const began = processorMs()
    expect(await cells(long)).toEqual({ code: 'cell', line: 3 })
    expect(processorMs() - began).toBeLessThan(MAX_REFUSAL_MS)
    expect(await cells(workbookOf(sheetOf(ROWS), { 'xl/sharedStrings.xml': `<t>${'x'.repeat(400_000)}</t>` }))).toEqual(
      {
        ...{ code: 'cell', line: 1 },
      },
    )
  })

  describe('as collected', () => {
    it('is read as expected: dates of both calendars, booleans, hidden rows, hostile parts', async () => {
      const read = (name: string) => readXlsx(readFileSync(collected('constructed/xlsx', name)))
      const rowsOf = async (name: string) => {
        const reading = await read(name)
        return reading.ok ? reading.table.rows.map(row => row.cells) : reading.fault
      }
      const expected = Object.entries(corpusExpectation('campaigns/constructed/xlsx/rows.json', TYPED))
      expect(expected.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(TYPED)))
      for (const [name, rows] of expected) expect(await rowsOf(name), name).toEqual(rows)
      expect(await read('hidden-and-merged.xlsx')).toMatchObject({ table: { notes: ['hiddenrows'] } })
      expect(await rowsOf('zip-bomb.xlsx')).toEqual({ code: 'inflated' })
      expect(await rowsOf('xxe.xlsx')).toMatchObject({ code: 'format' })
      expect(await rowsOf('renamed-csv.xlsx')).toMatchObject({ code: 'format' })
    })

    it('is read or refused and never throws, for any writer', async () => {
      let count = 0
      for (const folder of ['exceljs-xlsx', 'sheetjs-xlsx'])
        for (const name of readdirSync(collected(folder)).filter(each => each.endsWith('.xlsx'))) {
          const reading = await readXlsx(readFileSync(collected(folder, name)))
          expect(reading.ok, name).toBe(name !== 'missing-bits.xlsx')
          count += 1
        }
      expect(count).toBeGreaterThan(12)
    })
  })
})
