import { Unzip, UnzipInflate, zipSync } from 'fflate'
import {
  type FileFault,
  type FileReading,
  type FileRow,
  type FileTable,
  limitFault,
  MAX_CELL,
  MAX_COLUMNS,
} from './fault.ts'

const MAX_INFLATED = 50_000_000
/** A workbook of text is seldom packed more tightly. */
const MAX_RATIO = 64
/** Small workbooks are mostly what is in every one. */
const MIN_LIMIT = 1_000_000
const MAX_ROWS = 200_000

/** Parts with cells and their dependencies; drawings, themes and other parts are not read. */
const PART =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/)?[\w-]+\.xml(?:\.rels)?|xl\/worksheets\/[\w-]+\.xml)$/
const SHEET = /^xl\/worksheets\//
const CELL = /<c\b[^<>]*?\br="([A-Z]{1,3})(\d{1,7})"[^<>]*>/g
const HIDDEN_SHEET = /<sheet\b[^<>]*?\bstate="(?:hidden|veryHidden)"[^<>]*>/g

class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly fault: FileFault
  constructor(code: FileFault['code'], line?: number) {
    super(code)
    this.fault = line === undefined ? { code } : { code, line }
  }
}

/** Inflates the parts of a workbook and counts the bytes meanwhile: declared sizes are not trusted. */
const inflate = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const limit = Math.min(MAX_INFLATED, Math.max(MIN_LIMIT, bytes.length * MAX_RATIO))
  const parts = new Map<string, string>()
  let size = 0
  let isTooLarge = false
  const unzip = new Unzip(file => {
    if (!PART.test(file.name) || parts.has(file.name)) return
    const decoder = new TextDecoder()
    let text = ''
    parts.set(file.name, '')
    file.ondata = (error, chunk, isLast) => {
      if (error !== null) throw new Unreadable(isTooLarge ? 'inflated' : 'format')
      size += chunk.length
      isTooLarge = size > limit
      // It comes back as an error of the part.
      if (isTooLarge) throw new Unreadable('inflated')
      text += decoder.decode(chunk, { stream: !isLast })
      if (isLast) parts.set(file.name, text)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  // In small steps, so that a part is stopped soon after it becomes too large.
  for (let at = 0; at < bytes.length; at += 4096) unzip.push(bytes.subarray(at, at + 4096), at + 4096 >= bytes.length)
  return parts
}

/** Characters of XML that a cell within its limit can take: each may be written as a reference like `&#x10FFFF;`. */
const MAX_XML_TEXT = MAX_CELL * 10
/** Characters before a text in which the tag of its cell is searched. */
const MAX_TAG = 1000

/** Refuses a part with a longer text before it is parsed: the parser takes seconds for each MB of one text. */
const refuseLongText = (part: string): void => {
  for (let at = 0; at < part.length; ) {
    const next = part.indexOf('<', at)
    const end = next === -1 ? part.length : next
    if (end - at > MAX_XML_TEXT) {
      const row = [...part.slice(Math.max(0, at - MAX_TAG), at).matchAll(CELL)].at(-1)?.[2]
      throw new Unreadable('cell', Number(row ?? 1))
    }
    at = end + 1
  }
}

const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/** A sheet without the cells that stand beyond all limits; one of them that holds something refuses the file. */
const withinLimits = (sheet: string): string => {
  let kept = ''
  let from = 0
  for (const found of sheet.matchAll(CELL)) {
    const [tag, letters = '', row = ''] = found
    if (columnOf(letters) <= MAX_COLUMNS && Number(row) <= MAX_ROWS) continue
    const end = tag.endsWith('/>') ? found.index + tag.length : sheet.indexOf('</c>', found.index) + 4
    if (/<(?:v|t)>[^<]/.test(sheet.slice(found.index, end))) throw new Unreadable('columns', Number(row))
    kept += sheet.slice(from, found.index)
    from = Math.max(end, found.index + tag.length)
  }
  return (kept + sheet.slice(from)).replace(/<dimension\b[^<>]*>/, '')
}

const digitsOf = (value: number): string => {
  if (Number.isInteger(value)) return BigInt(value).toString()
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/(?<!0)0+$/, '') : text
}

/** Numbers without exponent or grouping, days and times in ISO 8601. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$|\.\d{3}Z$/, '')
  return typeof value === 'number' && Number.isFinite(value) ? digitsOf(value) : String(value)
}

/** Headings of a single cell before the first line of several columns belong to nobody. */
const withoutHeading = (rows: readonly FileRow[]): readonly FileRow[] => {
  const first = rows.findIndex(({ cells }) => cells.filter(cell => cell.trim() !== '').length > 1)
  return first > 0 ? rows.slice(first) : rows
}

const notesOf = (sheets: readonly string[], count: number): FileTable['notes'] => [
  ...(sheets.some(text => /<(?:row|col)\b[^<>]*\bhidden="(?:1|true)"/.test(text)) ? (['hiddenrows'] as const) : []),
  ...(sheets.some(text => /<f[\s>]/.test(text)) ? (['formulas'] as const) : []),
  ...(count > 1 ? (['othersheets'] as const) : []),
]

const read = async (bytes: Uint8Array): Promise<FileTable> => {
  const parts = inflate(bytes)
  for (const text of parts.values()) {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Unreadable('format')
    refuseLongText(text)
  }
  const sheets = [...parts].filter(([name]) => SHEET.test(name)).map(([, text]) => text)
  const encoder = new TextEncoder()
  const clean = Object.fromEntries(
    [...parts].map(([name, text]) => [name, encoder.encode(SHEET.test(name) ? withinLimits(text) : text)]),
  )
  const { default: readWorkbook } = await import('read-excel-file/universal')
  const found = await readWorkbook(new Blob([zipSync(clean, { level: 0 }) as Uint8Array<ArrayBuffer>]))
  const hidden = (parts.get('xl/workbook.xml') ?? '').match(HIDDEN_SHEET) ?? []
  const visible = found.filter(
    ({ sheet, data }) => Array.isArray(data) && !hidden.some(tag => tag.includes(`name="${sheet}"`)),
  )
  const rows = (visible[0]?.data ?? []).map((cells, at) => ({ line: at + 1, cells: cells.map(textOf) }))
  const filled = rows.filter(({ cells }) => cells.some(cell => cell.trim() !== ''))
  return { rows: withoutHeading(filled), encoding: 'utf-8', delimiter: '', notes: notesOf(sheets, visible.length) }
}

/** The first visible sheet of a workbook. Writes nothing to disk and resolves no XML entity. */
export const readXlsx = async (bytes: Uint8Array): Promise<FileReading> => {
  try {
    const table = await read(bytes)
    const fault = limitFault(table.rows)
    return fault === undefined ? { ok: true, table } : { ok: false, fault }
  } catch (error) {
    return { ok: false, fault: error instanceof Unreadable ? error.fault : { code: 'format', line: 1 } }
  }
}
