import type { AnswerPlace } from '#domain/conversation/answer/answer-result.ts'
import { daysFromToday, monthNamed, weekdayNamed } from '#domain/conversation/answer/day-answer.ts'
import {
  AGE,
  CURRENCY,
  DIMENSION,
  parseMeasure,
  TEMPERATURE,
  type Unit,
  type UnitFamily,
} from '#domain/conversation/answer/measure.ts'
import { ordinalNumber, readNumber } from '#domain/conversation/answer/number-answer.ts'
import { readText } from '#domain/conversation/answer/text-answer.ts'
import { readTime } from '#domain/conversation/answer/time-answer.ts'
import { folded } from '#schemas/fold-text.ts'

const unit = (factor: number, names: string): Unit => ({ quantity: 'duration', factor, names: names.split('|') })

/** In seconds, names folded; a month is the twelfth of a year of 365.25 days. */
const DURATION: UnitFamily = new Map([
  ['s', unit(1, 's|sec|secs|second|seconds|seg|segs|segundo|segundos')],
  ['min', unit(60, 'min|mins|minute|minutes|minuto|minutos')],
  ['h', unit(3600, 'h|hr|hrs|hs|hour|hours|hora|horas')],
  ['d', unit(86_400, 'd|day|days|dia|dias')],
  ['w', unit(604_800, 'w|week|weeks|semana|semanas')],
  ['month', unit(2_629_800, 'month|months|mes|meses')],
  ['year', unit(31_557_600, 'y|year|years|yr|yrs|ano|anos')],
])

/** Entities that need no data; a project has those that it declares with the type `system`. */
export const SYSTEM_ENTITIES = [
  'email',
  'url',
  'cpf',
  'cnpj',
  'cep',
  'phone',
  'age',
  'duration',
  'date',
  'time',
  'currency',
  'temperature',
  'measure',
  'percentage',
  'ordinal',
  'number',
] as const
export type SystemEntity = (typeof SYSTEM_ENTITIES)[number]

/** UTF-16 units of a text in which they are searched. */
const MAX_LENGTH = 1000
/** Words of a day or a time. */
const MAX_TIME_WORDS = 7
const MAX_UNIT_WORDS = 4
/** Runs of words that are read as days, or as times, in one text: more of them would hold the thread. */
const MAX_TIME_READS = 120

interface SystemMatch {
  readonly kind: SystemEntity
  readonly start: number
  readonly end: number
  readonly value: string | number
}

type Reader = (raw: string, place: AnswerPlace) => string | number | undefined

const numberReader =
  (validationType: string): Reader =>
  (raw, { locale }) => {
    const result = readNumber(raw, validationType, '', locale)
    return result.ok ? result.value : undefined
  }
const textReader =
  (validationType: string): Reader =>
  raw => {
    const result = readText(raw, validationType)
    return result.ok ? result.value : undefined
  }

interface Shape {
  readonly kind: SystemEntity
  readonly pattern: RegExp
  readonly read: Reader
}

const NUMBER_HEAD = String.raw`(?<![\p{L}\p{N}.,/-])[+\-\u2212]?\d(?:[\d.,]*\d)?`
const NUMBER = String.raw`${NUMBER_HEAD}(?![\p{L}\p{N}]|[.,/-]\d)`
const ORDINAL_MARK = String.raw`(?:\.?[ºª°]|st|nd|rd|th)`

