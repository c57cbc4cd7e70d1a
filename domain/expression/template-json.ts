import type { ParserName } from './engine.ts'
import {
  delimitersOf,
  type LooseBudget,
  looseBudget,
  type Part,
  type Placeholder,
  splitTemplate,
  tryPlaceholderAt,
} from './template.ts'

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

interface JsonString {
  readonly text: string
  /** Offset of each unit of `text`, and the end of the last one. */
  readonly offsets: readonly number[]
}

/** The string of JSON whose quote stands before `from`, its escapes undone; an unclosed one reaches to the end. */
const readString = (source: string, from: number): JsonString => {
  const offsets: number[] = []
  let text = ''
  let at = from
  while (at < source.length && source[at] !== '"') {
    offsets.push(at)
    const escaped = source[at] === '\\' ? (source[at + 1] ?? '') : undefined
    const code = escaped === 'u' ? /^[\dA-Fa-f]{4}/u.exec(source.slice(at + 2, at + 6))?.[0] : undefined
    if (code !== undefined) text += String.fromCharCode(Number.parseInt(code, 16))
    else text += escaped === undefined ? source[at] : (ESCAPES.get(escaped) ?? (escaped || '\\'))
    at += code !== undefined ? 6 : escaped === undefined ? 1 : 2
  }
  at = Math.min(at, source.length)
  return { text, offsets: [...offsets, at] }
}

/** A text as it stands between the quotes of JSON. */
export const written = (text: string): string => JSON.stringify(text).slice(1, -1)

const inSource = (part: Part, { offsets }: JsonString): Part => {
  const at = (index: number) => offsets[index] ?? 0
  const { offset, length } = part.place
  const place = { offset: at(offset), length: at(offset + length) - at(offset) }
  if (part.kind === 'literal') return { kind: 'literal', text: written(part.text), place }
  const own = offsets.slice(part.start, part.start + part.source.length + 1)
  return { ...part, place, start: at(part.start), offsets: own }
}

const openedAt = (source: string, at: number, parser: ParserName, budget: LooseBudget): Placeholder | undefined => {
  const delimiter = delimitersOf('json', parser).find(each => source.startsWith(each.open, at))
  return delimiter === undefined ? undefined : tryPlaceholderAt(source, at, delimiter, budget)
}

/**
 * Splits JSON source into literals and placeholders, in order: a placeholder in a string becomes a part of that string,
 * any other one a value. Literals are JSON as written.
 */
export const splitJsonTemplate = (source: string, parser: ParserName): readonly Part[] => {
  const parts: Part[] = []
  const budget = looseBudget()
  let begun = 0
  const push = (end: number) => {
    if (end <= begun) return
    parts.push({ kind: 'literal', text: source.slice(begun, end), place: { offset: begun, length: end - begun } })
  }
  for (let at = 0; at < source.length; ) {
    if (source[at] === '"') {
      const string = readString(source, at + 1)
      push(at + 1)
      for (const part of splitTemplate(string.text, 'json', parser, budget)) parts.push(inSource(part, string))
      begun = string.offsets.at(-1) ?? source.length
      at = begun + 1
      continue
    }
    const found = openedAt(source, at, parser, budget)
    if (found === undefined) {
      at++
      continue
    }
    push(at)
    parts.push(found)
    at = found.place.offset + found.place.length
    begun = at
  }
  push(source.length)
  return parts
}
