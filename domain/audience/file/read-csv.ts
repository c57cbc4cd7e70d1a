import { CsvError, parse } from 'csv-parse/sync'
import { type FileFault, type FileReading, type FileRow, limitFault } from './fault.ts'

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

type Decoded =
  | { readonly ok: true; readonly text: string; readonly encoding: TextEncoding }
  | { readonly ok: false; readonly fault: FileFault }

const LF = 0x0a

/** Length of a correct sequence of several bytes, 0 where none begins. */
const sequenceAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Whether any of the bytes are UTF-8 beyond ASCII, and the line of the first that are not. */
const lookAt = (bytes: Uint8Array): { readonly hasSequence: boolean; readonly line: number } => {
  let hasSequence = false
  let line = 1
  let wrong = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    if (byte === LF) line += 1
    const length = byte < 0x80 ? 1 : sequenceAt(bytes, at)
    if (length > 1) hasSequence = true
    if (length === 0 && wrong === 0) wrong = line
    at += Math.max(1, length)
  }
  return { hasSequence, line: wrong }
}

const strict = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const UTF_16LE = [0xff, 0xfe]
const UTF_16BE = [0xfe, 0xff]
const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/**
 * Decodes by byte order mark, else as UTF-8, else as windows-1252. Rejects UTF-8 with some invalid bytes: half of its
 * names would be garbled.
 */
const decodeText = (bytes: Uint8Array): Decoded => {
  const wide = beginsWith(bytes, UTF_16LE) ? 'utf-16le' : beginsWith(bytes, UTF_16BE) ? 'utf-16be' : undefined
  const encoding = wide ?? 'utf-8'
  const text = strict(bytes, encoding)
  if (text !== undefined) return { ok: true, text, encoding }
  const { hasSequence, line } = lookAt(bytes)
  if (wide !== undefined || hasSequence)
    return { ok: false, fault: { code: 'encoding', line: wide === undefined ? line : 1 } }
  return { ok: true, text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

const DELIMITERS = [';', ',', '\t', '|'] as const
/** Lines that the delimiter is found by. */
const SAMPLED = 100
const SEPARATOR_LINE = /^\uFEFF?sep=(.)(?:\r\n|\r|\n|$)/i
const LINE_ENDS = ['\r\n', '\n', '\r']

interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

const parsed = (text: string, delimiter: string): readonly Parsed[] =>
  parse(text, {
    delimiter,
    bom: true,
    info: true,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Text between a closing quote and the next delimiter is not data.
    trim: delimiter !== '\t',
  }) as unknown as readonly Parsed[]

/** Delimiters outside of quotes in each of the first lines. */
const countsOf = (text: string, delimiter: string): readonly number[] => {
  const counts: number[] = [0]
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if ((counts.at(-1) ?? 0) > 0) counts.push(0)
      if (counts.length > SAMPLED) break
    } else if (!isQuoted && character === delimiter) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
  }
  return counts.filter(count => count > 0)
}

/** The line on which the last quote opens. */
const openQuoteLine = (text: string): number => {
  let line = 1
  let opened = 1
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) line += 1
    if (character !== '"') continue
    isQuoted = !isQuoted
    if (isQuoted) opened = line
  }
  return opened
}

/** That of which the first lines have the same number most often; `;` where none is there. */
const discovered = (text: string): string => {
  let best: { delimiter: string; score: number } = { delimiter: ';', score: 0 }
  for (const delimiter of DELIMITERS) {
    const counts = countsOf(text.slice(0, 500_000), delimiter)
    const [first = 0] = counts
    const even = counts.filter(count => count === first).length
    const score = counts.length === 0 ? 0 : (even / counts.length) * even + first / 1000
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** Columns that are empty in all rows at the end are nobody's. */
const withoutEmptyEnd = (rows: readonly FileRow[]): readonly FileRow[] => {
  const filled = (cells: readonly string[]) => cells.findLastIndex(cell => cell.trim() !== '') + 1
  const width = rows.reduce((most, { cells }) => Math.max(most, filled(cells)), 0)
  return rows.map(({ line, cells }) => ({ line, cells: cells.slice(0, Math.max(width, 1)) }))
}

/** First line of a record: the parser reports its last one. */
const lineOf = ({ record, info }: Parsed, before: number): number => {
  const within = record.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
  return Math.max(before + 1, info.lines - within)
}

/** Spreadsheets write `="0042"` to keep a text from becoming a number. */
const textCell = (cell: string): string => {
  const [, text] = /^="(.*)"$/s.exec(cell) ?? []
  return text === undefined ? cell : text.replaceAll('""', '"')
}

/** A text with separated values, as spreadsheets of any language save it. */
export const readCsv = (bytes: Uint8Array): FileReading => {
  const decoded = decodeText(bytes)
  if (!decoded.ok) return decoded
  const { text: whole, encoding } = decoded
  const told = SEPARATOR_LINE.exec(whole)
  const text = told === null ? whole : whole.slice(told[0].length)
  const skipped = told === null ? 0 : 1
  const delimiter = told?.[1] ?? discovered(text)
  let records: readonly Parsed[]
  try {
    records = parsed(text, delimiter)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const isUnclosed = error.code === 'CSV_QUOTE_NOT_CLOSED'
    const line = isUnclosed ? openQuoteLine(text) : Number((error as unknown as { lines?: number }).lines ?? 1)
    return { ok: false, fault: { code: isUnclosed ? 'quote' : 'format', line: line + skipped } }
  }
  const rows: FileRow[] = []
  let line = 0
  for (const each of records) {
    line = lineOf(each, line)
    const cells = each.record.map(textCell)
    if (cells.some(cell => cell.trim() !== '')) rows.push({ line: line + skipped, cells })
  }
  const kept = withoutEmptyEnd(rows)
  const fault = limitFault(kept)
  if (fault !== undefined) return { ok: false, fault }
  return { ok: true, table: { rows: kept, encoding, delimiter, notes: [] } }
}