/** An address without its scheme: it begins with `www.`, or its domain ends as only domains do. */
const SITE =
  /(?<![\p{L}\p{N}@._/-])(?:www\.[\p{L}\p{N}-]{1,63}\.[^\s<>"]{0,900}[^\s<>".,;:!?)\]]|(?:[\p{L}\p{N}-]{1,63}\.){1,4}(?:com|net|org|gov|edu|info)(?:\.[a-z]{2})?(?![\p{L}\p{N}@.-])(?:[/?#][^\s<>"]{0,900}[^\s<>".,;:!?)\]]|\/)?)/giu
const isWebAddress = (text: string): boolean => readText(text, 'URL').ok

/** Candidates, before the reader decides. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'email',
    pattern: /[^\s<>()[\],;:"]{1,64}@[^\s<>()[\],;:"@]{1,200}[\p{L}\p{N}]/gu,
    read: textReader('Email'),
  },
  { kind: 'url', pattern: /https?:\/\/[^\s<>"]{1,900}[^\s<>".,;:!?)\]]/giu, read: textReader('URL') },
  { kind: 'url', pattern: SITE, read: raw => (isWebAddress(`https://${raw}`) ? raw : undefined) },
  { kind: 'cpf', pattern: /(?<!\d)\d{3}\.?\d{3}\.?\d{3}[- ]?\d{2}(?!\d)/gu, read: numberReader('CPF') },
  {
    kind: 'cnpj',
    pattern: /(?<![\p{L}\d])[\da-z]{2}\.?[\da-z]{3}\.?[\da-z]{3}\/?[\da-z]{4}-?\d{2}(?!\d)/giu,
    read: numberReader('CNPJ'),
  },
  { kind: 'cep', pattern: /(?<!\d)\d{5}-?\d{3}(?![\d-])/gu, read: numberReader('CEP') },
  {
    kind: 'phone',
    pattern: /(?<![\p{L}\d])(?:\+|\()?\d[\d\s().-]{7,18}\d(?!\d)/gu,
    read: textReader('MobilePhone'),
  },
  {
    kind: 'percentage',
    pattern: new RegExp(`${NUMBER_HEAD} ?(?:%|percent|per cent|por cento|por ciento)`, 'giu'),
    read: numberReader('Percentage'),
  },
  {
    kind: 'ordinal',
    pattern: new RegExp(String.raw`(?<![\p{L}\d])\d{1,6} ?${ORDINAL_MARK}(?![\p{L}\d])`, 'giu'),
    read: raw => ordinalNumber(raw),
  },
  { kind: 'number', pattern: new RegExp(NUMBER, 'gu'), read: numberReader('none') },
]

const findShaped = ({ kind, pattern, read }: Shape, text: string, place: AnswerPlace): readonly SystemMatch[] =>
  [...text.matchAll(pattern)].flatMap(({ 0: raw, index }) => {
    const value = read(raw, place)
    return value === undefined ? [] : [{ kind, start: index, end: index + raw.length, value }]
  })

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

const wordsOf = (text: string): readonly Word[] =>
  [...text.matchAll(/\S+/gu)].map(({ 0: raw, index }) => ({ start: index, end: index + raw.length, text: folded(raw) }))

/** A sentence may continue after it. The search begins at the first sign only: a long row is read once. */
const CLOSING = /(?<![.,;:!?)])[.,;:!?)]+$/u
const SIGNS_AT_END = /(?<![^\p{L}\d])[^\p{L}\d]+$/u

const familyWords = (family: UnitFamily): ReadonlySet<string> =>
  new Set([...family.values()].flatMap(({ names }) => names.flatMap(name => name.split(' '))))

const MEASURES: readonly (readonly [SystemEntity, UnitFamily, ReadonlySet<string>])[] = (
  [
    ['currency', CURRENCY],
    ['temperature', TEMPERATURE],
    ['age', AGE],
    ['duration', DURATION],
    ['measure', DIMENSION],
  ] as const
).map(([kind, family]) => [kind, family, familyWords(family)])

