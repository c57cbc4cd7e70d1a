import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { corpus, corpusJson } from '#test/fixture/corpus.ts'
import { readCsv } from './read-csv.ts'

const bytes = (text: string) => Buffer.from(text)
const cells = (given: Uint8Array) => {
  const reading = readCsv(given)
  return reading.ok ? reading.table.rows.map(row => row.cells) : reading.fault
}
/** CPU time of this thread, ms: excludes other load of the machine. */
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const collected = (...path: readonly string[]) => corpus('campaigns', ...path)

describe('a file of separated values', () => {
  it('is read in the encoding and with the delimiter that it has', () => {
    const table = [
      ['telefone', 'nome'],
      ['11987654321', 'João “Zé” € 10'],
    ]
    const text = table.map(row => row.join(';')).join('\r\n')
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replaceAll(';', '\t'), 'utf16le')])
    const windows = Buffer.from(text, 'latin1')
    for (const [at, byte] of [...text].entries()) {
      const code = { '“': 0x93, '”': 0x94, '€': 0x80 }[byte]
      if (code !== undefined) windows[at] = code
    }
    for (const given of [bytes(text), bytes(`\uFEFF${text}`), utf16, windows, bytes(`sep=;\n${text}`)])
      expect(cells(given)).toEqual(table)
    expect(readCsv(windows)).toMatchObject({ table: { encoding: 'windows-1252', delimiter: ';' } })
  })

  it('keeps the lines of its records through quotes, blank lines and line ends of any kind', () => {
    const reading = readCsv(bytes('a,b\r\n1,"x\ny"\n\n2,z\r3,w'))
    expect(reading.ok && reading.table.rows.map(({ line }) => line)).toEqual([1, 2, 5, 6])
  })

  it('counts its lines from the line that names the separator', () => {
    const reading = readCsv(bytes('sep=;\na;b\n1;2\n\n3;4'))
    expect(reading.ok && reading.table.rows.map(({ line }) => line)).toEqual([2, 3, 5])
  })

  it('reads the texts that spreadsheets write as formulas', () => {
    expect(cells(bytes('a;b\n="5511987650001";=1+1\n"=""0042""";x'))).toEqual([
      ['a', 'b'],
      ['5511987650001', '=1+1'],
      ['0042', 'x'],
    ])
  })

  it('is rejected as a whole, with the line, when its records are ambiguous', () => {
    expect(cells(bytes('a;b\n1;"x\n2;y\n'))).toEqual({ code: 'quote', line: 2 })
    const broken = Buffer.concat([bytes('a;b\nJoão;1\nMar'), Buffer.from([0xe3]), bytes('o;2\n')])
    expect(cells(broken)).toEqual({ code: 'encoding', line: 3 })
    expect(cells(bytes(`a\n${Array.from({ length: 101 }, () => 'x').join(';')}`))).toMatchObject({ code: 'columns' })
    expect(cells(bytes(`a\n${'x'.repeat(40_000)}`))).toMatchObject({ code: 'cell', line: 2 })
  })

  it('takes no time that grows faster than the file', () => {
    for (const text of ['"', '""', '";', ';', 'a"', '\n', '\r', 'sep=', '"\n']) {
      const began = spent()
      readCsv(bytes(text.repeat(200_000 / text.length)))
      expect(spent() - began, JSON.stringify(text)).toBeLessThan(1000)
    }
  })

  describe('as collected', () => {
    it('is read as expected: dialects of spreadsheets and hostile ones', () => {
      const expected = corpusJson<Record<string, Record<string, unknown>>>('campaigns/constructed/csv/expected.json')
      let compared = 0
      for (const [name, { rows, encoding, delimiter }] of Object.entries(expected)) {
        if (rows === undefined || name === 'header-only.csv') continue
        compared += 1
        const reading = readCsv(readFileSync(collected('constructed/csv', name)))
        expect(reading, name).toMatchObject({ ok: true, table: { encoding, delimiter } })
        expect(reading.ok && reading.table.rows.map(row => row.cells), name).toEqual(rows)
      }
      expect(compared).toBeGreaterThan(7)
    })

    it('is read as other readers do', () => {
      for (const name of readdirSync(collected('csv-spectrum')).filter(each => each.endsWith('.csv'))) {
        // Its expectation has another number than the file.
        if (name === 'location_coordinates.csv') continue
        const [header = [], ...rest] = cells(readFileSync(collected('csv-spectrum', name))) as string[][]
        const records = rest.map(row => Object.fromEntries(header.map((column, at) => [column, row[at]])))
        expect(records, name).toEqual(corpusJson('campaigns/csv-spectrum', name.replace('.csv', '.json')))
      }
      const cases = corpusJson<
        readonly { input: string; config?: object; expected: { data: string[][]; errors: unknown[] } }[]
      >('campaigns/papaparse/cases.json')
      const trimmed = (rows: string[][]) =>
        rows
          .map(row => row.map(cell => cell.trim()))
          .map(row => row.slice(0, row.findLastIndex(cell => cell !== '') + 1))
          .filter(row => row.length > 0)
      const plain = cases.filter(
        ({ config = {}, expected }) => Object.keys(config).length + expected.errors.length === 0,
      )
      expect(plain.length).toBeGreaterThan(25)
      for (const { input, expected } of plain)
        expect(trimmed(cells(bytes(input)) as string[][]), JSON.stringify(input)).toEqual(trimmed(expected.data))
    })

    it('is read or refused and never throws, for any file', () => {
      for (const folder of ['node-csv', 'fast-csv', 'papaparse', 'constructed/csv', 'constructed/xlsx'])
        for (const name of readdirSync(collected(folder)))
          expect(readCsv(readFileSync(collected(folder, name))), `${folder}/${name}`).toHaveProperty('ok')
    })
  })
})
