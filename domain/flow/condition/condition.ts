import { holdsPlaceholder } from '#domain/expression/template.ts'
import { type Comparison, type DateUnit, OPERAND_TYPES, type OperandType } from '#schemas/blocks/comparison.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual, own } from '#schemas/json.ts'
import { readDate, startOf, unitsFrom } from './condition-date.ts'

/** All that a condition can look at. */
export interface Operands {
  /** The person's input. */
  readonly input: Json
  readonly channel: string
  readonly tags: readonly string[]
  readonly variable: (name: string) => Json | undefined
  /** The declared type of a variable; undefined where it is not known. */
  readonly typeOf: (name: string) => OperandType | undefined
  /** Evaluates a text with placeholders. */
  readonly expression: (source: string) => Json | undefined
  /** Whether a text fits a pattern; without it patterns are tried here, those that look endless left out. */
  readonly matches?: (value: string, pattern: string) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
  readonly timezone: string
}

/** Composed: the same letter may be written as one character or as two. */
const text = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : (typeof value === 'string' ? value : JSON.stringify(value)).normalize('NFC')
const said = (rule: JsonObject, name: string): string => {
  const value = own(rule, name)
  return typeof value === 'string' ? value : ''
}
const isNone = (value: Json | undefined): value is null | undefined => value === undefined || value === null
const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : isNone(value) ? [] : [value]

const number = (value: Json | undefined): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value.replace(',', '.'))
      : Number.NaN

const leftOf = (rule: JsonObject, operands: Operands): Json | undefined => {
  switch (said(rule, 'source')) {
    case 'channel':
      return operands.channel
    case 'tag':
      return [...operands.tags]
    case 'variable':
    case 'context':
      return operands.variable(said(rule, 'variable'))
    case 'expression':
      return operands.expression(said(rule, 'expression'))
    default:
      return operands.input
  }
}

const guessed = (value: Json | undefined): OperandType => {
  if (typeof value === 'number') return 'numeric'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return value.some(isObject) ? 'array-object' : 'array'
  return isObject(value) ? 'object' : 'string'
}

/** A type that a file says and nothing here knows is none. */
const chosenType = (rule: JsonObject): OperandType | undefined =>
  OPERAND_TYPES.find(type => type === said(rule, 'datatype'))

/** The data type of a rule's left side: of its source, as chosen, as declared, or else as its value looks. */
export const leftType = (rule: JsonObject, operands: Pick<Operands, 'typeOf'>, value?: Json): OperandType => {
  const source = said(rule, 'source')
  if (source === 'channel' || source === 'tag') return source
  const declared = source === 'variable' || source === 'context' ? operands.typeOf(said(rule, 'variable')) : undefined
  return chosenType(rule) ?? declared ?? guessed(value)
}

const rightOf = (rule: JsonObject, operands: Operands): readonly Json[] => {
  const variable = said(rule, 'valueVariable')
  if (variable !== '') return listOf(operands.variable(variable))
  const filled = (value: Json) =>
    typeof value === 'string' && holdsPlaceholder(value) ? (operands.expression(value) ?? null) : value
  return listOf(own(rule, 'values')).map(filled)
}

type Equal = (a: Json | undefined, b: Json | undefined) => boolean

const equalBy = (type: OperandType, unit: DateUnit | undefined, timezone: string): Equal => {
  if (type === 'numeric') return (a, b) => number(a) === number(b)
  if (type !== 'date') return (a, b) => (isObject(a) || Array.isArray(a) ? jsonEqual(a, b) : text(a) === text(b))
  return (a, b) => orderBy(type, unit, timezone)(a, b) === 0
}

/** Negative, 0 or positive as `a` comes before, with or after `b`; not a number where one of them has no place. */
const orderBy =
  (type: OperandType, unit: DateUnit | undefined, timezone: string) =>
  (a: Json | undefined, b: Json | undefined): number => {
    if (type !== 'date') return number(a) - number(b)
    const [left, right] = [a, b].map(value => {
      const date = readDate(value, timezone)
      return date === undefined || unit === undefined ? date : startOf(date, unit)
    })
    return left === undefined || right === undefined ? Number.NaN : left - right
  }

const MAX_PATTERN_LENGTH = 200
/** Repetition within repetition can take longer than a life. */
const CATASTROPHE = /\([^()]*[+*}][^()]*\)\s*[+*{]/u

const matchesHere = (value: string, pattern: string): boolean => {
  if (pattern.length > MAX_PATTERN_LENGTH || CATASTROPHE.test(pattern)) return false
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return false
  }
}

const RELATIVE = /^is(This|Last|Next)(Week|Month|Year)$/u
const UNITS_AWAY = { This: 0, Last: -1, Next: 1 } as const

