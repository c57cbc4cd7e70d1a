import type { Grammar } from 'jexl/dist/grammar.js'
import Lexer, { type Token } from 'jexl/dist/Lexer.js'
import type { VariableReference } from './engine.ts'
import { fault, type Outcome, type Place } from './fault.ts'

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
