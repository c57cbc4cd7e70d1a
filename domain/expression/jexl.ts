import { type Grammar, getGrammar } from 'jexl/dist/grammar.js'
import Lexer, { type Token } from 'jexl/dist/Lexer.js'
import Parser from 'jexl/dist/parser/Parser.js'
import {
  checkSource,
  type Engine,
  EXPRESSION_LIMITS,
  type Expression,
  FaultError,
  fault,
  type Outcome,
  type Place,
  type VariableReference,
} from './engine.ts'
import { isNothing, LIBRARY } from './library.ts'
import { evaluateSafely, ownMember, sameText, sealedContext } from './plain-value.ts'

/** Syntax tree of Jexl's parser. */
export type JexlNode =
  | { readonly type: 'Literal'; readonly value: unknown }
  | { readonly type: 'Identifier'; readonly value: string; readonly from?: JexlNode; readonly relative?: boolean }
  | { readonly type: 'UnaryExpression'; readonly operator: string; readonly right: JexlNode }
  | { readonly type: 'BinaryExpression'; readonly operator: string; readonly left: JexlNode; readonly right: JexlNode }
  | {
      readonly type: 'ConditionalExpression'
      readonly test: JexlNode
      /** None in `test ?: alternate`. */
      readonly consequent?: JexlNode | null
      readonly alternate: JexlNode
    }
  | {
      readonly type: 'FilterExpression'
      readonly relative: boolean
      readonly expr: JexlNode
      readonly subject: JexlNode
    }
  | { readonly type: 'ObjectLiteral'; readonly value: Readonly<Record<string, JexlNode>> }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly JexlNode[] }
  | { readonly type: 'FunctionCall'; readonly name: string; readonly args: readonly JexlNode[] }

interface Scope {
  readonly grammar: Grammar
  readonly context: unknown
  /** Current item of a filter: names behind a leading dot belong to it. */
  readonly item: unknown
}

/** A member of an array is that of its first item. */
const memberOf = (value: unknown, name: string): unknown => ownMember(Array.isArray(value) ? value[0] : value, name)

const identifier = (node: JexlNode & { type: 'Identifier' }, scope: Scope): unknown => {
  if (node.from !== undefined) return memberOf(jexlValue(node.from, scope), node.value)
  const value = ownMember(node.relative === true ? scope.item : scope.context, node.value)
  return value === undefined && node.relative !== true && node.value === 'null' ? null : value
}

const binary = (node: JexlNode & { type: 'BinaryExpression' }, scope: Scope): unknown => {
  const left = jexlValue(node.left, scope)
  if (node.operator === '&&') return left ? jexlValue(node.right, scope) : left
  if (node.operator === '||') return left ? left : jexlValue(node.right, scope)
  const right = jexlValue(node.right, scope)
  if (node.operator === '+' && [left, right].some(isText) && [left, right].some(isNothing))
    return [left, right].map(side => (isNothing(side) ? '' : side)).join('')
  if (EQUALITY.has(node.operator) && isText(left) && isText(right))
    return sameText(left, right) === (node.operator === '==')
  const convert = converts(node.operator, left, right) ? primitive : (value: unknown) => value
  return scope.grammar.elements[node.operator]?.eval?.(convert(left), convert(right))
}

/** Whether an operator makes a number or a text of what has parts; two such things are equal where they are the same. */
const converts = (operator: string, left: unknown, right: unknown): boolean => {
  if (operator === 'in') return typeof right === 'string'
  return !EQUALITY.has(operator) || !(hasParts(left) && hasParts(right))
}
const EQUALITY = new Set(['==', '!='])
const isText = (value: unknown): value is string => typeof value === 'string'
const hasParts = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Things have no prototype here that would say this of them. */
const primitive = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(primitive)
  return hasParts(value) ? '[object Object]' : value
}

