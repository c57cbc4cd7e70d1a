import { folded } from '#domain/fold-text.ts'
import { type Unit, type UnitFamily, unitNamed } from './unit.ts'

/** Languages that write a point before decimals; of Spanish the countries that do (CLDR). */
const POINT_DECIMAL = /^(?:en|es-(?:419|cu|do|gt|hn|mx|ni|pa|pe|pr|sv|us))(?:-|$)/iu

const GROUPED = {
  '.': /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/u,
  ',': /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/u,
} as const
const SPACED = /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?$/u
const PLAIN = /^(?:\d+|\d*[.,]\d+)$/u
const SIGNED = /^([+\-\u2212]?)\s?(.+)$/su

/** Digits with a point before decimals, the separators of the locale tried first. */
const spelled = (text: string, locale: string): string | undefined => {
  const [first, second] = POINT_DECIMAL.test(locale) ? ([',', '.'] as const) : (['.', ','] as const)
  if (GROUPED[first].test(text)) return text.replaceAll(first, '').replace(',', '.')
  if (PLAIN.test(text)) return text.replace(',', '.')
  if (GROUPED[second].test(text)) return text.replaceAll(second, '').replace(',', '.')
  return SPACED.test(text) ? text.replaceAll(' ', '').replace(',', '.') : undefined
}

/**
 * A number as people write it: `1.234` is 1234 in Portuguese and 1.234 in English, `1,234.56` can be one number alone.
 * Undefined for none, for words, exponents and what is too large.
 */
export const plainNumber = (written: string, locale: string): number | undefined => {
  const text = written.replace(/[\u00a0\u2009\u202f]/gu, ' ').trim()
  const [, sign, digits = ''] = SIGNED.exec(text) ?? []
  const value = Number(spelled(digits, locale) ?? Number.NaN)
  if (!Number.isFinite(value)) return undefined
  // No zero below zero.
  return sign === '' || sign === '+' ? value : 0 - value
}

interface Part {
  readonly value: number
  readonly unit: Unit | undefined
}

/** A leading point belongs to a number only after a space: `.5 m`, but `S/.10` is ten soles. */
const NUMBER = /(?:(?<![^\s+-])[.,])?\d[\d.,]*/gu
/** Separators within one measure: 5 ft and 10 in, 2 anos e 6 meses. */
const JOINT_BEFORE = /^(?:,|e|y|and|con|com) /u
const JOINT_AFTER = /(?: ?,| e| y| and| con| com)$/u
const SIGN = /^(?:\+|-|\u2212|(?:minus|menos)(?: |$))|(?:\+|-|\u2212)$/u
/** A height as people say it in metres: 1m80. */
const METRES_AND_CENTIMETRES = /^(\d) ?m ?(\d{2})$/u
/** The same in feet: 5'10. */
const FEET_AND_INCHES = /^(\d) ?(?:'|\u2032|\u2019|ft|feet|foot) ?(\d{1,2})$/u

const withoutJoint = (text: string): string => text.trim().replace(JOINT_BEFORE, '').replace(JOINT_AFTER, '').trim()

/** A point or comma that ends a sentence belongs to no number. */
const numeral = (text: string): string => text.replace(/[.,]$/u, '')

/** The texts around the numbers of a line, one more than there are numbers. */
const split = (line: string): { readonly numbers: readonly string[]; readonly around: readonly string[] } => {
  const joined = line.replace(/(?<=\d) (?=\d{3}(?!\d))/gu, '')
  const found = [...joined.matchAll(NUMBER)]
  const ends = found.map(match => match.index + match[0].length)
  return {
    numbers: found.map(([number]) => numeral(number)),
    around: [0, ...ends].map((start, place) => joined.slice(start, found[place]?.index ?? joined.length)),
  }
}

const rounded = (value: number): number => Number(value.toPrecision(12))

/** In the first unit of the family: 0 K, 1 m, 1 day. */
const inBase = (value: number, { factor, offset = 0 }: Unit): number => (value + offset) * factor

const converted = (parts: readonly Part[], wanted: Unit | undefined): number | undefined => {
  const [first] = parts
  if (first === undefined) return undefined
  const units = parts.map(({ unit }) => unit ?? wanted)
  const target = wanted ?? units[0]
  if (target === undefined) return parts.length === 1 ? first.value : undefined
  if (units.some(unit => unit === undefined || unit.quantity !== target.quantity)) return undefined
  if (parts.length === 1 && units[0] === target) return first.value
  const descends = units.every((unit, place) => place === 0 || (unit?.factor ?? 0) < (units[place - 1]?.factor ?? 0))
  if (!descends || (parts.length > 1 && target.offset !== undefined)) return undefined
  const sum = parts.reduce((total, { value }, place) => total + inBase(value, units[place] ?? target), 0)
  return rounded(sum / target.factor - (target.offset ?? 0))
}

/** Unit of a wanted name; a name outside the family is a separate unit. */
const wantedUnit = (family: UnitFamily, name: string): Unit | undefined =>
  name === ''
    ? undefined
    : (unitNamed(family, name, undefined) ?? { quantity: `of ${name}`, names: [folded(name)], factor: 1 })

/**
 * Converts a measure with any unit of its family to the wanted unit: `1,80 m`, `5'10"`, `R$ 10`, `2 anos e 6 meses`. A
 * number without a unit is already in the wanted one; without a wanted unit it is unchanged. Undefined for a unit of
 * another family, another kind of quantity, and other text.
 */
export const parseMeasure = (
  family: UnitFamily,
  wantedName: string,
  line: string,
  locale: string,
): number | undefined => {
  const wanted = wantedUnit(family, wantedName)
  const spelled = folded(line).replace(METRES_AND_CENTIMETRES, '$1.$2 m').replace(FEET_AND_INCHES, '$1 ft $2 in')
  const { numbers, around } = split(spelled)
  const before = (around[0] ?? '').trim()
  const [sign = ''] = SIGN.exec(before) ?? []
  const prefix = before.replace(SIGN, '').trim()
  const parts: Part[] = []
  for (const [place, number] of numbers.entries()) {
    const suffix = withoutJoint(around[place + 1] ?? '').replace(/[.!]$/u, '')
    const names = [place === 0 ? prefix : '', suffix].filter(name => name !== '')
    const units = names.map(name => unitNamed(family, name, wanted))
    const value = plainNumber(number, locale)
    const isUnclear = units.includes(undefined) || new Set(units).size > 1 || (numbers.length > 1 && names.length === 0)
    if (value === undefined || isUnclear) return undefined
    parts.push({ value: sign === '' || sign === '+' ? value : 0 - value, unit: units[0] })
  }
  return converted(parts, wanted)
}
