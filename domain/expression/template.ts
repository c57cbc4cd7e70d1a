import { type Delimiter, delimitersOf, type TemplateKind } from './delimiter.ts'
import type { ParserName } from './engine.ts'
import { findClose } from './find-close.ts'
import type { Place } from './place.ts'

export interface Literal {
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
  /** Where `source` begins. */
  readonly start: number
  /** False when nothing closes it; `source` is then the rest. */
  readonly closed: boolean
  /** Its delimiters are characters that may also be meant as such. */
  readonly loose: boolean
  /** It stands in a string of JSON: where in the text each unit of `source` stands, for escapes are undone there. */
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
  let made = source
  for (const at of nested) {
    const index = at - start
    const isOpen = source.startsWith(open, index)
    const bracket = isOpen ? '('.padStart(open.length) : ')'.padEnd(close.length)
    made = made.slice(0, index) + bracket + made.slice(index + bracket.length)
  }
  return made
}

/** What the delimiter at `at` opens; undefined when it is a character like any other. */
export const placeholderAt = (text: string, at: number, delimiter: Delimiter): Placeholder | undefined => {
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

const MOST_LOOSE = 200

/**
 * The literals and placeholders of a text, in order. A backslash before an opening delimiter makes it a literal, two
 * make a backslash before a placeholder; anywhere else a backslash is itself.
 */
export const splitTemplate = (text: string, kind: TemplateKind, parser: ParserName): readonly Part[] => {
  const delimiters = delimitersOf(kind, parser)
  const parts: Part[] = []
  // Each loose one that closes nowhere is looked for to the end of the text.
  let unclosed = 0
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
    const isTried = delimiter !== undefined && !(delimiter.loose && unclosed > MOST_LOOSE)
    const found = isTried ? placeholderAt(text, opening, delimiter) : undefined
    if (delimiter === undefined || found === undefined) {
      if (isTried) unclosed++
      literal += text.slice(at, opening + 1)
      at = opening + 1
      continue
    }
    literal += '\\'.repeat(Math.floor(slashes / 2))
    if (slashes % 2 === 1) {
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
