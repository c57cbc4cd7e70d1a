import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { type AnswerResult, valid, validUnless } from './answer/answer-result.ts'
import { readConfirm } from './answer/confirm-answer.ts'
import { readTime } from './answer/time-answer.ts'

/** As programs write numbers. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu
/** With a decimal comma, where it cannot group thousands. */
const COMMA_NUMBER = /^[+-]?(?:\d*,(?!\d{3}$)\d+|0,\d+)$/u
const MAX_NUMBER_LENGTH = 400

const toNumber = (value: Json): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const text = typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH ? value.trim() : ''
  const number = NUMBER.test(text)
    ? Number(text)
    : COMMA_NUMBER.test(text)
      ? Number(text.replace(',', '.'))
      : Number.NaN
  // No zero below zero, which JSON does not know.
  return Number.isFinite(number) ? number + 0 : undefined
}

/** Words of yes and no too, as the options of a choice are; a number in a text is neither. */
const toBoolean = (value: Json): boolean | undefined => {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string' || /\d/u.test(value)) return undefined
  const confirmed = readConfirm(value)
  return confirmed.ok ? confirmed.value : undefined
}

const toText = (value: Json): string | undefined => {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack.
    return undefined
  }
}

const parsed = (value: Json): Json | undefined => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return undefined
  }
}

/** No calendar word depends on them: a date in words is none here. */
const ANYWHERE = { locale: 'pt', now: 0, timezone: 'UTC' }
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/u
const ZONED = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:?\d{2})$/u
const DATED = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/u

/** A date in figures as ISO 8601; with a zone, and a clock alone, it stays as it is. A number is a moment or a part of a date. */
const toDate = (value: Json): Json | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const text = typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH ? value.trim() : ''
  if (CLOCK.test(text)) return text
  const isZoned = ZONED.test(text)
  const clock = DATED.exec(text)?.[1]
  if (!isZoned && !DATED.test(text)) return undefined
  const date = readTime(text, isZoned || clock !== undefined ? 'datetime' : 'date', ANYWHERE)
  if (!date.ok) return undefined
  return isZoned ? text : date.value
}

const toObject = (value: Json): Json | undefined => {
  const held = parsed(value)
  return isObject(held) ? held : undefined
}

/** One object is the only item, so that a variable for several attachments takes one as well. */
const toArray = (value: Json): Json | undefined => {
  const held = parsed(value)
  if (Array.isArray(held)) return held
  return isObject(held) ? [held] : undefined
}

const CONVERSIONS: ReadonlyMap<string, (value: Json) => Json | undefined> = new Map([
  ['string', toText],
  ['number', toNumber],
  ['boolean', toBoolean],
  ['date', toDate],
  ['object', toObject],
  ['array', toArray],
])

/**
 * A value as a variable of a data type keeps it (RUNTIME 41). Null is kept by every type, and any other name of a type
 * keeps every value.
 */
export const convertValue = (value: Json, datatype: string): AnswerResult => {
  if (value === null) return valid(null)
  const convert = CONVERSIONS.get(datatype)
  return convert === undefined ? valid(value) : validUnless(convert(value))
}
