import { fault, type TemplateFault } from './fault.ts'
import type { Template, TemplateText } from './template.ts'
import { examplesOf, variableNames, variablesIn } from './variable.ts'

/** Words that a text needs for each variable, and one more: Meta refuses others as too short (2388293). */
const WORDS_PER_VARIABLE = 2

const NUMBERED = /^\d+$/u
const WORD = /^[a-z][a-z_]*$/u

/** Faults of variable names, independent of their places. */
export const nameFaults = (
  path: string,
  text: string,
  format: Template['parameterFormat'],
): readonly TemplateFault[] => {
  const names = variableNames(text)
  const rest = text.replace(/\{\{[^{}\s]{1,100}\}\}/gu, '')
  const isBroken = /[{}]/u.test(rest) || names.some(name => !NUMBERED.test(name) && !WORD.test(name))
  const hasNumbers = names.some(name => NUMBERED.test(name))
  const hasWords = names.some(name => WORD.test(name))
  if (hasNumbers && hasWords) return [fault(path, 'mixed')]
  if (isBroken) return [fault(path, 'braces')]
  if ((hasWords && format === 'positional') || (hasNumbers && format === 'named')) return [fault(path, 'mixed')]
  const numbers = names.map(Number).toSorted((a, b) => a - b)
  return hasNumbers && numbers.some((number, at) => number !== at + 1) ? [fault(path, 'sequence')] : []
}

const isAtEdge = (text: string): boolean => {
  const trimmed = text.trim()
  const found = variablesIn(trimmed)
  return found[0]?.at === 0 || found.at(-1)?.end === trimmed.length
}

const isAdjacent = (text: string): boolean => {
  const found = variablesIn(text)
  return found.some(({ at }, index) => index > 0 && text.slice(found[index - 1]?.end, at).trim() === '')
}

const isDense = (text: string): boolean => {
  const variables = variablesIn(text).length
  const words = text.replace(/\{\{[^{}\s]{1,100}\}\}/gu, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return variables > 2 && words < variables * WORDS_PER_VARIABLE + 1
}

/** A text with variables: `examples` is where its examples are given. */
export const textFaults = (
  path: string,
  examples: string,
  given: TemplateText,
  format: Template['parameterFormat'],
): readonly TemplateFault[] => {
  const { text } = given
  const names = nameFaults(path, text, format)
  if (names.length > 0) return names
  if (isAtEdge(text)) return [fault(path, 'edge')]
  if (isAdjacent(text)) return [fault(path, 'adjacent')]
  return [
    ...(isDense(text) ? [fault(path, 'density')] : []),
    ...(examplesOf(given) === undefined ? [fault(examples, 'examples')] : []),
  ]
}
