import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, EnumerationField, NumberField } from '#schemas/flow/block-field.ts'
import { blockFieldSchema, MAX_NAME_LENGTH, MAX_NAMES, MAX_RICH_LENGTH } from '#schemas/flow/block-field-schema.ts'
import { valueNamed } from '../document/field-when.ts'

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