const isRelative = (comparison: string, value: Json | undefined, operands: Operands): boolean => {
  const date = readDate(value, operands.timezone)
  const now = readDate(operands.now, operands.timezone)
  if (date === undefined || now === undefined) return false
  if (comparison === 'isToday' || comparison === 'isYesterday') {
    return unitsFrom(date, now, 'day') === (comparison === 'isToday' ? 0 : -1)
  }
  const [, which, unit] = RELATIVE.exec(comparison) ?? []
  const away = unitsFrom(date, now, (unit ?? 'Year').toLowerCase() as 'week' | 'month' | 'year')
  return away === UNITS_AWAY[(which ?? 'This') as keyof typeof UNITS_AWAY]
}

const hasTag = ({ tags }: Operands, value: Json): boolean => tags.some(tag => text(tag) === text(value))

/** Whether one rule holds. Of several values on the right, one is enough; a negation wants none. */
export const isRuleHolding = (rule: JsonObject, operands: Operands): boolean => {
  const left = leftOf(rule, operands)
  const type = leftType(rule, operands, left)
  const unit = (said(rule, 'dateUnit') || undefined) as DateUnit | undefined
  const right = rightOf(rule, operands)
  const equal = equalBy(type, unit, operands.timezone)
  const order = orderBy(type, unit, operands.timezone)
  const some = (holds: (value: Json) => boolean) => right.some(holds)
  const contains = (value: Json) =>
    Array.isArray(left) ? left.some(item => equal(item, value)) : text(left).includes(text(value))
  const comparison = said(rule, 'comparison') as Comparison
  switch (comparison) {
    case 'equals':
    case 'in':
      return some(value => equal(left, value))
    case 'notEquals':
    case 'notIn':
      return !some(value => equal(left, value))
    case 'contains':
      return !isNone(left) && some(contains)
    case 'notContains':
      return isNone(left) || !some(contains)
    case 'startsWith':
      return some(value => text(left).startsWith(text(value)))
    case 'endsWith':
      return some(value => text(left).endsWith(text(value)))
    case 'matches':
      return some(value => (operands.matches ?? matchesHere)(text(left), text(value)))
    case 'isBlank':
      return text(left).trim() === ''
    case 'isNotBlank':
      return text(left).trim() !== ''
    case 'exists':
      return text(left) !== ''
    case 'notExists':
      return text(left) === ''
    case 'isNull':
      return isNone(left)
    case 'isNotNull':
      return !isNone(left)
    case 'isTrue':
      return left === true || left === 'true'
    case 'isFalse':
      return left === false || left === 'false'
    case 'greater':
      return some(value => order(left, value) > 0)
    case 'greaterOrEqual':
      return some(value => order(left, value) >= 0)
    case 'less':
      return some(value => order(left, value) < 0)
    case 'lessOrEqual':
      return some(value => order(left, value) <= 0)
    case 'tagExists':
      return some(value => hasTag(operands, value))
    case 'tagNotExists':
      return !some(value => hasTag(operands, value))
    case 'isToday':
    case 'isYesterday':
    case 'isThisWeek':
    case 'isLastWeek':
    case 'isNextWeek':
    case 'isThisMonth':
    case 'isLastMonth':
    case 'isNextMonth':
    case 'isThisYear':
    case 'isLastYear':
    case 'isNextYear':
      return isRelative(comparison, left, operands)
    default:
      comparison satisfies never
      return false
  }
}

const membersOf = (holder: JsonObject, name: string): readonly JsonObject[] =>
  listOf(own(holder, name)).filter(isObject)

const isGroupHolding = (group: JsonObject, operands: Operands): boolean => {
  const parts = [
    ...membersOf(group, 'rules').map(rule => () => isRuleHolding(rule, operands)),
    ...membersOf(group, 'groups').map(inner => () => isGroupHolding(inner, operands)),
  ]
  if (parts.length === 0) return false
  return own(group, 'match') === 'or' ? parts.some(part => part()) : parts.every(part => part())
}

/** The place of the first branch that holds, in a condition's file form; undefined where it leaves by otherwise. */
export const chooseBranch = (branches: readonly Json[], operands: Operands): number | undefined => {
  const place = branches.findIndex(branch =>
    isGroupHolding(Array.isArray(branch) ? { rules: branch } : isObject(branch) ? branch : {}, operands),
  )
  return place === -1 ? undefined : place
}

export interface PatternTest {
  readonly value: string
  readonly pattern: string
}

const rulesIn = (value: Json): readonly JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(rulesIn)
  if (!isObject(value)) return []
  return own(value, 'comparison') === undefined ? Object.values(value).flatMap(rulesIn) : [value]
}

/** All that the rules of branches compare with a pattern, once each, so that it can be tried where it stops nothing. */
export const collectPatternTests = (branches: readonly Json[], operands: Operands): readonly PatternTest[] => {
  const asked = new Map<string, PatternTest>()
  const matches = (value: string, pattern: string): boolean => {
    asked.set(JSON.stringify([value, pattern]), { value, pattern })
    return false
  }
  for (const rule of rulesIn([...branches])) isRuleHolding(rule, { ...operands, matches })
  return [...asked.values()]
}
