import { Parser } from 'expr-eval-fork'
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
import { evaluateSafely, ownMember, sameText, sealedContext } from './plain-value.ts'

/** One step of what ExprEval's parser makes of a source: a stack machine's instruction. */
interface Instruction {
  readonly type: string
  readonly value: unknown
}

type Native = (...values: unknown[]) => unknown

/** ExprEval's tables of operators and functions, without a prototype. */
interface Tables {
  readonly unary: Readonly<Record<string, Native>>
  readonly binary: Readonly<Record<string, Native>>
  readonly ternary: Readonly<Record<string, Native>>
  readonly functions: Readonly<Record<string, Native>>
}

const tablesOf = (parser: Parser): Tables => {
  const bare = (table: object) => Object.assign(Object.create(null) as Record<string, Native>, table)
  const { unaryOps, binaryOps, ternaryOps, functions } = parser as unknown as Record<string, object>
  return {
    unary: bare(unaryOps ?? {}),
    binary: bare(binaryOps ?? {}),
    ternary: bare(ternaryOps ?? {}),
    functions: bare(functions ?? {}),
  }
}

type Values = Record<string, unknown>

/** A branch that is evaluated only where it is needed. */
class Delayed {
  readonly steps: readonly Instruction[]

  constructor(steps: readonly Instruction[]) {
    this.steps = steps
  }
}

const asFunction = (value: unknown): Native => {
  if (typeof value !== 'function') throw new FaultError('value', 'function')
  return value as Native
}

/** The functions and nothing else are callable: values of a context are plain data, and members are never functions. */
const variable = (name: string, values: Values, { functions, unary }: Tables): unknown => {
  const held = functions[name] ?? unary[name] ?? values[name]
  if (held === undefined) throw new FaultError('variable', name)
  return held
}

const defined = (
  name: string,
  parameters: readonly string[],
  body: Delayed,
  values: Values,
  tables: Tables,
): Native => {
  const made: Native = (...given) => {
    const scope: Values = Object.assign(Object.create(null) as Values, values)
    parameters.forEach((parameter, index) => {
      scope[parameter] = given[index]
    })
    return exprEvalValue(body.steps, scope, tables)
  }
  values[name] = made
  return made
}

const operate = (operator: string, left: unknown, right: unknown, { binary }: Tables): unknown => {
  const isEquality = operator === '==' || operator === '!='
  if (isEquality && typeof left === 'string' && typeof right === 'string')
    return sameText(left, right) === (operator === '==')
  return binary[operator]?.(left, right)
}

/** The value of parsed ExprEval; assignments stay in `values`, which holds no prototype and is the caller's to give. */
const exprEvalValue = (steps: readonly Instruction[], values: Values, tables: Tables): unknown => {
  const stack: unknown[] = []
  const resolve = (value: unknown): unknown =>
    value instanceof Delayed ? exprEvalValue(value.steps, values, tables) : value
  const take = (count: number): readonly unknown[] => (count === 0 ? [] : stack.splice(-count))
  const binary = (operator: string): unknown => {
    const [left, right] = take(2)
    if (operator === 'and') return left ? Boolean(resolve(right)) : false
    if (operator === 'or') return left ? true : Boolean(resolve(right))
    if (operator === '=') {
      const value = resolve(right)
      values[String(left)] = value
      return value
    }
    if (operator === '[') {
      const held = resolve(left)
      if (held === undefined || held === null) throw new FaultError('value', '[')
      return ownMember(held, Number(resolve(right)) | 0)
    }
    return operate(operator, resolve(left), resolve(right), tables)
  }
  const step = ({ type, value }: Instruction): unknown => {
    switch (type) {
      case 'INUMBER':
      case 'IVARNAME':
        return value
      case 'IVAR':
        return variable(String(value), values, tables)
      case 'IOP1':
        return tables.unary[String(value)]?.(resolve(stack.pop()))
      case 'IOP2':
        return binary(String(value))
      case 'IOP3': {
        const [test, yes, no] = take(3)
        return resolve(test ? yes : no)
      }
      case 'IFUNCALL': {
        const given = take(Number(value)).map(resolve)
        return asFunction(stack.pop())(...given)
      }
      case 'IFUNDEF': {
        const body = stack.pop()
        const parameters = take(Number(value)).map(String)
        if (!(body instanceof Delayed)) throw new FaultError('value', 'function')
        return defined(String(stack.pop()), parameters, body, values, tables)
      }
      case 'IEXPR':
        return new Delayed(value as readonly Instruction[])
      case 'IMEMBER': {
        const held = stack.pop()
        if (held === undefined || held === null) throw new FaultError('value', String(value))
        return ownMember(held, String(value))
      }
      case 'IARRAY':
        return take(Number(value)).map(resolve)
      default:
        throw new FaultError('syntax', type)
    }
  }
  for (const each of steps) {
    if (each.type === 'IENDSTATEMENT') stack.pop()
    else stack.push(step(each))
  }
  const [result] = stack
  return result === 0 ? 0 : resolve(result)
}

