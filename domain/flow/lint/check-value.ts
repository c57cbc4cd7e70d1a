import { isCpf } from '#domain/brazil/document.ts'
import type { CheckName } from '#schemas/block.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isTimeZone } from '#schemas/field/value-schema.ts'
import type { BlockField, EnumerationField, NumberField } from '#schemas/flow/block-field.ts'
import { blockFieldSchema, MAX_NAME_LENGTH, MAX_NAMES, MAX_RICH_LENGTH } from '#schemas/flow/block-field-schema.ts'
import { isObject, parseJsonField } from '#schemas/json.ts'
import { unsupportedTypes } from '../card/adaptive-card.ts'
import { valueNamed } from '../document/model.ts'

/** A text filled in at run time cannot be checked before. */
const isFilledIn = (text: string): boolean => /[{}<>]/u.test(text)

/** By the sign that opens it and the next one: the signs that close it. */
const CLOSING: Readonly<Record<string, string>> = { '{{': '}}', '<<': '>>', '<@': '@>', '<!': '!>' }
const PLAIN = /\{[^{}]*\}|<[^<>]*>/y

/** Literal part of an address: a placeholder becomes a character that no scheme has. */
const writtenIn = (text: string): string => {
  let written = ''
  // Looked for once: a text of openings alone would be searched to its end from each of them.
  const absent = new Set<string>()
  const endOf = (start: number): number => {
    const closing = CLOSING[text.slice(start, start + 2)]
    if (closing !== undefined && !absent.has(closing)) {
      const found = text.indexOf(closing, start + 2)
      if (found >= 0) return found + 2
      absent.add(closing)
    }
    PLAIN.lastIndex = start
    return PLAIN.test(text) ? PLAIN.lastIndex : start
  }
  let from = 0
  for (const { index } of text.matchAll(/[{<]/gu)) {
    if (index < from) continue
    const end = endOf(index)
    if (end === index) continue
    written += `${text.slice(from, index)}_`
    from = end
  }
  return written + text.slice(from)
}

/** Faults that no placeholder can fix: a scheme outside the web, or a name and a password before the host. */
const isNeverAnAddress = (text: string): boolean => {
  const written = writtenIn(text)
  return /^(?!https?:)[a-z][a-z\d+.-]*:/iu.test(written) || /^https?:\/\/[^/?#]*@/iu.test(written)
}

/** A place on a host that is put before it elsewhere. */
const isWithoutHost = (text: string): boolean => /^\/(?!\/)\S*$/u.test(writtenIn(text))

const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['https:', 'http:'].includes(protocol) && username === '' && password === ''
}

const isInlined = (text: string): boolean => /^data:image\/[\w.+-]+[;,]/u.test(text)
const isPicture = (text: string): boolean => isInlined(text) || isWebAddress(text)

const isWithin =
  (most: number) =>
  (text: string): boolean =>
    isNumber(text) && Math.abs(Number(text.replace(',', '.'))) <= most

const isNumber = (text: string): boolean => /^-?\d+(?:[.,]\d+)?$/u.test(text)

const isDate = (text: string): boolean => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/u.exec(text) ?? []
  const iso = year === undefined ? text : `${year}-${month}-${day}`
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(iso)) return false
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
}

