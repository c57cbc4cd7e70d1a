import { type AnswerResult, INVALID, lineOf, validUnless } from './answer-result.ts'
import { documentFigures, isDocumentKind, isIp } from './document-answer.ts'
import { measureIn } from './measure.ts'
import { ordinalNumber } from './ordinal.ts'
import { plainNumber } from './plain-number.ts'
import { AGE, CURRENCY, DIMENSION, TEMPERATURE } from './unit.ts'

const MAX_PORT = 65_535
const ABSOLUTE_ZERO: ReadonlyMap<string, number> = new Map([
  ['C', -273.15],
  ['F', -459.67],
  ['K', 0],
])

const atLeast = (least: number, value: number | undefined): number | undefined =>
  value !== undefined && value >= least ? value : undefined

const withoutPercent = (line: string): string =>
  line.startsWith('%')
    ? line.slice(1)
    : line.replace(/ ?(?:%|\u066a|percent|per cent|por cento|por ciento)[.!]?$/iu, '')

const portNumber = (line: string): number | undefined =>
  /^\d{1,5}$/u.test(line) && Number(line) <= MAX_PORT ? Number(line) : undefined

const numberOf = (line: string, validationType: string, unit: string, locale: string): number | undefined => {
  switch (validationType) {
    case 'Percentage':
      return plainNumber(withoutPercent(line), locale)
    case 'Ordinal':
      return ordinalNumber(line)
    case 'Port':
      return portNumber(line)
    case 'Age':
      return atLeast(0, measureIn(AGE, unit, line, locale))
    case 'Temperature':
      return atLeast(ABSOLUTE_ZERO.get(unit) ?? Number.NEGATIVE_INFINITY, measureIn(TEMPERATURE, unit, line, locale))
    case 'Dimension':
      return atLeast(0, measureIn(DIMENSION, unit, line, locale))
    case 'Currency':
      return measureIn(CURRENCY, unit, line, locale)
    default:
      // A full stop may end the sentence.
      return plainNumber(line.replace(/(?<=\d)[.!]$/u, ''), locale)
  }
}

/** The figures of a number as English writes them, without exponent and grouping. */
const figuresOf = (value: number): string =>
  value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 })

/**
 * A number, or what a validation takes, in `unit` where it has one; documents and IP addresses are kept as text. A
 * `number` is the value of a pressed option, text is read by the locale. Any other validation takes any number.
 */
export const readNumber = (
  said: string | number,
  validationType: string,
  unit: string,
  locale: string,
): AnswerResult<number | string> => {
  if (typeof said === 'number' && !Number.isFinite(said)) return INVALID
  const line = lineOf(typeof said === 'number' ? figuresOf(said) : said)
  if (line === '') return INVALID
  if (isDocumentKind(validationType))
    return validUnless(documentFigures(validationType, typeof said === 'number' ? said : line))
  if (validationType === 'IP') return validUnless(isIp(line) ? line : undefined)
  return validUnless(numberOf(line, validationType, unit, typeof said === 'number' ? 'en' : locale))
}
