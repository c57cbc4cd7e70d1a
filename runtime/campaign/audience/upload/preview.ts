import {
  type ContactMapping,
  looksLikeHeader,
  mappedRecord,
  proposedFields,
  suggestedColumns,
} from '#domain/audience/contact-columns.ts'
import type { FileFault, FileTable } from '#domain/audience/file/fault.ts'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import { readContact } from '../read-contact.ts'
import { type LineFault, readFile } from './read-file.ts'

const MAX_ROWS = 50

interface FilePreview extends Pick<FileTable, 'encoding' | 'delimiter' | 'notes'> {
  readonly header: boolean
  readonly columns: readonly { readonly name: string; readonly filled: number }[]
  readonly count: number
  readonly rows: FileTable['rows']
  readonly mapping: ContactMapping
  readonly faults: readonly LineFault[]
}

/** The column with the most numbers; undefined when at most half of its rows have one. */
const phoneColumn = (rows: FileTable['rows'], width: number, readPhone: PhoneReader): number | undefined => {
  const counts = Array.from({ length: width }, (_, place) =>
    rows.filter(({ cells }) => readPhone(cells[place] ?? '').ok),
  ).map(({ length }) => length)
  const most = Math.max(0, ...counts)
  return most * 2 > rows.length ? counts.indexOf(most) : undefined
}

/** The first column that contains only words. */
const nameColumn = (rows: FileTable['rows'], width: number): number | undefined => {
  const isName = (place: number) => rows.every(({ cells }) => /^[^\d@]+$/u.test(cells[place] ?? ''))
  const found = Array.from({ length: width }, (_, place) => place).find(isName)
  return rows.length === 0 ? undefined : found
}

/** The first rows of a file, the guessed mapping of its columns, and the faults under that mapping. */
const previewOf = (table: FileTable, { header: asked, used }: PreviewTask, readPhone: PhoneReader): FilePreview => {
  const [first] = table.rows
  const header = asked ?? looksLikeHeader(first?.cells ?? [])
  const rest = table.rows.slice(header ? 1 : 0)
  const width = table.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const names = Array.from({ length: width }, (_, place) => (header ? (first?.cells[place] ?? '').trim() : ''))
  const rows = rest.slice(0, MAX_ROWS)
  const suggested = suggestedColumns(names)
  const phone = suggested.phone ?? phoneColumn(rows, width, readPhone)
  const nome = suggested.nome ?? (header ? undefined : nameColumn(rows, width))
  const known = {
    ...suggested,
    ...(phone === undefined ? {} : { phone }),
    ...(nome === undefined ? {} : { nome }),
  }
  const columns = proposedFields(names, known, new Map(used))
  const mapping = { columns, header, country: 'BR' }
  const faults = rows.flatMap(({ line, cells }): LineFault[] => {
    if (phone === undefined) return []
    const read = readContact(mappedRecord(cells, mapping), readPhone)
    return read.ok ? [] : (read.refusal.errors ?? []).map(error => ({ line, error }))
  })
  const filled = names.map((_, place) => rest.filter(({ cells }) => (cells[place] ?? '').trim() !== '').length)
  return {
    ...{ encoding: table.encoding, delimiter: table.delimiter, notes: table.notes },
    ...{ header, count: rest.length, rows, mapping, faults },
    columns: names.map((name, place) => ({ name, filled: filled[place] ?? 0 })),
  }
}

interface PreviewTask {
  readonly bytes: Uint8Array
  /** Whether the first line names the columns; undefined to guess. */
  readonly header: boolean | undefined
  /** Variables of the campaign's template, by the field that fills them. */
  readonly used: readonly (readonly [field: string, variables: readonly string[]])[]
}

/** Previews a file. */
export const run = async (task: PreviewTask): Promise<{ fault: FileFault } | { preview: FilePreview }> => {
  const reading = await readFile(task.bytes)
  if (!reading.ok) return { fault: reading.fault }
  if (reading.table.rows.length === 0) return { fault: { code: 'empty' } }
  return { preview: previewOf(reading.table, task, await openPhones()) }
}