const DIGIT = /\d/u
const bareWord = (text: string): string => text.replace(/^[^\p{L}$€°º%]+|[^\p{L}$€°º%'"]+$/gu, '')

const YEARS_OLD = /ano|year|yr|y\/?o|idade|edad|old/iu

/** A duration is in seconds, the others in the unit that was said; a stretch of days is no age. */
const measured = (kind: SystemEntity, family: UnitFamily, raw: string, place: AnswerPlace): number | undefined =>
  kind === 'age' && !YEARS_OLD.test(raw)
    ? undefined
    : parseMeasure(family, kind === 'duration' ? 's' : '', raw, place.locale)

/** A number with a unit of the family before or after it: the longest stretch of words that is a measure. */
const findMeasures = (
  kind: SystemEntity,
  family: UnitFamily,
  names: ReadonlySet<string>,
  text: string,
  words: readonly Word[],
  place: AnswerPlace,
): readonly SystemMatch[] => {
  const isUnit = (word: Word | undefined) => word !== undefined && names.has(bareWord(word.text))
  const found: SystemMatch[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || !DIGIT.test(word.text)) continue
    const hasUnitBefore = isUnit(words[at - 1])
    if (!hasUnitBefore && !isUnit(word) && !isUnit(words[at + 1])) continue
    const match = longest(text, words, hasUnitBefore ? at - 1 : at, at + MAX_UNIT_WORDS, (raw, from, to) =>
      to > at && (isUnit(words[to - 1]) || to === at + 1) && words.slice(from, to).some(isUnit)
        ? measured(kind, family, raw, place)
        : undefined,
    )
    if (match === undefined) continue
    found.push({ kind, start: match.start, end: match.end, value: match.value })
    at = match.to - 1
  }
  return found
}

interface LongestMatch {
  readonly start: number
  readonly end: number
  readonly to: number
  readonly value: string | number
}

/** The longest run of words from `from` on that `read` takes, without the marks that close it. */
const longest = (
  text: string,
  words: readonly Word[],
  from: number,
  most: number,
  read: (raw: string, from: number, to: number) => string | number | undefined,
): LongestMatch | undefined => {
  const start = words[from]?.start ?? 0
  for (let to = Math.min(words.length, most + 1); to > from; to--) {
    const raw = text.slice(start, words[to - 1]?.end).replace(CLOSING, '')
    const value = raw === '' ? undefined : read(raw, from, to)
    if (value !== undefined) return { start, end: start + raw.length, to, value }
  }
  return undefined
}

const CLOCK_WORDS = /^(?:\d|noon$|midday$|midnight$|meio-?dia$|meia-?noite$|mediodia$|medianoche$)/u
const INTRODUCES =
  /^(?:as|a|at|no|na|on|dia|el|la|las|next|last|this|proxim[ao]|ultim[ao]|depois|day|the|pasado|antes|meio|meia|medio|media|segunda|2a|3a|4a|5a|6a)$/u
/** Short for a day or month in one language and a common word in another. */
const isAmbiguous = (raw: string): boolean => /^\p{L}{1,3}$/u.test(raw) && folded(raw) !== 'hoy'
/** `segunda` alone is more often an ordinal or a request for a second copy. */
const COMMON = /^(?:(?:a|o|el|la|the) )?(?:may|march|segund[ao]|quarta|quinta|sexta|terca|manana|mayo|marco)$/u

const isCalendarWord = (word: string): boolean =>
  weekdayNamed(word) !== undefined ||
  monthNamed(word) !== undefined ||
  daysFromToday(word) !== undefined ||
  CLOCK_WORDS.test(word)

const findTimes = (
  kind: 'date' | 'time',
  text: string,
  words: readonly Word[],
  place: AnswerPlace,
): readonly SystemMatch[] => {
  const mayBegin = (word: string): boolean => {
    const bare = word.replace(SIGNS_AT_END, '')
    return isCalendarWord(bare) || INTRODUCES.test(bare)
  }
  const saysTime = words.map(({ text: word }) => DIGIT.test(word) || isCalendarWord(word.replace(SIGNS_AT_END, '')))
  const found: SystemMatch[] = []
  let reads = 0
  for (let at = 0; at < words.length && reads < MAX_TIME_READS; at++) {
    if (!mayBegin(words[at]?.text ?? '') || !saysTime.slice(at, at + MAX_TIME_WORDS).includes(true)) continue
    const match = longest(text, words, at, at + MAX_TIME_WORDS - 1, (raw, from, to) => {
      reads += 1
      const isSingle = to - from === 1
      if ((isSingle && isAmbiguous(raw)) || (COMMON.test(folded(raw)) && words.length > to - from)) return undefined
      // A bare number is an hour or a day only after a word that says so.
      if (/^[\d.,]+$/u.test(raw) && !/^\d{1,2}[.]\d{1,2}[.]\d{2,4}$/u.test(raw)) return undefined
      const result = readTime(raw, kind, place)
      return result.ok ? result.value : undefined
    })
    if (match === undefined) continue
    found.push({ kind, start: match.start, end: match.end, value: match.value })
    at = match.to - 1
  }
  return found
}

const findOrdinalWords = (words: readonly Word[]): readonly SystemMatch[] =>
  words.flatMap(({ start, end, text }) => {
    const bare = text.replace(CLOSING, '')
    const value = /^\p{L}+$/u.test(bare) ? ordinalNumber(bare) : undefined
    return value === undefined
      ? []
      : [{ kind: 'ordinal' as const, start, end: end - (text.length - bare.length), value }]
  })

/** A number inside a date, an amount or a document is part of it; a date and a time may share their words. */
const isInside = (inner: SystemMatch, outer: SystemMatch): boolean => {
  if (inner === outer || inner.start >= outer.end || outer.start >= inner.end) return false
  const isTimeOfDay = [inner, outer].every(({ kind }) => kind === 'date' || kind === 'time')
  if (isTimeOfDay) return false
  const [innerLength, outerLength] = [inner.end - inner.start, outer.end - outer.start]
  if (innerLength !== outerLength) return innerLength < outerLength
  return SYSTEM_ENTITIES.indexOf(inner.kind) > SYSTEM_ENTITIES.indexOf(outer.kind)
}

/** Kinds whose digits are no numbers, wanted or not. */
const HOLDERS: ReadonlySet<SystemEntity> = new Set(['email', 'url'])

/** Matches of the answer readers in a text, of the wanted kinds, in the order of the text. */
export const findSystemEntities = (
  text: string,
  kinds: ReadonlySet<SystemEntity>,
  place: AnswerPlace,
): readonly SystemMatch[] => {
  if (kinds.size === 0) return []
  const read = text.slice(0, MAX_LENGTH)
  const words = wordsOf(read)
  const found = [
    ...SHAPES.filter(({ kind }) => kinds.has(kind) || HOLDERS.has(kind)).flatMap(shape =>
      findShaped(shape, read, place),
    ),
    ...MEASURES.filter(([kind]) => kinds.has(kind)).flatMap(([kind, family, names]) =>
      findMeasures(kind, family, names, read, words, place),
    ),
    ...(['date', 'time'] as const).filter(kind => kinds.has(kind)).flatMap(kind => findTimes(kind, read, words, place)),
    ...(kinds.has('ordinal') ? findOrdinalWords(words) : []),
  ]
  return found
    .filter(match => kinds.has(match.kind) && !found.some(other => isInside(match, other)))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}
