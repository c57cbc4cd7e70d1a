import isSafe from 'safe-regex2'
import { costFault } from './pattern-cost.ts'

/** Faults of a pattern; undefined if usable. */
type PatternFault = 'regexsyntax' | 'regexempty' | 'regexcost'

/** Repetitions of one pattern; more of them cost more than they find. */
const MAX_REPETITIONS = 25

/** Whether a pattern is an expression of ECMAScript, finds something, and cannot take exponential time. */
export const patternFault = (pattern: string): PatternFault | undefined => {
  let expression: RegExp
  try {
    expression = new RegExp(pattern, 'iu')
  } catch {
    try {
      expression = new RegExp(pattern, 'i')
    } catch {
      return 'regexsyntax'
    }
  }
  if (
    !isSafe(expression, { limit: MAX_REPETITIONS }) ||
    hasAmbiguousRepetition(pattern) ||
    costFault(pattern) !== undefined
  )
    return 'regexcost'
  return expression.test('') ? 'regexempty' : undefined
}

/** `(a|a)*`, `(.|\s)*`: branches of a repeated group that begin alike. */
const hasAmbiguousRepetition = (pattern: string): boolean =>
  [...pattern.matchAll(/\((?:\?:)?([^()]*\|[^()]*)\)(?:[*+]|\{\d+,\d*\})/gu)].some(([, branches = '']) => {
    const heads = branches.split('|').map(branch => /^(?:\\.|\[[^\]]*\]|.)?/u.exec(branch)?.[0] ?? '')
    return new Set(heads).size < heads.length || heads.includes('') || (heads.includes('.') && heads.length > 1)
  })
