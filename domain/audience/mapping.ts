import { NAME_NAMES, PHONE_NAMES, plainName } from './column-names.ts'
import { CONTACT_FIELDS, CONTACT_NAMES } from './contact-fields.ts'

/** Column of each part of a contact, from 0. */
export interface ContactMapping {
  readonly columns: Readonly<Record<string, number | undefined>>
  /** False: the first line is a contact already. */
  readonly header: boolean
  /** ISO 3166; of numbers without a country code. */
  readonly country: string
  /** Names that the columns have in the file, by target. */
  readonly names?: Readonly<Record<string, string | undefined>> | undefined
}

/** Target of a column by its name; '' if unknown. */
const targetOf = (name: string): string => {
  const word = plainName(name)
  if (PHONE_NAMES.has(word)) return 'phone'
  if (NAME_NAMES.has(word)) return 'nome'
  const [, digits] = /^(?:field|campo)0?(\d{1,2})$/.exec(word) ?? []
  const field = digits === undefined ? '' : `field${digits.padStart(2, '0')}`
  return CONTACT_FIELDS.includes(field) ? field : ''
}

/** A column that is named like a field beyond the sixteenth. */
export const isUnknownField = (name: string): boolean => /^field\d{1,4}$/.test(plainName(name)) && targetOf(name) === ''

/** The first column of each target. */
export const suggestedColumns = (names: readonly string[]): Readonly<Record<string, number>> => {
  const columns: Record<string, number> = {}
  for (const [place, name] of names.entries()) {
    const target = targetOf(name)
    if (target !== '' && columns[target] === undefined) columns[target] = place
  }
  return columns
}

/** Whether a first line names columns rather than being a contact: nothing in it is a number. */
export const looksLikeHeader = (cells: readonly string[]): boolean =>
  cells.some(cell => targetOf(cell) !== '') || !cells.some(cell => /^[\s+\d().-]{8,}$/.test(cell))

/** The parts of a contact that a line holds. */
export const mappedRecord = (cells: readonly string[], { columns }: ContactMapping): Record<string, string> =>
  Object.fromEntries(
    ['phone', ...CONTACT_NAMES].flatMap(target => {
      const place = columns[target]
      return place === undefined ? [] : [[target, cells[place] ?? '']]
    }),
  )

/** The parts of a contact in what a rule gave: by their names, or by names that mean the same. */
export const namedRecord = (record: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    const target = targetOf(name)
    if (target !== '' && named[target] === undefined) named[target] = value
  }
  return named
}