const WORD =
  /(?<space>\s+|\/\*[\s\S]*?\*\/)|(?<text>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<number>0x[\da-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<name>[$_]*\p{L}[\p{L}\d_]*|_+[\p{L}\d_]*)|(?<sign>\|\||==|!=|>=|<=|[\s\S])/giu

interface ExprEvalToken {
  readonly kind: 'text' | 'number' | 'name' | 'sign'
  readonly text: string
  readonly place: Place
}

/** The words of a source, for their places alone: ExprEval's own parser decides what they mean. */
const exprEvalTokens = (source: string): readonly ExprEvalToken[] =>
  [...source.matchAll(WORD)].flatMap(match => {
    const kind = (['text', 'number', 'name', 'sign'] as const).find(each => match.groups?.[each] !== undefined)
    const [text] = match
    return kind === undefined ? [] : [{ kind, text, place: { offset: match.index, length: text.length } }]
  })

const parser = new Parser({ operators: { in: true, assignment: true, fndef: true } })
const tables = tablesOf(parser)
// Its lexer takes a name that a table answers to for an operator or a constant.
const constants: object = Object.assign(parser, {
  consts: Object.assign(Object.create(null) as object, (parser as unknown as { readonly consts: object }).consts),
  unaryOps: tables.unary,
  binaryOps: tables.binary,
  ternaryOps: tables.ternary,
  functions: tables.functions,
}).consts
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor'])

const TAKES: Readonly<Record<string, string>> = {
  if: 'condition, yes, no',
  map: 'function, list',
  filter: 'function, list',
  fold: 'function, start, list',
  indexOf: 'part, text or list',
  join: 'separator, list',
  roundTo: 'number, digits',
  sum: 'list',
  min: 'numbers',
  max: 'numbers',
  pow: 'base, exponent',
}
const isWord = (name: string) => /^\w+$/u.test(name)
const functions = [...Object.keys(tables.functions), ...Object.keys(tables.unary)]
  .filter(isWord)
  .map(name => ({ name, takes: TAKES[name] ?? 'number' }))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
const parseError = (source: string): string | undefined => {
  try {
    parser.parse(source)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

const endOf = ({ place }: ExprEvalToken): number => place.offset + place.length

/** Line and column of the end of the word that does not fit, as the parser tells it. */
const namedEnd = (message: string, source: string): number | undefined => {
  const found = /^parse error \[(\d+):(\d+)\]/u.exec(message)
  if (found === null) return undefined
  const lines = source.split('\n').slice(0, Number(found[1]) - 1)
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(found[2]) - 1
}

/** The parser reports `unexpected` without a place: every source up to that token or beyond fails alike. */
const firstUnexpected = (tokens: readonly ExprEvalToken[], source: string, message: string) => {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const token = tokens[middle]
    if (token !== undefined && parseError(source.slice(0, endOf(token))) === message) high = middle
    else low = middle + 1
  }
  return tokens[low]
}

/** The parser reads one word ahead: behind an added space, its place tells the last word from the end. */
const syntaxFault = (source: string, error: unknown) => {
  if (error instanceof RangeError) return fault('limit', { offset: 0, length: source.length })
  const padded = `${source.trimEnd()} `
  const message = parseError(padded) ?? messageOf(error)
  const end = namedEnd(message, padded)
  if (message.includes('TEOF') || (end !== undefined && end >= padded.length)) {
    return fault('unclosed', { offset: source.length, length: 0 })
  }
  const tokens = exprEvalTokens(source)
  const word =
    end === undefined
      ? firstUnexpected(tokens, source, message)
      : tokens.find(token => endOf(token) >= Math.max(end, 1))
  if (word === undefined) return fault('syntax', { offset: 0, length: source.length })
  return fault(/^["']$/u.test(word.text) ? 'unclosed' : 'syntax', word.place, word.text)
}

/** Names that the expression itself gives values to: variables, functions and their parameters. */
const madeNames = (steps: readonly Instruction[], into: Set<string> = new Set()): ReadonlySet<string> => {
  for (const { type, value } of steps) {
    if (type === 'IVARNAME') into.add(String(value))
    else if (type === 'IEXPR') madeNames(value as readonly Instruction[], into)
  }
  return into
}

interface Names {
  readonly references: readonly VariableReference[]
  readonly calls: readonly VariableReference[]
}

const namesOf = (tokens: readonly ExprEvalToken[], made: ReadonlySet<string>): Names => {
  const isOwn = (name: string) => made.has(name) || name in tables.functions || name in tables.unary
  const free = tokens.flatMap(({ kind, text: name, place }, index) => {
    const isFree = kind === 'name' && tokens[index - 1]?.text !== '.' && !isOwn(name)
    if (!isFree || name in tables.binary || name in constants) return []
    return [{ name, place, isCall: tokens[index + 1]?.text === '(' }]
  })
  return { references: free.filter(({ isCall }) => !isCall), calls: free.filter(({ isCall }) => isCall) }
}

/** A member cannot be given a value: the parser takes it for two expressions side by side and leaves one lying. */
const memberAssignment = (tokens: readonly ExprEvalToken[]): ExprEvalToken | undefined =>
  tokens.find(({ text }, index) => text === '=' && tokens[index - 2]?.text === '.')

const parse = (source: string): Outcome<Expression> => {
  const checked = checkSource(source)
  if (!checked.ok) return checked
  let steps: readonly Instruction[]
  try {
    steps = (parser.parse(source) as unknown as { readonly tokens: readonly Instruction[] }).tokens
  } catch (error) {
    return syntaxFault(source, error)
  }
  const tokens = exprEvalTokens(source)
  const forbidden = tokens.find(({ kind, text }) => kind === 'name' && FORBIDDEN.has(text))
  if (forbidden !== undefined) return fault('forbidden', forbidden.place, forbidden.text)
  const assigned = memberAssignment(tokens)
  if (assigned !== undefined) return fault('syntax', assigned.place, '=')
  const { references, calls } = namesOf(tokens, madeNames(steps))
  const [unknown] = calls
  if (unknown !== undefined) return fault('function', unknown.place, unknown.name)
  const whole = { offset: 0, length: source.length }
  const evaluate = (context: JsonObject): Outcome<unknown> => {
    const outcome = evaluateSafely(whole, () => exprEvalValue(steps, sealedContext(context), tables))
    if (outcome.ok || outcome.fault.code !== 'variable') return outcome
    const { name } = outcome.fault
    return fault('variable', references.find(each => each.name === name)?.place ?? whole, name)
  }
  return { ok: true, value: { references, evaluate } }
}

/** ExprEval (the maintained fork), with its own functions. */
export const exprEval: Engine = { name: 'ExprEval', functions, parse }
