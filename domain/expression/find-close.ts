import type { Delimiter } from './delimiter.ts'

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
export const findClose = (text: string, from: number, { open, close, loose }: Delimiter): Close | undefined => {
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
