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
export const unitNamed = (family: UnitFamily, name: string, wanted: Unit | undefined): Unit | undefined => {
  const exact = family.get(name)
  if (exact !== undefined) return exact
  const isWanted =
    wanted !== undefined && (wanted.names.includes(name) || (family === TEMPERATURE && DEGREE.includes(name)))
  if (isWanted) return wanted
  if (family === CURRENCY && wanted !== undefined && CENT.names.includes(name))
    return { ...CENT, quantity: wanted.quantity }
  return [...family.values()].find(({ names }) => names.includes(name))
}
