import { parseJson } from '#schemas/json.ts'
import type { Json } from './event.ts'
import { isObject } from './json.ts'

type Check = (value: Json, depth: number) => boolean

/** Deeper than anyone describes a value. */
const MAX_DEPTH = 100

const TYPES: ReadonlySet<Json> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])

const isString: Check = value => typeof value === 'string'
const isBoolean: Check = value => typeof value === 'boolean'
const isNumber: Check = value => typeof value === 'number'
const isCount: Check = value => Number.isInteger(value) && Number(value) >= 0
const isList: Check = value => Array.isArray(value)
const isType: Check = value => TYPES.has(value)

const isPattern: Check = value => {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value)
    return true
  } catch {
    return false
  }
}

const either =
  (...checks: readonly Check[]): Check =>
  (value, depth) =>
    checks.some(check => check(value, depth))

const listOf =
  (check: Check): Check =>
  (value, depth) =>
    Array.isArray(value) && value.every(item => check(item, depth))

const membersOf =
  (check: Check): Check =>
  (value, depth) =>
    isObject(value) && Object.values(value).every(member => check(member, depth))

const distinct =
  (check: Check): Check =>
  (value, depth) =>
    Array.isArray(value) && new Set(value).size === value.length && listOf(check)(value, depth)

const nonEmpty =
  (check: Check): Check =>
  (value, depth) =>
    Array.isArray(value) && value.length > 0 && check(value, depth)

const isSchema: Check = (value, depth) => {
  if (typeof value === 'boolean') return true
  if (!isObject(value) || depth > MAX_DEPTH) return false
  return Object.entries(value).every(([name, member]) => KEYWORDS.get(name)?.(member, depth + 1) ?? true)
}
const isSchemas = nonEmpty(listOf(isSchema))

const isPatterns: Check = (value, depth) =>
  membersOf(isSchema)(value, depth) && isObject(value) && Object.keys(value).every(key => isPattern(key, depth))

const each = (names: string, check: Check): [string, Check][] => names.split(' ').map(name => [name, check])

/** Valid values of each keyword, of draft 4, 6, 7, 2019-09 and 2020-12; other members may have any value. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map([
  ...each('$schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment title description format', isString),
  ...each('contentEncoding contentMediaType', isString),
  ...each('properties dependentSchemas $defs definitions', membersOf(isSchema)),
  ...each('not if then else contains propertyNames contentSchema additionalItems', isSchema),
  ...each('additionalProperties unevaluatedItems unevaluatedProperties', isSchema),
  ...each('allOf anyOf oneOf prefixItems', isSchemas),
  ...each('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', isCount),
  ...each('minimum maximum', isNumber),
  ...each('exclusiveMinimum exclusiveMaximum', either(isNumber, isBoolean)),
  ...each('uniqueItems readOnly writeOnly deprecated', isBoolean),
  ...each('enum examples', isList),
  ['items', either(isSchema, isSchemas)],
  ['patternProperties', isPatterns],
  ['$vocabulary', membersOf(isBoolean)],
  ['type', either(isType, nonEmpty(distinct(isType)))],
  ['required', distinct(isString)],
  ['dependentRequired', membersOf(distinct(isString))],
  ['dependencies', membersOf(either(isSchema, distinct(isString)))],
  ['multipleOf', value => typeof value === 'number' && value > 0],
  ['pattern', isPattern],
])

/** Whether a value describes values: a JSON Schema, or the JSON text of one. */
export const isJsonSchema = (value: Json): boolean => {
  if (typeof value !== 'string') return isSchema(value, 0)
  const parsed = parseJson(value)
  return parsed !== undefined && isSchema(parsed, 0)
}
