import { contactText } from '#domain/audience/contact-columns.ts'
import type { PhoneReader } from '#domain/audience/phone.ts'
import type { Sheet } from './sheet.ts'
import type { UploadFault, UploadMapping } from './use-contact-file.ts'

/** Code of a line whose number is in an earlier line: it is left out, and the others go in. */
export const REPEATED = 'uploadline'

/** A cell: the stored text, and the file's text if different. */
export interface ReadCell {
  readonly column: number
  readonly kept: string
  readonly read: string | undefined
  readonly fault: string | undefined
}

/** A line of the file as it would be taken. */
export interface ReadRow {
  readonly line: number
  readonly cells: readonly ReadCell[]
  /** Why it is not taken. */
  readonly faults: readonly UploadFault[]
}

/** Columns to show: the used ones, or the first ones if a profile's rules apply. */
export const shownColumns = ({ targets, profile }: UploadMapping, most: number): readonly number[] =>
  targets.flatMap((target, place) => (target !== '' || profile !== '' ? [place] : [])).slice(0, most)

/** A fault's column, where it is of one. */
export const faultColumn = ({ column }: UploadFault, { targets }: UploadMapping): number | undefined => {
  if (typeof column === 'number') return column
  const place = column === null ? -1 : targets.indexOf(column)
  return place < 0 ? undefined : place
}

interface Reading {
  readonly sheet: Sheet
  readonly taking: UploadMapping
  readonly faults: readonly UploadFault[]
  readonly columns: readonly number[]
  /** Undefined until it is loaded. */
  readonly readPhone: PhoneReader | undefined
}

const keptOf = (text: string, target: string, { taking, readPhone }: Reading): string => {
  if (target !== 'phone') return contactText(text).text
  const reading = readPhone?.(text, taking.country)
  return reading?.ok === true ? reading.phone.e164 : text
}

/** Lines of the import preview with their faults: only faulty ones, or the first ones. */
export const readRows = (given: Reading, isRefusedOnly: boolean, most: number): readonly ReadRow[] => {
  const { sheet, taking, faults, columns } = given
  const byLine = Map.groupBy(faults, ({ line }) => line)
  const rows = sheet.rows.slice(taking.header ? 1 : 0)
  const shown = isRefusedOnly ? rows.filter(({ line }) => byLine.has(line)) : rows
  return shown.slice(0, most).map(({ line, cells }) => {
    const own = byLine.get(line) ?? []
    return {
      line,
      faults: own,
      cells: columns.map((column): ReadCell => {
        const text = cells[column] ?? ''
        const fault = own.find(each => faultColumn(each, taking) === column)?.message
        const kept = taking.profile === '' ? keptOf(text, taking.targets[column] ?? '', given) : text
        return { column, kept, read: kept === text ? undefined : text, fault }
      }),
    }
  })
}
