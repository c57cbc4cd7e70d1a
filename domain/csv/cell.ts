import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Field, ListField } from '#schemas/field/kind.ts'
import { parseJson } from '#schemas/json.ts'
import { itemsOf } from '../field/stored-items.ts'

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
  kind === 'json' || kind === 'strings' || kind === 'references' || kind === 'palette' || kind === 'list'

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g
/** In a string of JSON: its begin, or where some spreadsheets split a cell, and then the begin of a formula. */
const INNER_FORMULA = /(^"|;|\\[trn])((?:\\"|[' ])*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** JSON that reads the same and holds no text that a spreadsheet could run. */
const structuredText = (value: Json): string =>
  JSON.stringify(value).replace(JSON_STRING, text =>
    text.replace(
      INNER_FORMULA,
      (_, place: string, quotes: string, sign: string) =>
        `${place}${quotes}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

/** Items of a list with their ids; secrets are left out, and so stay as they are when the items come back. */
const openItems = ({ item: fields }: ListField, value: Json): Json =>
  itemsOf(value).map(item => Object.fromEntries(Object.entries(item).filter(([name]) => fields[name]?.secret !== true)))

/** The text of a field's value; a secret has none. */
export const cellText = (field: Field, value: Json): string => {
  if (value === null) return ''
  if (field.kind === 'list') return structuredText(openItems(field, value))
  if (isStructured(field)) return structuredText(value)
  return typeof value === 'object' ? '' : String(value)
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Value of a cell's text, validated later by the field's schema; undefined if it is not readable. */
export const cellValue = (field: Field, text: string): Json | undefined => {
  if (text === '') return null
  if (isStructured(field)) return parseJson(text)
  if (field.kind === 'boolean') {
    const word = text.trim().toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : text
  }
  if (field.kind === 'integer' || field.kind === 'number') return NUMBER.test(text.trim()) ? Number(text) : text
  return text
}

/** Columns that identify a row: `hierarchylevel` only where a thing carries its own level. */
export const keyColumns = (entity: EntityDeclaration): readonly string[] =>
  carriesLevel(entity) ? ['id', 'revision', 'hierarchylevel'] : ['id', 'revision']

/** Fields in the CSV of an entity. Secrets have no column. */
export const fieldColumns = ({ fields, export: declared }: EntityDeclaration): readonly string[] =>
  (declared?.columns ?? Object.keys(fields)).filter(name => {
    const field = fields[name]
    return field !== undefined && !field.secret && !field.internal && field.kind !== 'password'
  })
