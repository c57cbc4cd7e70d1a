const NULL = ['isNull', 'isNotNull'] as const
const EQUAL = ['equals', 'notEquals'] as const
const ORDER = ['greater', 'less', 'lessOrEqual', 'greaterOrEqual'] as const
const LIST = ['in', 'notIn'] as const

/** The operators of the specification by the data type of the left side. */
export const OPERATORS = {
  string: ['startsWith', 'endsWith', 'contains', ...EQUAL, ...LIST, 'isBlank', 'isNotBlank', ...NULL],
  numeric: [...EQUAL, ...ORDER, ...LIST, ...NULL],
  boolean: ['isTrue', 'isFalse'],
  date: [
    ...EQUAL,
    ...ORDER,
    'isToday',
    'isYesterday',
    'isThisWeek',
    'isLastWeek',
    'isNextWeek',
    'isThisMonth',
    'isLastMonth',
    'isNextMonth',
    'isThisYear',
    'isLastYear',
    'isNextYear',
    ...NULL,
  ],
  object: NULL,
  'array-object': NULL,
  array: [...NULL, 'contains', 'notContains'],
  channel: EQUAL,
  tag: ['tagExists', 'tagNotExists'],
} as const

/** Operators with a list on the right, for any left side. */
export const OPERATORS_OF_LISTS = LIST

/** Operators that files of other makers bring along. */
const FOREIGN = ['matches', 'exists', 'notExists'] as const

export type OperandType = keyof typeof OPERATORS
export type Comparison = (typeof OPERATORS)[OperandType][number] | (typeof FOREIGN)[number]

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

export const OPERAND_TYPES = ['string', 'numeric', 'boolean', 'date', 'object', 'array-object', 'array'] as const
export const COMPARISONS = distinct<Comparison>([
  'equals',
  ...Object.values(OPERATORS).flat(),
  ...FOREIGN,
]) as readonly [Comparison, ...Comparison[]]

/** Whether it looks at nothing but the left side. */
export const isUnaryComparison = (comparison: string): boolean => /^(?:exists|notExists|is[A-Z]\w*)$/u.test(comparison)

/** Whether it is one of the specification's, for some type of the left side. */
export const isSpecified = (comparison: string): boolean =>
  Object.values(OPERATORS).some((operators: readonly string[]) => operators.includes(comparison))

export const DATE_UNITS = ['year', 'month', 'day', 'week', 'isoWeek', 'hour', 'minute', 'second'] as const
export type DateUnit = (typeof DATE_UNITS)[number]
