import type { Json } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'

/** A spreadsheet reads these as the begin of a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** An escaped cell, and a cell that reads like one and is therefore escaped as well. */
const ESCAPED = /^'+[=+\-@\t\r]/

const escapeFormula = (text: string): string => (FORMULA.test(text) || ESCAPED.test(text) ? `'${text}` : text)

/** The text of a cell as it was before it was escaped. */
export const unescapeFormula = (cell: string): string => (ESCAPED.test(cell) ? cell.slice(1) : cell)

/** One record of RFC 4180. */
export const csvRecord = (texts: readonly string[]): string =>
  `${texts
    .map(escapeFormula)
    .map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`

const isStructured = ({ kind }: Field): boolean =>
  kind === 'json' || kind === 'strings' || kind === 'references' || kind === 'palette'

/** The text of a field's value; a secret has none. */
export const cellText = (field: Field, value: Json): string => {
  if (value === null) return ''
  if (isStructured(field)) return JSON.stringify(value)
  return typeof value === 'object' ? '' : String(value)
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** The value that a cell's text stands for, for the field's schema to judge; undefined where it is not readable. */
export const cellValue = (field: Field, text: string): Json | undefined => {
  if (text === '') return null
  if (isStructured(field)) return parsedJson(text)
  if (field.kind === 'boolean') {
    const word = text.trim().toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : text
  }
  if (field.kind === 'integer' || field.kind === 'number') return NUMBER.test(text.trim()) ? Number(text) : text
  return text
}

const parsedJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
