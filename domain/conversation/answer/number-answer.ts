import { isBoleto } from '#domain/brazil/boleto.ts'
import { isCep } from '#domain/brazil/cep.ts'
import { isCnpj } from '#domain/brazil/cnpj.ts'
import { isCpf } from '#domain/brazil/cpf.ts'
import { isPis } from '#domain/brazil/pis.ts'
import { folded } from '#domain/fold-text.ts'
import type { Json } from '#schemas/event.ts'
import { type Read, read, UNREAD } from './answer-place.ts'

const MAX_LENGTH = 200

const GROUPED_BY_DOTS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/u
const GROUPED_BY_COMMAS = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u
const PLAIN = /^[+-]?\d+(?:[.,]\d+)?$/u

/** Whether the people who speak a language write a comma before decimals. */
const isCommaDecimal = (locale: string): boolean => !locale.toLowerCase().startsWith('en')

/** A number as people write it, the marks of the language first: `1.234` is 1234 in Portuguese and 1.234 in English. */
const readNumber = (written: string, locale: string): Read<number> => {
  const text = written.trim().replaceAll(/[\s\u00a0]/gu, '')
  if (text === '' || text.length > MAX_LENGTH) return UNREAD
  const dots = () => text.replaceAll('.', '').replace(',', '.')
  const commas = () => text.replaceAll(',', '')
  const [first, second] = isCommaDecimal(locale)
    ? [[GROUPED_BY_DOTS, dots] as const, [GROUPED_BY_COMMAS, commas] as const]
    : [[GROUPED_BY_COMMAS, commas] as const, [GROUPED_BY_DOTS, dots] as const]
  const spelled = first[0].test(text)
    ? first[1]()
    : PLAIN.test(text)
      ? text.replace(',', '.')
      : second[0].test(text)
        ? second[1]()
        : undefined
  const value = spelled === undefined ? Number.NaN : Number(spelled)
  return Number.isFinite(value) ? read(value) : UNREAD
}

const ORDINALS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['first', 'primeiro', 'primeira', 'primero', 'primera', 'primer'],
    ['second', 'segundo', 'segunda'],
    ['third', 'terceiro', 'terceira', 'tercero', 'tercera', 'tercer'],
    ['fourth', 'quarto', 'quarta', 'cuarto', 'cuarta'],
    ['fifth', 'quinto', 'quinta'],
    ['sixth', 'sexto', 'sexta'],
    ['seventh', 'setimo', 'setima', 'septimo', 'septima'],
    ['eighth', 'oitavo', 'oitava', 'octavo', 'octava'],
    ['ninth', 'nono', 'nona', 'noveno', 'novena'],
    ['tenth', 'decimo', 'decima'],
  ].flatMap((words, place) => words.map(word => [word, place + 1] as const)),
)

const ordinal = (text: string): Read<number> => {
  const word = folded(text).trim()
  if (Object.hasOwn(ORDINALS, word)) return read(ORDINALS[word] ?? 0)
  const [, digits] = /^(\d{1,9})\s*(?:[.ºª°]|st|nd|rd|th|o|a|er|ro|do|to|mo|vo|no)?$/u.exec(word) ?? []
  return digits === undefined || Number(digits) < 1 ? UNREAD : read(Number(digits))
}

/** Names of units, in how many of the first of their family, and what is added before that. */
interface Unit {
  readonly names: readonly string[]
  readonly factor: number
  readonly offset?: number
}

const LENGTH: Readonly<Record<string, Unit>> = {
  mm: { names: ['mm', 'milimetro', 'milimetros', 'millimeter', 'millimeters'], factor: 0.001 },
  cm: { names: ['cm', 'centimetro', 'centimetros', 'centimeter', 'centimeters'], factor: 0.01 },
  m: { names: ['m', 'metro', 'metros', 'meter', 'meters'], factor: 1 },
  km: {
    names: ['km', 'quilometro', 'quilometros', 'kilometro', 'kilometros', 'kilometer', 'kilometers'],
    factor: 1000,
  },
  in: { names: ['in', '"', 'polegada', 'polegadas', 'pulgada', 'pulgadas', 'inch', 'inches'], factor: 0.0254 },
  ft: { names: ['ft', "'", 'pe', 'pes', 'pie', 'pies', 'foot', 'feet'], factor: 0.3048 },
}
const WEIGHT: Readonly<Record<string, Unit>> = {
  g: { names: ['g', 'grama', 'gramas', 'gramo', 'gramos', 'gram', 'grams'], factor: 1 },
  kg: {
    names: ['kg', 'quilo', 'quilos', 'kilo', 'kilos', 'quilograma', 'quilogramas', 'kilogram', 'kilograms'],
    factor: 1000,
  },
}
const VOLUME: Readonly<Record<string, Unit>> = {
  ml: { names: ['ml', 'mililitro', 'mililitros', 'milliliter', 'milliliters'], factor: 1 },
  l: { names: ['l', 'litro', 'litros', 'liter', 'liters', 'litre', 'litres'], factor: 1000 },
}
const TEMPERATURE: Readonly<Record<string, Unit>> = {
  C: {
    names: ['c', '°c', 'ºc', 'celsius', 'graus celsius', 'grados celsius', '°', 'º', 'graus', 'grados', 'degrees'],
    factor: 1,
    offset: 273.15,
  },
  F: { names: ['f', '°f', 'ºf', 'fahrenheit'], factor: 5 / 9, offset: 459.67 },
  K: { names: ['k', 'kelvin'], factor: 1, offset: 0 },
}
const AGE: Readonly<Record<string, Unit>> = {
  year: { names: ['year', 'years', 'years old', 'ano', 'anos', 'y', 'yo'], factor: 365.25 },
  month: { names: ['month', 'months', 'mes', 'meses'], factor: 365.25 / 12 },
  week: { names: ['week', 'weeks', 'semana', 'semanas'], factor: 7 },
  day: { names: ['day', 'days', 'dia', 'dias'], factor: 1 },
}
const CURRENCY: Readonly<Record<string, Unit>> = {
  BRL: { names: ['r$', 'brl', 'real', 'reais', 'reales'], factor: 1 },
  USD: { names: ['us$', '$', 'usd', 'dolar', 'dolares', 'dollar', 'dollars'], factor: 1 },
  EUR: { names: ['€', 'eur', 'euro', 'euros'], factor: 1 },
  ARS: { names: ['ars', '$', 'peso', 'pesos'], factor: 1 },
  CLP: { names: ['clp', '$', 'peso', 'pesos'], factor: 1 },
  COP: { names: ['cop', '$', 'peso', 'pesos'], factor: 1 },
  MXN: { names: ['mxn', 'mx$', '$', 'peso', 'pesos'], factor: 1 },
  PEN: { names: ['pen', 's/', 'sol', 'soles'], factor: 1 },
  UYU: { names: ['uyu', '$', 'peso', 'pesos'], factor: 1 },
}
const FAMILIES = [LENGTH, WEIGHT, VOLUME]