const filter = (node: JexlNode & { type: 'FilterExpression' }, scope: Scope): unknown => {
  const subject = jexlValue(node.subject, scope)
  if (!node.relative) {
    const chosen = jexlValue(node.expr, scope)
    if (typeof chosen === 'boolean') return chosen ? subject : undefined
    return ownMember(subject, chosen)
  }
  const items = Array.isArray(subject) ? subject : subject === undefined ? [] : [subject]
  return items.filter(item => jexlValue(node.expr, { ...scope, item }))
}

const call = (node: JexlNode & { type: 'FunctionCall' }, scope: Scope): unknown => {
  const called = LIBRARY.get(node.name)
  if (called === undefined) throw new FaultError('function', node.name)
  return called.call(...node.args.map(each => jexlValue(each, scope)))
}

/** The value of a parsed Jexl expression; only what values themselves hold is read. */
export const jexlValue = (node: JexlNode, scope: Scope): unknown => {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'Identifier':
      return identifier(node, scope)
    case 'UnaryExpression':
      return scope.grammar.elements[node.operator]?.eval?.(jexlValue(node.right, scope))
    case 'BinaryExpression':
      return binary(node, scope)
    case 'ConditionalExpression': {
      const test = jexlValue(node.test, scope)
      if (!test) return jexlValue(node.alternate, scope)
      return node.consequent ? jexlValue(node.consequent, scope) : test
    }
    case 'FilterExpression':
      return filter(node, scope)
    case 'ObjectLiteral':
      return Object.fromEntries(Object.entries(node.value).map(([key, each]) => [key, jexlValue(each, scope)]))
    case 'ArrayLiteral':
      return node.value.map(each => jexlValue(each, scope))
    case 'FunctionCall':
      return call(node, scope)
    default:
      return node satisfies never
  }
}

/** A word of Jexl and where it stands. */
export interface JexlToken {
  readonly token: Token
  readonly place: Place
}

const afterSpace = (source: string, from: number): number => from + (/^\s*/u.exec(source.slice(from))?.[0].length ?? 0)

/** A minus belongs to the number behind it, however far: `- 5` is one word. */
const lengthOf = (source: string, offset: number, text: string): number =>
  source.startsWith(text, offset) ? text.length : source.indexOf(text.slice(1), offset + 1) + text.length - 1 - offset

const firstUnknown = (lexer: Lexer, elements: readonly string[]): Place => {
  let offset = 0
  for (const element of elements) {
    try {
      if (element.trim() !== '') lexer.getTokens([element])
    } catch {
      return { offset, length: element.trimEnd().length }
    }
    offset += element.length
  }
  return { offset, length: 0 }
}

