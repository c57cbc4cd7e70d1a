/**
 * Why a file cannot be read: broken encoding, a quote without its end, no records, two columns of one name, a column that
 * contacts do not have, more than the limits allow, no table, encrypted, an old workbook.
 */
type FileFaultCode =
  | 'encoding'
  | 'quote'
  | 'empty'
  | 'header'
  | 'columns'
  | 'cell'
  | 'format'
  | 'inflated'
  | 'encrypted'
  | 'xls'

export interface FileFault {
  readonly code: FileFaultCode
  /** From 1. */
  readonly line?: number
  /** Of a header. */
  readonly name?: string
}

export const MAX_COLUMNS = 100
/** UTF-16 units. */
export const MAX_CELL = 32_768

/** A line of a file that holds something. */
export interface FileRow {
  /** Of the file, from 1; that on which a record of several lines begins. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Content of a file, as text. */
export interface FileTable {
  readonly rows: readonly FileRow[]
  readonly encoding: string
  /** Empty: it is a workbook. */
  readonly delimiter: string
  /** Notes for the person about how it was read. */
  readonly notes: readonly ('hiddenrows' | 'formulas' | 'othersheets')[]
}

export type FileReading =
  | { readonly ok: true; readonly table: FileTable }
  | { readonly ok: false; readonly fault: FileFault }

/** First violation of the limits. */
export const limitFault = (rows: readonly FileRow[]): FileFault | undefined => {
  for (const { line, cells } of rows) {
    if (cells.length > MAX_COLUMNS) return { code: 'columns', line }
    if (cells.some(cell => cell.length > MAX_CELL)) return { code: 'cell', line }
  }
  return undefined
}
