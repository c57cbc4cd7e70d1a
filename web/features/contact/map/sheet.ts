import type { FileRow, FileTable } from '#domain/audience/file/fault.ts'

/** The lines of a file, whose cells are mended before it is sent. */
export type Sheet = Pick<FileTable, 'rows' | 'delimiter'>

/** With other texts in a column, by line. */
export const withCells = (sheet: Sheet, column: number, texts: ReadonlyMap<number, string>): Sheet => ({
  ...sheet,
  rows: sheet.rows.map(row => {
    const text = texts.get(row.line)
    if (text === undefined) return row
    const width = Math.max(row.cells.length, column + 1)
    return {
      ...row,
      cells: Array.from({ length: width }, (_, at) => (at === column ? text : (row.cells[at] ?? ''))),
    }
  }),
})

/** Without lines; the others keep their numbers. */
export const withoutLines = (sheet: Sheet, lines: ReadonlySet<number>): Sheet => ({
  ...sheet,
  rows: sheet.rows.filter(({ line }) => !lines.has(line)),
})

const needsQuotes = (cell: string, delimiter: string): boolean =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/u.test(cell)

const recordOf = ({ cells }: FileRow, delimiter: string): string =>
  cells.map(cell => (needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)

const linesIn = (text: string): number => text.split(/\r\n|\r|\n/u).length

/** Text of the file. Keeps line numbers: removed lines become blank. */
export const sheetText = ({ rows, delimiter }: Sheet): string => {
  // Restores the `sep=` line if the file had one.
  const isTold = rows[0] !== undefined && rows[0].line > 1
  let text = isTold ? `sep=${delimiter}\n` : ''
  let next = isTold ? 2 : 1
  for (const row of rows) {
    const record = recordOf(row, delimiter)
    text += `${'\n'.repeat(Math.max(0, row.line - next))}${record}\n`
    next = Math.max(next, row.line) + linesIn(record)
  }
  return text
}
