import { csvRecord } from '#domain/csv/cell.ts'
import { fieldErrorText } from '#runtime/localized-text.ts'
import type { Language } from '#schemas/language.ts'
import { type Packed, unpacked } from './packed.ts'
import { type LineFault, readFile } from './read-file.ts'

interface RejectsTask {
  readonly bytes: Uint8Array
  readonly faults: Packed<LineFault>
  /** False: the first line is a contact. */
  readonly header: boolean
  readonly language: Language
}

/** The rejected lines with their reasons, as separated values; cells that a spreadsheet would run are defused. */
export const run = async ({ bytes, faults, header, language }: RejectsTask): Promise<Uint8Array> => {
  const reading = await readFile(bytes)
  const table = reading.ok ? reading.table.rows : []
  const rows = new Map(table.map(({ line, cells }) => [line, cells]))
  const lines = unpacked(faults).map(({ line, error }) =>
    csvRecord([String(line), error.path, fieldErrorText(error, language), ...(rows.get(line) ?? [])]),
  )
  const columns = header ? (table[0]?.cells ?? []) : []
  return Buffer.from(csvRecord(['line', 'field', 'reason', ...columns]) + lines.join(''))
}
