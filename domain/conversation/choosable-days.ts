import { isObject } from '#domain/flow/document/json.ts'
import type { Json } from '#schemas/event.ts'

/** Days that a question for a date takes, as `YYYY-MM-DD`. */
export interface ChoosableDays {
  readonly from?: string
  readonly to?: string
  /** Only these. */
  readonly only?: readonly string[]
  /** All but these. */
  readonly except?: readonly string[]
}

const DAY = /^\d{4}-\d\d-\d\d$/

const dayOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && DAY.test(value.slice(0, 10)) ? value.slice(0, 10) : undefined
const daysOf = (value: Json | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.flatMap(day => dayOf(day) ?? []) : undefined

const parsed = (schema: Json | undefined): Json | undefined => {
  if (typeof schema !== 'string') return schema
  try {
    return JSON.parse(schema) as Json
  } catch {
    return undefined
  }
}

/** The days that a variable's schema, or the JSON text of one, lets through; undefined where it lets through all. */
export const choosableDays = (given: Json | undefined): ChoosableDays | undefined => {
  const schema = parsed(given)
  if (!isObject(schema)) return undefined
  const [from, to, only] = [dayOf(schema.formatMinimum), dayOf(schema.formatMaximum), daysOf(schema.enum)]
  const except = isObject(schema.not) ? daysOf(schema.not.enum) : undefined
  if (from === undefined && to === undefined && only === undefined && except === undefined) return undefined
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(only === undefined ? {} : { only }),
    ...(except === undefined ? {} : { except }),
  }
}

/** Whether a day, or the day of a moment, can be chosen. */
export const isChoosable = (day: string, days: ChoosableDays | undefined): boolean => {
  const { from, to, only, except } = days ?? {}
  if (from !== undefined && day < from) return false
  if (to !== undefined && day > to) return false
  return (only === undefined || only.includes(day)) && except?.includes(day) !== true
}
