import { type Grammar, getGrammar } from 'jexl/dist/grammar.js'
import Parser from 'jexl/dist/parser/Parser.js'
import { checkSource, type Engine, EXPRESSION_LIMITS, type Expression } from './engine.ts'
import { fault, type Outcome } from './fault.ts'
import { type JexlNode, jexlValue } from './jexl-evaluate.ts'
import { type JexlToken, jexlNames, jexlTokens } from './jexl-token.ts'
import { LIBRARY } from './library.ts'
import { evaluateSafely, sealedContext } from './plain-value.ts'

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
