import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual, own } from '#schemas/json.ts'
import { isJsonSchema } from '#schemas/json-schema.ts'

const MAX_DEPTH = 100
/** Subschemas that are looked at; branches that repeat each other by references end there. */
const MAX_STEPS = 100_000

interface Check {
  readonly root: Json
  steps: number
}
type Fits = (value: Json, schema: Json, depth: number) => boolean

/** Unchecked keywords: a builder's patterns could block a turn for hours, formats are hints. */
const UNCHECKED = new Set(
  'pattern patternProperties format unevaluatedItems unevaluatedProperties $dynamicRef contentSchema'.split(' '),
)

const isDecided = (schema: Json): boolean =>
  typeof schema !== 'object' ||
  schema === null ||
  Object.entries(schema).every(([name, member]) => !UNCHECKED.has(name) && isDecided(member))

const typeFits = (value: Json, type: Json): boolean => {
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const membersOf = (value: Json | undefined): readonly (readonly [string, Json])[] =>
  isObject(value) ? Object.entries(value) : []

/** Whether a count or a number lies within two bounds, either of which may be absent. */
const within = (value: number, least: Json | undefined, most: Json | undefined): boolean =>
  (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most)

const numberFits = (value: number, schema: JsonObject): boolean => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  // Draft 4 has booleans that make the other bound exclusive.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum
  const isWithin = within(value, minimum, maximum)
  const isStrict = (typeof above !== 'number' || value > above) && (typeof below !== 'number' || value < below)
  if (typeof multipleOf !== 'number' || !isWithin || !isStrict) return isWithin && isStrict
  const quotient = value / multipleOf
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON * 4
}

/** Characters, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length

/** The same values have the same text when their members are in order. */
const isUnique = (list: readonly Json[]): boolean => {
  const plain = list.filter(item => typeof item !== 'object' || item === null)
  const nested = list.filter(item => typeof item === 'object' && item !== null)
  return (
    new Set(plain).size === plain.length &&
    nested.every((item, place) => !nested.slice(place + 1).some(other => jsonEqual(item, other)))
  )
}

const listFits = (value: readonly Json[], schema: JsonObject, fits: Fits, depth: number): boolean => {
  const { items, prefixItems, additionalItems, contains, minContains, maxContains } = schema
  const tuple = Array.isArray(prefixItems) ? listOf(prefixItems) : listOf(items)
  const rest = Array.isArray(items) ? additionalItems : items
  const itemFits = (item: Json, place: number): boolean => {
    const wanted = tuple[place] ?? rest
    return wanted === undefined || fits(item, wanted, depth)
  }
  if (!within(value.length, schema.minItems, schema.maxItems) || !value.every(itemFits)) return false
  if (schema.uniqueItems === true && !isUnique(value)) return false
  if (contains === undefined || !isDecided(contains)) return true
  return within(value.filter(item => fits(item, contains, depth)).length, minContains ?? 1, maxContains)
}

/** Requirements of a present member: names, or a schema of the whole. */
const dependencyFits = (value: JsonObject, [name, wanted]: readonly [string, Json], fits: Fits, depth: number) => {
  if (!Object.hasOwn(value, name)) return true
  if (!Array.isArray(wanted)) return fits(value, wanted, depth)
  return wanted.every(other => Object.hasOwn(value, `${other}`))
}

const objectFits = (value: JsonObject, schema: JsonObject, fits: Fits, depth: number): boolean => {
  const { properties, additionalProperties, propertyNames, patternProperties } = schema
  const names = Object.keys(value)
  const isWhole = listOf(schema.required).every(name => Object.hasOwn(value, `${name}`))
  if (!isWhole || !within(names.length, schema.minProperties, schema.maxProperties)) return false
  // Which names a pattern takes is not known.
  const additional = patternProperties === undefined ? additionalProperties : undefined
  const memberFits = (name: string): boolean => {
    const wanted = (isObject(properties) ? own(properties, name) : undefined) ?? additional
    const isNamed = propertyNames === undefined || fits(name, propertyNames, depth)
    return isNamed && (wanted === undefined || fits(own(value, name) ?? null, wanted, depth))
  }
  const dependencies = ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap(name =>
    membersOf(own(schema, name)),
  )
  return names.every(memberFits) && dependencies.every(each => dependencyFits(value, each, fits, depth))
}

/** The part of the schema that `#/a/b` points to; undefined elsewhere and for what is not there. */
const referenced = (root: Json, reference: string): Json | undefined => {
  if (!/^#(?:\/|$)/u.test(reference)) return undefined
  let at: Json | undefined = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodedStep(step)
    at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined
  }
  return at
}

const decodedStep = (step: string): string => {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

const combinationFits = (value: Json, schema: JsonObject, fits: Fits, depth: number): boolean => {
  const { allOf, anyOf, oneOf, not } = schema
  const passes = (each: Json) => fits(value, each, depth)
  if (!listOf(allOf).every(passes) || (anyOf !== undefined && !listOf(anyOf).some(passes))) return false
  if (not !== undefined && isDecided(not) && passes(not)) return false
  if (oneOf !== undefined) {
    const passed = listOf(oneOf).filter(passes).length
    if (passed === 0 || (passed > 1 && isDecided(oneOf))) return false
  }
  if (schema.if === undefined || !isDecided(schema.if)) return true
  const then = passes(schema.if) ? schema.then : schema.else
  return then === undefined || passes(then)
}

const schemaFits = (check: Check, value: Json, schema: Json, depth: number): boolean => {
  check.steps += 1
  if (typeof schema === 'boolean' || !isObject(schema)) return schema !== false
  if (depth > MAX_DEPTH || check.steps > MAX_STEPS) return false
  const fits: Fits = (each, by, at) => schemaFits(check, each, by, at + 1)
  const { $ref, type, enum: options } = schema
  const target = typeof $ref === 'string' ? referenced(check.root, $ref) : undefined
  if (target !== undefined && !fits(value, target, depth)) return false
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some((each: Json) => typeFits(value, each)))
    return false
  if (options !== undefined && !listOf(options).some(each => jsonEqual(each, value))) return false
  if (schema.const !== undefined && !jsonEqual(schema.const, value)) return false
  if (typeof value === 'number' && !numberFits(value, schema)) return false
  if (typeof value === 'string' && !within(lengthOf(value), schema.minLength, schema.maxLength)) return false
  if (Array.isArray(value) && !listFits(value, schema, fits, depth)) return false
  if (isObject(value) && !objectFits(value, schema, fits, depth)) return false
  return combinationFits(value, schema, fits, depth)
}

const parsed = (schema: Json): Json => (typeof schema === 'string' ? (JSON.parse(schema) as Json) : schema)

/**
 * Whether a value matches a variable schema: a JSON Schema of draft 4 to 2020-12, or the JSON text of one. Ignores
 * patterns, formats, unevaluated members and references to other documents. Invalid schemas accept every value.
 */
export const checkSchema = (value: Json, schema: Json): boolean => {
  if (!isJsonSchema(schema)) return true
  try {
    const root = parsed(schema)
    return schemaFits({ root, steps: 0 }, value, root, 0)
  } catch {
    // Nested deeper than the stack.
    return false
  }
}
