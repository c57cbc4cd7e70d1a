import { isObject } from '#domain/flow/document/json.ts'
import type { Json } from '#schemas/event.ts'
import type { Read } from './answer/answer-place.ts'

const asNumber = (value: Json): number | undefined => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value.trim().replace(',', '.'))
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const asBoolean = (value: Json): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const asParsed = (value: Json): Json | undefined => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return undefined
  }
}

const asType = (value: Json, datatype: string): Json | undefined => {
  switch (datatype) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'number':
      return asNumber(value)
    case 'boolean':
      return asBoolean(value)
    case 'date':
      return typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? value : undefined
    case 'object': {
      const parsed = asParsed(value)
      return isObject(parsed) ? parsed : undefined
    }
    case 'array': {
      const parsed = asParsed(value)
      return Array.isArray(parsed) ? parsed : undefined
    }
    default:
      return value
  }
}

/** A value as a variable of a data type keeps it (RUNTIME 41); '' takes any, and null is kept by every type. */
export const convertValue = (value: Json, datatype: string): Read<Json> => {
  if (value === null) return { ok: true, value }
  const converted = asType(value, datatype)
  return converted === undefined ? { ok: false } : { ok: true, value: converted }
}
