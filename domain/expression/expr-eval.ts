import { Parser } from 'expr-eval-fork'
import type { JsonObject } from '#schemas/event.ts'
import {
  checkSource,
  type Engine,
  type Expression,
  fault,
  type Outcome,
  type Place,
  type VariableReference,
} from './engine.ts'
import { exprEvalValue, type Instruction, tablesOf } from './expr-eval-evaluate.ts'
import { evaluateSafely, sealedContext } from './plain-value.ts'

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
