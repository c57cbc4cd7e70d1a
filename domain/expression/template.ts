import type { ParserName, Place } from './engine.ts'

/** Result of a template: text for a person, JSON, the attribute of a card, or a plain value for comparison. */
export type TemplateKind = 'text' | 'json' | 'attribute' | 'value'

/** A pair that holds an expression. A `loose` one is only meant where it can be nothing else: see docs/expressions.md. */
interface Delimiter {
  readonly open: string
  readonly close: string
  readonly loose: boolean
}

const pair = (open: string, close: string, loose = false): Delimiter => ({ open, close, loose })

/** The inserted form of a variable: every parser accepts it. */
const DOUBLE_BRACES = pair('{{', '}}')
const BRACES = [DOUBLE_BRACES, pair('{', '}', true)]
const ANGLES = [DOUBLE_BRACES, pair('<<', '>>'), pair('<', '>', true)]

/** The pairs of a template, the longer ones first. */
export const delimitersOf = (kind: TemplateKind, parser: ParserName): readonly Delimiter[] => {
  if (parser === 'JsonAta') return [DOUBLE_BRACES, kind === 'attribute' ? pair('<!', '!>') : pair('<@', '@>')]
  switch (kind) {
    case 'text':
      return BRACES
    // Patterns and JSON contain single braces.
    case 'value':
      return [DOUBLE_BRACES]
    default:
      return ANGLES
  }
}

/** Whether a value that is mostly plain holds a placeholder that can be nothing else. */
export const holdsPlaceholder = (text: string): boolean => /\{\{|<@/u.test(text)

const CLOSER = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const QUOTES = new Set(['"', "'", '`'])

/** Behind the quote that ends what begins at `from`; undefined when none does. */
const afterQuote = (text: string, from: number): number | undefined => {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return undefined
}

interface Close {
  readonly at: number
  /** Offsets of nested pairs of the same kind; each is an expression in brackets. */
  readonly nested: readonly number[]
}

/**
 * Finds the end of the expression that begins at `from`: outside quotes and brackets; pairs of the same kind may nest.
 * Undefined if it is never closed.
 */
const findClose = (text: string, from: number, { open, close, loose }: Delimiter): Close | undefined => {
  const expected: string[] = []
  const nested: number[] = []
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    const isInner = expected.at(-1) === close
    if (text.startsWith(close, at) && (expected.length === 0 || isInner)) {
      if (!isInner) return { at, nested }
      nested.push(at)
      expected.pop()
      at += close.length - 1
    } else if (!loose && text.startsWith(open, at)) {
      nested.push(at)
      expected.push(close)
      at += open.length - 1
    } else if (QUOTES.has(character)) {
      const after = afterQuote(text, at)
      if (after !== undefined) at = after - 1
    } else if (character === '\\') at++
    else if (CLOSER.has(character)) expected.push(CLOSER.get(character) ?? '')
    else if (character === expected.at(-1)) expected.pop()
  }
  return undefined
}

interface Literal {
  readonly kind: 'literal'
  /** As it is shown: escapes are undone. */
  readonly text: string
  readonly place: Place
}
export interface Placeholder {
  readonly kind: 'placeholder'
  /** As long as what stands between the delimiters. */
  readonly source: string
  /** The whole, delimiters included. */
  readonly place: Place
  /** Start of `source`. */
  readonly start: number
  /** False when nothing closes it; `source` is then the rest. */
  readonly closed: boolean
  /** Its delimiters are characters that may also be meant as such. */
  readonly loose: boolean
  /** Set in a string of JSON: place in the text of each unit of `source`, because escapes are decoded there. */
  readonly offsets?: readonly number[]
}
export type Part = Literal | Placeholder

const JSON_OBJECT = /^\s*"[^"]*"\s*:/u

/** A brace or a less-than sign is mostly just that: a loose pair holds something, and an angle holds it closely. */
const isMeant = (text: string, from: number, to: number, { open }: Delimiter): boolean => {
  const inner = text.slice(from, to)
  if (inner.trim() === '') return false
  if (open !== '<') return !JSON_OBJECT.test(inner)
  return /^[^\s/=!@<>]/u.test(inner) && /\S$/u.test(inner) && !inner.includes('\n')
}

