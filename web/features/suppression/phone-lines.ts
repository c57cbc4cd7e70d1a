import { PHONE_NAMES, plainName } from '#domain/audience/contact-columns.ts'
import { readCsv } from '#domain/audience/file/read-csv.ts'

/** A number without the apostrophe that keeps spreadsheets from calculating it. */
const bare = (cell: string): string => cell.trim().replace(/^'/u, '')

/**
 * Telephone numbers of a text or of a file's bytes: the column of numbers of a table whose first line names one, as the
 * export of the list does, else each cell. Empty where it can not be read, as where a quote has no end.
 */
export const phonesOf = (content: string | Uint8Array): readonly string[] => {
  const read = readCsv(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  if (!read.ok) return []
  const [header, ...rows] = read.table.rows.map(({ cells }) => cells)
  const column = header?.findIndex(name => PHONE_NAMES.has(plainName(name))) ?? -1
  const cells = column < 0 ? [header ?? [], ...rows].flat() : rows.map(row => row[column] ?? '')
  return cells.map(bare).filter(phone => phone !== '')
}
