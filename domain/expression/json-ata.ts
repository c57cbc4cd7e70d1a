import jsonata from 'jsonata'
import type { JsonObject } from '#schemas/event.ts'
import {
  checkSource,
  type Engine,
  type Expression,
  FaultError,
  fault,
  type Outcome,
  type Place,
  type VariableReference,
} from './engine.ts'
import { faultOf, plainValue, sealedContext } from './plain-value.ts'

/** Syntax tree of JSONata's parser; the members depend on the type. */
interface AtaNode {
  readonly type: string
  readonly value?: unknown
  readonly position?: number
  readonly steps?: readonly AtaNode[]
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is AtaNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Members whose expressions are evaluated over the items of the node, not over what the node itself is evaluated over. */
const OVER_ITEMS = new Set(['predicate', 'stages', 'group', 'terms', 'pattern', 'update', 'delete'])
/** The place of the name that ends at a position, in quotes or not. */
const placed = (name: string, position: number, source: string): VariableReference => {
  const end = /[`"']/u.test(source[position - 1] ?? '') ? position - 1 : position
  return { name, place: { offset: Math.max(0, end - name.length), length: name.length } }
}

const isRoot = (node: AtaNode): boolean => node.type === 'variable' && (node.value === '$' || node.value === '')

/** Names that an expression reads from its input; names inside predicates and filters belong to items. */
const ataReferences = (tree: AtaNode, source: string): readonly VariableReference[] => {
  const found: VariableReference[] = []
  const visitValue = (value: unknown, isOverInput: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visitValue(item, isOverInput)
    else if (isNode(value)) visit(value, isOverInput)
    else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) visitValue(member, isOverInput)
    }
  }
  const visitPath = (steps: readonly AtaNode[], isOverInput: boolean) => {
    let isInput = isOverInput
    for (const step of steps) {
      visit(step, isInput || (step.type === 'variable' && step.value === '$'))
      const isStill = step.type === 'variable' && (step.value === '$' || (step.value === '' && isInput))
      isInput = isStill && isRoot(step)
    }
  }
  const visit = (node: AtaNode, isOverInput: boolean): void => {
    if (node.type === 'name' && isOverInput && typeof node.value === 'string') {
      found.push(placed(node.value, node.position ?? 0, source))
    }
    if (node.steps !== undefined) visitPath(node.steps, isOverInput)
    for (const [member, value] of Object.entries(node)) {
      if (member === 'steps' || typeof value !== 'object' || value === null) continue
      const isItems = OVER_ITEMS.has(member) || (node.type === 'transform' && member !== 'position')
      visitValue(value, isOverInput && !isItems)
    }
  }
  visit(tree, true)
  return found
}

/** Frames within frames, and items of one sequence; tail calls need no frames. */
const OPTIONS = { stack: 500, sequence: 1_000_000 }

/** Members that JSONata takes for its own marks; data has no business with them. */
const MARKS = ['_jsonata_lambda', '_jsonata_function']

const FUNCTIONS: Readonly<Record<string, string>> = {
  sum: 'numbers',
  count: 'list',
  max: 'numbers',
  min: 'numbers',
  average: 'numbers',
  string: 'value, pretty',
  substring: 'text, start, length',
  substringBefore: 'text, part',
  substringAfter: 'text, part',
  lowercase: 'text',
  uppercase: 'text',
  length: 'text',
  trim: 'text',
  pad: 'text, width, fill',
  match: 'text, pattern, limit',
  contains: 'text, pattern',
  replace: 'text, pattern, new',
  split: 'text, separator',
  join: 'list, separator',
  formatNumber: 'number, picture',
  formatBase: 'number, base',
  formatInteger: 'number, picture',
  parseInteger: 'text, picture',
  number: 'value',
  floor: 'number',
  ceil: 'number',
  round: 'number, digits',
  abs: 'number',
  sqrt: 'number',
  power: 'base, exponent',
  random: '',
  boolean: 'value',
  not: 'value',
  map: 'list, function',
  zip: 'lists',
  filter: 'list, function',
  single: 'list, function',
  reduce: 'list, function, start',
  sift: 'object, function',
  keys: 'object',
  lookup: 'object, key',
  append: 'list, list',
  exists: 'value',
  spread: 'object',
  merge: 'objects',
  reverse: 'list',
  each: 'object, function',
  error: 'message',
  assert: 'condition, message',
  type: 'value',
  sort: 'list, function',
  shuffle: 'list',
  distinct: 'list',
  base64encode: 'text',
  base64decode: 'text',
  encodeUrlComponent: 'text',
  encodeUrl: 'text',
  decodeUrlComponent: 'text',
  decodeUrl: 'text',
  eval: 'text',
  toMillis: 'text, picture',
  fromMillis: 'number, picture, zone',
  now: 'picture, zone',
  millis: '',
}
const functions = Object.entries(FUNCTIONS).map(([name, takes]) => ({ name: `$${name}`, takes }))

interface AtaError {
  readonly code: string
  readonly position?: number
  readonly token?: string
}
const isAtaError = (error: unknown): error is AtaError =>
  !(error instanceof FaultError) &&
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string'

/** JSONata's position is the end of a word, or its beginning when nothing could be read there. */
const placeOf = ({ position, token }: AtaError, source: string) => {
  const end = Math.min(position ?? source.length, source.length)
  const text = typeof token === 'string' && token !== '(end)' ? token : ''
  const start = text !== '' && source.slice(0, end).endsWith(text) ? end - text.length : Math.max(0, end - 1)
  return { offset: start, length: Math.max(end - start, Math.min(1, source.length - start)) }
}

const UNCLOSED = new Set(['S0101', 'S0105', 'S0106', 'S0203', 'S0207', 'S0302'])
/** The called value is no function or missing. */
const NO_FUNCTION = new Set(['T1005', 'T1006', 'T1007', 'T1008'])
const LIMITS = new Set(['D1011', 'D2015', 'U1001'])

const faultOfAta = (error: unknown, source: string, whole: Place) => {
  if (!isAtaError(error)) return faultOf(error, whole)
  const { code, position } = error
  const name = typeof error.token === 'string' ? error.token : undefined
  if (UNCLOSED.has(code)) return fault('unclosed', { offset: source.length, length: 0 })
  if (code.startsWith('S')) return fault('syntax', placeOf(error, source), name)
  if (LIMITS.has(code)) return fault('limit', whole)
  if (position === undefined) return fault('value', whole, name)
  if (!NO_FUNCTION.has(code) || name === undefined) return fault('value', placeOf(error, source), name)
  return fault('function', { offset: Math.max(0, source.lastIndexOf(name, position)), length: name.length }, name)
}

const withoutMarks = (value: unknown): unknown => {
  if (Array.isArray(value)) for (const item of value) withoutMarks(item)
  else if (typeof value === 'object' && value !== null) {
    for (const mark of MARKS) Reflect.deleteProperty(value, mark)
    for (const member of Object.values(value)) withoutMarks(member)
  }
  return value
}

/** A regex match is data except `next`, the function that searches further. */
const withoutNext = (found: unknown): unknown => {
  if (Array.isArray(found)) return found.map(withoutNext)
  const isMatch = typeof found === 'object' && found !== null && 'groups' in found && 'next' in found
  if (!isMatch || typeof found.next !== 'function') return found
  const { next: _further, ...match } = found
  return match
}

/** No name that an expression can write. */
const COMPOSED = '=text'

/** A literal that has one form only: a number, a keyword, or a text of plain letters. */
const hasOneForm = (side: unknown): boolean => {
  const { type, value } = side as { type?: unknown; value?: unknown }
  if (type === 'number' || type === 'value') return true
  return type === 'string' && typeof value === 'string' && /^\p{ASCII}*$/u.test(value)
}

/** JSONata has no hook for comparisons: both sides of an equality are composed before it compares them. */
const composeEqualities = (node: unknown): void => {
  if (typeof node !== 'object' || node === null) return
  for (const part of Object.values(node)) composeEqualities(part)
  if (!('type' in node) || node.type !== 'binary' || !('value' in node)) return
  if (node.value !== '=' && node.value !== '!=') return
  const sides = node as { lhs?: unknown; rhs?: unknown; position?: number }
  if (hasOneForm(sides.lhs) || hasOneForm(sides.rhs)) return
  const composed = (side: unknown) => ({
    type: 'function',
    value: '(',
    position: sides.position,
    arguments: [side],
    procedure: { type: 'variable', value: COMPOSED, position: sides.position },
  })
  sides.lhs = composed(sides.lhs)
  sides.rhs = composed(sides.rhs)
}

interface AtaExpression extends Expression {
  /** As `evaluate`, over any JSON value and with `$name` bound to values. */
  evaluateOver(input: unknown, bindings?: JsonObject): Promise<Outcome<unknown>>
}

/** As {@link jsonAta}.parse, for callers whose input is no object. */
export const parseAta = (source: string): Outcome<AtaExpression> => {
  const checked = checkSource(source)
  if (!checked.ok) return checked
  const whole = { offset: 0, length: source.length }
  let parsed: jsonata.Expression
  let references: readonly VariableReference[]
  try {
    parsed = jsonata(source, OPTIONS)
    references = ataReferences(parsed.ast() as unknown as AtaNode, source)
    composeEqualities(parsed.ast())
  } catch (error) {
    // A chain of thousands of operators is a tree too deep for the stack.
    return faultOfAta(error, source, whole)
  }
  const evaluateOver = async (input: unknown, bindings: JsonObject = {}): Promise<Outcome<unknown>> => {
    try {
      const sealed = withoutMarks(sealedContext({ input, bindings })) as { input: unknown; bindings: JsonObject }
      return { ok: true, value: plainValue(withoutNext(await parsed.evaluate(sealed.input, sealed.bindings))) }
    } catch (error) {
      return faultOfAta(error, source, whole)
    }
  }
  parsed.registerFunction(COMPOSED, (value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value))
  return { ok: true, value: { references, evaluateOver, evaluate: context => evaluateOver(context) } }
}

/** JSONata 2: the variables are the members of its input. */
export const jsonAta: Engine = { name: 'JsonAta', functions, parse: parseAta }
