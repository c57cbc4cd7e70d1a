import { folded } from '#schemas/fold-text.ts'

/** A unit: its names, folded, and how many of the base of its quantity it is, after `offset` is added. */
export interface Unit {
  readonly quantity: string
  readonly names: readonly string[]
  readonly factor: number
  readonly offset?: number
}

/** Units by the name that blocks have for them. */
export type UnitFamily = ReadonlyMap<string, Unit>

const unit = (quantity: string, factor: number, names: string, offset?: number): Unit => ({
  quantity,
  factor,
  names: names.split('|'),
  ...(offset === undefined ? {} : { offset }),
})

/** In days; a month is the twelfth of a year. */
export const AGE: UnitFamily = new Map([
  ['year', unit('age', 365.25, 'year|years|years old|year old|yrs|yr|y|yo|y/o|ano|anos|anos de idade|anos de edad')],
  ['month', unit('age', 365.25 / 12, 'month|months|months old|month old|mes|meses|meses de idade|meses de edad')],
  ['week', unit('age', 7, 'week|weeks|weeks old|week old|semana|semanas')],
  ['day', unit('age', 1, 'day|days|days old|day old|dia|dias')],
])

/** In kelvin. */
export const TEMPERATURE: UnitFamily = new Map([
  [
    'C',
    unit(
      'temperature',
      1,
      'c|°c|ºc|° c|º c|celsius|centigrade|centigrados|degrees celsius|degrees c|graus celsius|graus c|graus centigrados|grados celsius|grados c|grados centigrados|grau celsius|grado celsius',
      273.15,
    ),
  ],
  [
    'F',
    unit(
      'temperature',
      5 / 9,
      'f|°f|ºf|° f|º f|fahrenheit|degrees fahrenheit|degrees f|graus fahrenheit|graus f|grados fahrenheit|grados f|grau fahrenheit|grado fahrenheit',
      459.67,
    ),
  ],
  ['K', unit('temperature', 1, 'k|°k|ºk|kelvin|kelvins', 0)],
])

export const DIMENSION: UnitFamily = new Map([
  ['mm', unit('length', 0.001, 'mm|milimetro|milimetros|millimeter|millimeters|millimetre|millimetres')],
  ['cm', unit('length', 0.01, 'cm|cms|centimetro|centimetros|centimeter|centimeters|centimetre|centimetres')],
  ['m', unit('length', 1, 'm|mt|mts|metro|metros|meter|meters|metre|metres')],
  [
    'km',
    unit(
      'length',
      1000,
      'km|kms|quilometro|quilometros|kilometro|kilometros|kilometer|kilometers|kilometre|kilometres',
    ),
  ],
  ['in', unit('length', 0.0254, `in|"|''|″|”|inch|inches|pol|polegada|polegadas|pulgada|pulgadas`)],
  ['ft', unit('length', 0.3048, `ft|'|′|’|foot|feet|pe|pes|pie|pies`)],
  ['g', unit('mass', 1, 'g|gr|grs|gram|grams|gramme|grammes|grama|gramas|gramo|gramos')],
  [
    'kg',
    unit('mass', 1000, 'kg|kgs|kilo|kilos|quilo|quilos|kilogram|kilograms|quilograma|quilogramas|kilogramo|kilogramos'),
  ],
  ['ml', unit('volume', 1, 'ml|mililitro|mililitros|milliliter|milliliters|millilitre|millilitres')],
  ['l', unit('volume', 1000, 'l|lt|lts|litro|litros|liter|liters|litre|litres')],
])

const money = (code: string, names: string): [string, Unit] => [code, unit(code, 1, `${code.toLowerCase()}|${names}`)]

/** Exchange rates are unknown: each currency is a separate quantity. A bare `$` or `peso` is the wanted currency. */
export const CURRENCY: UnitFamily = new Map([
  money('BRL', 'r$|r $|real|reais|reales|brazilian real|brazilian reais|reales brasilenos'),
  money(
    'USD',
    'us$|u$|u$s|u$d|$|usd$|us dollar|us dollars|dollar|dollars|buck|bucks|dolar|dolares|dolar americano|dolares americanos',
  ),
  money('EUR', '€|euro|euros'),
  money('ARS', 'ar$|$|peso|pesos|peso argentino|pesos argentinos|argentine pesos'),
  money('CLP', 'clp$|cl$|ch$|$|peso|pesos|peso chileno|pesos chilenos|chilean pesos'),
  money('COP', 'col$|cop$|$|peso|pesos|peso colombiano|pesos colombianos|colombian pesos'),
  money('MXN', 'mx$|mxn$|mex$|$|peso|pesos|peso mexicano|pesos mexicanos|mexican pesos'),
  money('PEN', 's/|s/.|sol|soles|nuevo sol|nuevos soles|peruvian soles'),
  money('UYU', 'uy$|$u|$|peso|pesos|peso uruguayo|pesos uruguayos|uruguayan pesos'),
])

/** Hundredths of the wanted currency. */
const CENT: Unit = unit('cent', 0.01, 'cent|cents|centavo|centavos|centimo|centimos')
/** A degree of the scale that is wanted. */
const DEGREE = ['°', 'º', 'grau', 'graus', 'grado', 'grados', 'degree', 'degrees', 'deg']

/** The unit of a name; one that several share is the wanted one where that has it. */
const unitNamed = (family: UnitFamily, name: string, wanted: Unit | undefined): Unit | undefined => {
  const exact = family.get(name)
  if (exact !== undefined) return exact
  const isWanted =
    wanted !== undefined && (wanted.names.includes(name) || (family === TEMPERATURE && DEGREE.includes(name)))
  if (isWanted) return wanted
  if (family === CURRENCY && wanted !== undefined && CENT.names.includes(name))
    return { ...CENT, quantity: wanted.quantity }
  return [...family.values()].find(({ names }) => names.includes(name))
}

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