/** The words of a source, or the first characters that are none. */
export const jexlTokens = (source: string, grammar: Grammar): Outcome<readonly JexlToken[]> => {
  const lexer = new Lexer(grammar)
  const elements = lexer.getElements(source)
  let tokens: readonly Token[]
  try {
    tokens = lexer.getTokens([...elements])
  } catch {
    const place = firstUnknown(lexer, elements)
    return fault('syntax', place, source.slice(place.offset, place.offset + place.length))
  }
  let cursor = 0
  const placed = tokens.map(token => {
    const offset = afterSpace(source, cursor)
    const length = lengthOf(source, offset, token.raw.trimEnd())
    cursor = offset + length
    return { token, place: { offset, length } }
  })
  // To Jexl, an unclosed quote is a separate word and the empty text.
  const quote = placed.find(({ token }) => /^["']$/u.test(token.raw.trimEnd()))
  return quote === undefined ? { ok: true, value: placed } : fault('unclosed', quote.place, quote.token.raw.trimEnd())
}

interface JexlNames {
  readonly references: readonly VariableReference[]
  /** Functions and transforms that are called. */
  readonly calls: readonly VariableReference[]
}

/** Names of values that Jexl's grammar takes for variables. */
const CONSTANTS = new Set(['null', 'undefined'])

/** Roles of the names of an expression: members follow a dot, keys precede a colon at the start of a pair. */
export const jexlNames = (tokens: readonly JexlToken[]): JexlNames => {
  const references: VariableReference[] = []
  const calls: VariableReference[] = []
  tokens.forEach(({ token, place }, index) => {
    if (token.type !== 'identifier') return
    const before = tokens[index - 1]?.token.type
    const after = tokens[index + 1]?.token.type
    const isKey = (before === 'openCurl' || before === 'comma') && after === 'colon'
    const name = String(token.value)
    if (before === 'pipe' || (before !== 'dot' && after === 'openParen')) calls.push({ name, place })
    else if (before !== 'dot' && !isKey && !CONSTANTS.has(name)) references.push({ name, place })
  })
  return { references, calls }
}

/** Without a prototype: its lexer takes a name that the table answers to for a sign. */
const grammar = { elements: Object.assign(Object.create(null) as Grammar['elements'], getGrammar().elements) }
const functions = [...LIBRARY].map(([name, { takes }]) => ({ name, takes }))

const OPENERS = new Set(['openParen', 'openBracket', 'openCurl'])
const CLOSERS = new Set(['closeParen', 'closeBracket', 'closeCurl'])

/** Jexl's parser closes every open bracket at the end of the source. */
const openBracket = (tokens: readonly JexlToken[]): JexlToken | undefined => {
  const open: JexlToken[] = []
  for (const each of tokens) {
    if (OPENERS.has(each.token.type)) open.push(each)
    else if (CLOSERS.has(each.token.type)) open.pop()
  }
  return open.at(-1)
}

/** One word at a time, so that the one that does not fit is known. */
const treeOf = (tokens: readonly JexlToken[], source: string): Outcome<JexlNode> => {
  const parser = new Parser(grammar)
  for (const { token, place } of tokens) {
    try {
      parser.addToken(token)
    } catch (error) {
      const text = source.slice(place.offset, place.offset + place.length)
      return fault(error instanceof RangeError ? 'limit' : 'syntax', place, text)
    }
  }
  const open = openBracket(tokens)
  if (open !== undefined) return fault('unclosed', open.place, String(open.token.value))
  const end = { offset: source.length, length: 0 }
  try {
    const tree = parser.complete()
    return tree === null ? fault('empty', { offset: 0, length: source.length }) : { ok: true, value: tree as JexlNode }
  } catch {
    return fault('unclosed', end)
  }
}

const parse = (source: string): Outcome<Expression> => {
  const checked = checkSource(source)
  if (!checked.ok) return checked
  const tokens = jexlTokens(source, grammar)
  if (!tokens.ok) return tokens
  const question = tokens.value.filter(({ token }) => token.type === 'question')[EXPRESSION_LIMITS.brackets]
  // Jexl's parser starts another parser behind each, and passes every token down.
  if (question !== undefined) return fault('limit', question.place)
  const forbidden = tokens.value.find(({ token }) => token.value === '__proto__' && token.type === 'identifier')
  if (forbidden !== undefined) return fault('forbidden', forbidden.place, '__proto__')
  const tree = treeOf(tokens.value, source)
  if (!tree.ok) return tree
  const { references, calls } = jexlNames(tokens.value)
  const unknown = calls.find(({ name }) => !LIBRARY.has(name))
  if (unknown !== undefined) return fault('function', unknown.place, unknown.name)
  const whole = { offset: 0, length: source.length }
  return {
    ok: true,
    value: {
      references,
      evaluate: context =>
        evaluateSafely(whole, () => {
          const sealed = sealedContext(context)
          return jexlValue(tree.value, { grammar, context: sealed, item: sealed })
        }),
    },
  }
}

/** Jexl 2.3 with Parley's functions, each also as a transform: `name|upper` is `upper(name)`. */
export const jexl: Engine = { name: 'Jexl', functions, parse }