/** At most the 15 figures of E.164, whose country codes begin with no zero; at least the eight of a local number in Brazil. */
const isTelephone = (text: string): boolean => {
  const digits = text.replace(/\D/gu, '').length
  return /^(?:\+[\s(]*[1-9]|\(?\d)[\d\s().-]*$/u.test(text) && digits >= 8 && digits <= 15
}

const patterns = {
  email: (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text),
  cpf: (text: string) => isCpf(text),
  telephone: isTelephone,
  date: isDate,
  address: (text: string) => isWebAddress(text) || isWithoutHost(text),
  host: (text: string) => !isWithoutHost(text),
  picture: isPicture,
  number: isNumber,
  latitude: isWithin(90),
  longitude: isWithin(180),
  currency: (text: string) => /^[A-Z]{3}$/u.test(text),
  clock: (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(text),
  timezone: isTimeZone,
} as const satisfies Partial<Record<CheckName, (text: string) => boolean>>

const count = (value: Json | undefined): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0

/** Whether a field's value, in its flow-file form, passes a check. Nothing at all passes all but those that ask for it. */
export const passes = (check: CheckName, value: Json | undefined): boolean => {
  switch (check) {
    case 'required':
      return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null
    case 'atLeastOne':
      return count(value) > 0 || (typeof value === 'string' && value.trim() !== '')
    case 'json': {
      const said = parseJsonField(value)
      return said === undefined || said === '' || (Array.isArray(said) && said.every(isObject))
    }
    case 'cardparts':
      return unsupportedTypes(value).length === 0
    default: {
      if (Array.isArray(value)) return value.every((each: Json) => passes(check, each))
      const text = typeof value === 'string' ? value.trim() : ''
      if (check === 'address' && isNeverAnAddress(text)) return false
      if (check === 'picture' && isNeverAnAddress(text)) return isInlined(text)
      return text === '' || (check !== 'host' && isFilledIn(text)) || patterns[check](text)
    }
  }
}

/** Reason that a field's own value is invalid; text key `value.{code}` of block.json. */
interface ValueFault {
  readonly code: 'required' | 'long' | 'least' | 'most' | 'whole' | 'choice' | 'many' | 'wrong'
  /** Of characters, of items, or the number itself. */
  readonly limit?: number
}

/** The options of an enumeration, narrowed by `per`. */
export const offeredValues = ({ options, per }: EnumerationField, properties: JsonObject): readonly string[] => {
  const says = per === undefined ? undefined : valueNamed(properties, per.field)
  return (typeof says === 'string' ? per?.options[says] : undefined) ?? options
}

const ofNumber = ({ kind, min, max }: NumberField, value: number): ValueFault | undefined => {
  if (min !== undefined && value < min) return { code: 'least', limit: min }
  if (max !== undefined && value > max) return { code: 'most', limit: max }
  return kind === 'integer' && !Number.isInteger(value) ? { code: 'whole' } : undefined
}

const ofText = (value: Json, max: number): ValueFault => {
  if (typeof value !== 'string') return { code: 'wrong' }
  return value.length > max ? { code: 'long', limit: max } : { code: 'required' }
}

/** A choice that another field narrows is one of those that it leaves. */
export const isNarrowedOut = (field: BlockField, value: Json | undefined, properties: JsonObject): boolean =>
  field.kind === 'enumeration' &&
  field.per !== undefined &&
  typeof value === 'string' &&
  value !== field.initial &&
  !offeredValues(field, properties).includes(value)

/** Fault of a field's value, in its flow-file form; undefined if valid. */
export const valueFault = (
  field: BlockField,
  value: Json | undefined,
  properties: JsonObject,
): ValueFault | undefined => {
  if (value === undefined) return undefined
  if (isNarrowedOut(field, value, properties)) return { code: 'choice' }
  if (blockFieldSchema(field).safeParse(value).success) {
    const among = field.kind === 'strings' ? field.options : undefined
    const isAmong =
      among === undefined || !Array.isArray(value) || value.every((each: Json) => among.includes(String(each)))
    return isAmong ? undefined : { code: 'choice' }
  }
  switch (field.kind) {
    case 'number':
    case 'integer':
      return typeof value === 'number' ? (ofNumber(field, value) ?? { code: 'wrong' }) : { code: 'wrong' }
    case 'enumeration':
      return { code: 'choice' }
    case 'string':
      return ofText(value, field.max)
    case 'rich':
      return ofText(value, MAX_RICH_LENGTH)
    case 'reference':
      return ofText(value, MAX_NAME_LENGTH)
    case 'strings':
      return Array.isArray(value) && value.length > MAX_NAMES
        ? { code: 'many', limit: MAX_NAMES }
        : { code: 'long', limit: MAX_NAME_LENGTH }
    case 'list':
      return field.max !== undefined && Array.isArray(value) && value.length > field.max
        ? { code: 'many', limit: field.max }
        : { code: 'wrong' }
    default:
      return { code: 'wrong' }
  }
}
