import { isBoleto } from '#domain/brazil/boleto.ts'
import { bare, isCep, isCnpj, isCpf, isPis } from '#domain/brazil/document.ts'
import { folded } from '#schemas/fold-text.ts'
import { type AnswerResult, INVALID, lineOf, validUnless } from './answer-result.ts'
import { AGE, CURRENCY, DIMENSION, parseMeasure, plainNumber, TEMPERATURE } from './measure.ts'

/** ISO/IEC 7812: 12 to 19 figures, the last one a check digit (Luhn); no issuer has a number of one figure repeated. */
const isCreditCard = (text: string): boolean => {
  if (!/^\d[\d .-]+$/u.test(text)) return false
  const digits = text.replace(/\D/gu, '')
  if (!/^\d{12,19}$/u.test(digits) || new Set(digits).size < 2) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

interface DocumentKind {
  readonly isValid: (value: string) => boolean
  /** Figures of it, as far as a number without its leading zeros can be one. */
  readonly length: number
}

const DOCUMENTS: ReadonlyMap<string, DocumentKind> = new Map([
  ['CPF', { isValid: (value: string) => isCpf(value), length: 11 }],
  ['CNPJ', { isValid: (value: string) => isCnpj(value), length: 14 }],
  ['CEP', { isValid: isCep, length: 8 }],
  ['PIS', { isValid: isPis, length: 11 }],
  ['Boleto', { isValid: isBoleto, length: 44 }],
  ['CreditCard', { isValid: isCreditCard, length: 12 }],
])

const isDocumentKind = (validationType: string): boolean => DOCUMENTS.has(validationType)

/** Marks that stand between the figures of a document. */
const MARKED = /^[\da-z\s./-]+$/iu

/**
 * A document's figures without its marks, zeros in front included (of a CNPJ its letters too, as capitals); undefined
 * where its check digits do not fit. A number has lost its leading zeros and gets them back.
 */
const documentFigures = (validationType: string, said: string | number): string | undefined => {
  const kind = DOCUMENTS.get(validationType)
  const written = typeof said === 'number' && kind !== undefined ? bare(said, kind.length) : `${said}`
  const text = written.replace(/[\u2010-\u2015]/gu, '-')
  return kind !== undefined && MARKED.test(text) && kind.isValid(text) ? bare(text, 0) : undefined
}

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IP_V4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`, 'u')

/** An address of the internet: IPv4 in four decimal numbers without leading zeros, IPv6 (RFC 4291) without a zone. */
const isIp = (text: string): boolean =>
  IP_V4.test(text) || (/^[\da-f:.]{2,45}$/iu.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`))

/** First to tenth, in English, Portuguese and Spanish. */
const WORDS: readonly string[] = [
  'first|primeiro|primeira|primero|primera|primer',
  'second|segundo|segunda',
  'third|terceiro|terceira|tercero|tercera|tercer',
  'fourth|quarto|quarta|cuarto|cuarta',
  'fifth|quinto|quinta',
  'sixth|sexto|sexta',
  'seventh|setimo|setima|septimo|septima',
  'eighth|oitavo|oitava|octavo|octava',
  'ninth|nono|nona|noveno|novena',
  'tenth|decimo|decima',
]
const BY_WORD: ReadonlyMap<string, number> = new Map(
  WORDS.flatMap((words, place) => words.split('|').map(word => [word, place + 1] as const)),
)

const IN_FIGURES = /^(\d{1,9}) ?(?:\.?[ºª°]|st|nd|rd|th|[oa]|er[oa]?|r[oa]|d[oa]|t[oa]|m[oa]|v[oa]|n[oa])?\.?$/u

/** The place that an ordinal says, from 1: `2`, `2º`, `2nd`, `segundo`, `a segunda`. Undefined for none. */
export const ordinalNumber = (line: string): number | undefined => {
  const text = folded(line).replace(/^(?:(?:the|o|a|el|la) |#)/u, '')
  const named = BY_WORD.get(text.replace(/[.!]$/u, ''))
  if (named !== undefined) return named
  const digits = IN_FIGURES.exec(text)?.[1]
  return digits === undefined || Number(digits) < 1 ? undefined : Number(digits)
}

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
      return atLeast(0, parseMeasure(AGE, unit, line, locale))
    case 'Temperature':
      return atLeast(ABSOLUTE_ZERO.get(unit) ?? Number.NEGATIVE_INFINITY, parseMeasure(TEMPERATURE, unit, line, locale))
    case 'Dimension':
      return atLeast(0, parseMeasure(DIMENSION, unit, line, locale))
    case 'Currency':
      return parseMeasure(CURRENCY, unit, line, locale)
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
