import { PHONE_NAMES, plainName } from '#domain/audience/contact-columns.ts'

const DELIMITERS = [',', ';', '\t'] as const

/** Rows of separated values; a quoted cell may hold delimiters, line breaks and doubled quotes. */
const rowsOf = (text: string, delimiter: string): readonly (readonly string[])[] => {
  const rows: string[][] = [['']]
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    const row = rows.at(-1) ?? []
    const last = row.length - 1
    const isDoubled = quoted && letter === '"' && text[at + 1] === '"'
    if (isDoubled) at += 1
    if (letter === '"' && !isDoubled) quoted = !quoted
    else if (!quoted && letter === delimiter) row.push('')
    else if (!quoted && letter === '\n') rows.push([''])
    else row[last] = (row[last] ?? '') + letter
  }
  return rows
}

/** A number without the apostrophe that keeps spreadsheets from calculating it. */
const bare = (cell: string): string => cell.trim().replace(/^'/u, '')

/**
 * Telephone numbers of a text: its lines, or the column of numbers of a table whose first line names one, as the export
 * of the list does. Rows without a number are left out.
 */
export const phonesOf = (text: string): readonly string[] => {
  const [header = ''] = text.split('\n', 1)
  for (const delimiter of DELIMITERS) {
    const [names = []] = rowsOf(header, delimiter)
    const column = names.findIndex(name => PHONE_NAMES.has(plainName(name)))
    if (column >= 0)
      return rowsOf(text, delimiter)
        .slice(1)
        .map(row => bare(row[column] ?? ''))
        .filter(phone => phone !== '')
  }
  return text
    .split('\n')
    .map(bare)
    .filter(line => line !== '')
}

/** Text of a file. Spreadsheets save UTF-16 with a mark, else each byte of a number is ASCII. */
export const fileText = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
}
