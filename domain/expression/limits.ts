import { fault, type Outcome } from './fault.ts'

/** Bounds on what people write and on what comes of it; the time is bounded by the worker that evaluates. */
export const EXPRESSION_LIMITS = {
  /** UTF-16 units of one expression. */
  source: 20_000,
  /** UTF-16 units of a text with placeholders. */
  template: 200_000,
  /** Brackets within brackets. */
  brackets: 100,
  /** Values within values. */
  depth: 200,
  /** Values of a result, each character of a text counted. */
  size: 5_000_000,
} as const

const OPEN = new Set(['(', '[', '{'])
const CLOSE = new Set([')', ']', '}'])

/** Refuses a source before any parser recurses into it. Brackets in quotes count, which no honest expression notices. */
export const checkSource = (source: string): Outcome<string> => {
  if (source.trim() === '') return fault('empty', { offset: 0, length: source.length })
  if (source.length > EXPRESSION_LIMITS.source) {
    return fault('limit', { offset: EXPRESSION_LIMITS.source, length: source.length - EXPRESSION_LIMITS.source })
  }
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    if (OPEN.has(character)) depth++
    else if (CLOSE.has(character)) depth = Math.max(0, depth - 1)
    if (depth > EXPRESSION_LIMITS.brackets) return fault('limit', { offset: at, length: 1 })
  }
  return { ok: true, value: source }
}