const unitNamed = (family: Readonly<Record<string, Unit>>, name: string): Unit | undefined =>
  Object.values(family).find(({ names }) => names.includes(name))

/** The number and the unit beside it, before or after. */
const partsOf = (text: string): readonly [number: string, unit: string] => {
  const written = text.trim()
  const first = written.search(/[\d+-]/u)
  if (first === -1) return ['', '']
  const [number = ''] = /^[+-]?[\d.,]*/u.exec(written.slice(first)) ?? []
  const before = written.slice(0, first).trim()
  return [number, folded(before || written.slice(first + number.length).trim())]
}

const rounded = (value: number): number => Number(value.toPrecision(12))

/** A measure with any unit of its family, in the wanted one; without a unit it is in that already. */
const measured = (family: Readonly<Record<string, Unit>>, unit: string, text: string, locale: string): Read<number> => {
  const [number, name] = partsOf(text)
  const value = readNumber(number, locale)
  const wanted = Object.hasOwn(family, unit) ? family[unit] : undefined
  const given = name === '' ? wanted : unitNamed(family, name)
  if (!value.ok || (name !== '' && given === undefined)) return UNREAD
  if (wanted === undefined || given === undefined || wanted === given) return value
  const base = (value.value + (given.offset ?? 0)) * given.factor
  return read(rounded(base / wanted.factor - (wanted.offset ?? 0)))
}

/** An amount; one of another currency than the wanted is none, for nobody knows the rate. */
const amount = (unit: string, text: string, locale: string): Read<number> => {
  const [number, name] = partsOf(text)
  const wanted = Object.hasOwn(CURRENCY, unit) ? CURRENCY[unit] : undefined
  const isOther =
    name !== '' && (wanted === undefined ? unitNamed(CURRENCY, name) === undefined : !wanted.names.includes(name))
  return isOther ? UNREAD : readNumber(number, locale)
}

const percentage = (text: string, locale: string): Read<number> =>
  readNumber(text.trim().endsWith('%') ? text.trim().slice(0, -1) : text, locale)

const within = (number: Read<number>, least: number, most: number): Read<number> =>
  number.ok && number.value >= least && number.value <= most ? number : UNREAD

const whole = (number: Read<number>): Read<number> => (number.ok && Number.isInteger(number.value) ? number : UNREAD)

const isLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return sum % 10 === 0
}

const isCreditCard = (text: string): boolean => {
  const digits = text.replaceAll(/[\s.-]/gu, '')
  return /^\d{12,19}$/u.test(digits) && !/^(\d)\1+$/u.test(digits) && isLuhn(digits)
}

const isAddress = (text: string): boolean => {
  const isFour = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/u.test(text)
  return isFour || (/^[\da-f:.]{2,45}$/iu.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`))
}

/** Documents with or without marks; their digits are kept, zeros in front included. */
const DOCUMENTS: Readonly<Record<string, (text: string) => boolean>> = {
  CPF: isCpf,
  CNPJ: isCnpj,
  CEP: isCep,
  Boleto: isBoleto,
  PIS: isPis,
  CreditCard: isCreditCard,
}

const document = (isValid: (text: string) => boolean, text: string): Read<string> =>
  isValid(text) ? read(text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()) : UNREAD

/** A number, or what a validation wants, converted to `unit` where it has one (RUNTIME 39). */
export const readNumeric = (said: string, validation: string, unit: string, locale: string): Read<Json> => {
  const text = said.trim()
  if (text === '' || text.length > MAX_LENGTH) return UNREAD
  const isDocument = Object.hasOwn(DOCUMENTS, validation) ? DOCUMENTS[validation] : undefined
  if (isDocument !== undefined) return document(isDocument, text)
  switch (validation) {
    case 'IP':
      return isAddress(text) ? read(text) : UNREAD
    case 'Percentage':
      return percentage(text, locale)
    case 'Ordinal':
      return ordinal(text)
    case 'Port':
      return /^\d{1,5}$/u.test(text) ? whole(within(read(Number(text)), 0, 65_535)) : UNREAD
    case 'Age':
      return within(measured(AGE, unit, text, locale), 0, 1e6)
    case 'Temperature':
      return measured(TEMPERATURE, unit, text, locale)
    case 'Dimension':
      return measured(
        FAMILIES.find(family => Object.hasOwn(family, unit)) ?? { ...LENGTH, ...WEIGHT, ...VOLUME },
        unit,
        text,
        locale,
      )
    case 'Currency':
      return amount(unit, text, locale)
    default:
      return readNumber(text, locale)
  }
}
