import { type Grammar, getGrammar } from 'jexl/dist/grammar.js'
import Lexer, { type Token } from 'jexl/dist/Lexer.js'
import Parser from 'jexl/dist/parser/Parser.js'
import { checkSource, type Engine, EXPRESSION_LIMITS, type Expression, type VariableReference } from './engine.ts'
import { fault, type Outcome, type Place } from './fault.ts'
import { type JexlNode, jexlValue } from './jexl-evaluate.ts'
import { LIBRARY } from './library.ts'
import { evaluateSafely, sealedContext } from './plain-value.ts'

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