/** Nested pairs become brackets of the same length, so that every place stays what it is. */
const withBrackets = (source: string, start: number, nested: readonly number[], { open, close }: Delimiter): string => {
  const made: string[] = []
  let from = 0
  for (const at of nested) {
    const index = at - start
    const isOpen = source.startsWith(open, index)
    const bracket = isOpen ? '('.padStart(open.length) : ')'.padEnd(close.length)
    made.push(source.slice(from, index), bracket)
    from = index + bracket.length
  }
  return made.join('') + source.slice(from)
}

/** The placeholder that begins at `at`; undefined for an ordinary character. */
const placeholderAt = (text: string, at: number, delimiter: Delimiter): Placeholder | undefined => {
  const start = at + delimiter.open.length
  const close = findClose(text, start, delimiter)
  if (delimiter.loose && (close === undefined || !isMeant(text, start, close.at, delimiter))) return undefined
  const end = close?.at ?? text.length
  return {
    kind: 'placeholder',
    source: withBrackets(text.slice(start, end), start, close?.nested ?? [], delimiter),
    place: { offset: at, length: end - at + (close === undefined ? 0 : delimiter.close.length) },
    start,
    closed: close !== undefined,
    loose: delimiter.loose,
  }
}

const countSlashes = (text: string, at: number): number => {
  let end = at
  while (text[end] === '\\') end++
  return end - at
}

/** Adaptive cards format dates themselves, such as `{{DATE(2026-05-04T10:00:00Z,SHORT)}}`. */
const CARD_MACRO = /\{\{(?:DATE|TIME)\(/y

const cardMacroAt = (text: string, at: number): string | undefined => {
  CARD_MACRO.lastIndex = at
  return CARD_MACRO.exec(text)?.[0]
}

const MAX_LOOSE_CHARACTERS = 4_000_000

/** Characters that may still be read behind loose delimiters that close nowhere: each is looked for to the end. */
export interface LooseBudget {
  characters: number
}
export const looseBudget = (): LooseBudget => ({ characters: MAX_LOOSE_CHARACTERS })

/** As {@link placeholderAt}, as long as the budget lasts. */
export const tryPlaceholderAt = (
  text: string,
  at: number,
  delimiter: Delimiter,
  budget: LooseBudget,
): Placeholder | undefined => {
  if (!delimiter.loose) return placeholderAt(text, at, delimiter)
  if (budget.characters < 0) return undefined
  const found = placeholderAt(text, at, delimiter)
  if (found === undefined) budget.characters -= text.length - at
  return found
}

/**
 * The literals and placeholders of a text, in order. A backslash before an opening delimiter makes it a literal, two
 * make a backslash before a placeholder; anywhere else a backslash is itself.
 */
export const splitTemplate = (
  text: string,
  kind: TemplateKind,
  parser: ParserName,
  budget: LooseBudget = looseBudget(),
): readonly Part[] => {
  const delimiters = delimitersOf(kind, parser)
  const parts: Part[] = []
  let begun = 0
  let literal = ''
  const push = (end: number) => {
    if (end > begun) parts.push({ kind: 'literal', text: literal, place: { offset: begun, length: end - begun } })
    literal = ''
  }
  for (let at = 0; at < text.length; ) {
    const slashes = countSlashes(text, at)
    const opening = at + slashes
    const delimiter = delimiters.find(each => text.startsWith(each.open, opening))
    const isEscaped = slashes % 2 === 1
    const macro = kind === 'json' && !isEscaped ? cardMacroAt(text, opening) : undefined
    if (macro !== undefined) {
      literal += text.slice(at, opening) + macro
      at = opening + macro.length
      continue
    }
    // An escaped delimiter that is always one needs no end.
    const isLiteral = isEscaped && delimiter?.loose === false
    const found = delimiter && !isLiteral ? tryPlaceholderAt(text, opening, delimiter, budget) : undefined
    if (delimiter === undefined || (found === undefined && !isLiteral)) {
      literal += text.slice(at, opening + 1)
      at = opening + 1
      continue
    }
    literal += '\\'.repeat(Math.floor(slashes / 2))
    if (isEscaped || found === undefined) {
      budget.characters -= found?.place.length ?? 0
      literal += delimiter.open
      at = opening + delimiter.open.length
      continue
    }
    push(opening)
    parts.push(found)
    at = found.place.offset + found.place.length
    begun = at
  }
  push(text.length)
  return parts
}
