import { ANY_COUNTRY, type PRICE_CATEGORIES } from '#schemas/entities/pricelist.ts'
import { folded } from '#schemas/fold-text.ts'

type Category = (typeof PRICE_CATEGORIES)[number]

/** A row of a price list, as its form has it. */
export interface PriceRow {
  readonly category: Category
  readonly country: string
  readonly price: string
}

/** Key of the messages that a row is the price of. */
const messagesOf = ({ category, country }: PriceRow): string => `${category} ${country}`

interface PastedPrices {
  readonly rows: readonly PriceRow[]
  /** Lines that were not read, from 1, with the cell that is not understood. */
  readonly unread: readonly { readonly line: number; readonly text: string }[]
}

/** Code of a country by its name or code; undefined where there is none. */
type CountryReader = (name: string) => string | undefined

const fold = (text: string): string => folded(text).trim()

/** First words of each category in the languages of the console. */
const CATEGORIES: readonly (readonly [RegExp, Category])[] = [
  [/^marketing/u, 'marketing'],
  [/^(?:utilit|utilid)/u, 'utility'],
  [/^(?:authent|autent)/u, 'authentication'],
  [/^(?:servic|servico)/u, 'service'],
]
const EVERY = new Set(['*', 'all', 'any', 'todos', 'todas', 'qualquer', 'cualquiera', 'other', 'outros', 'otros'])
/** A cell that says that there is no price. */
const NONE = new Set(['', '-', '–', '—', 'n/a', 'na'])

const categoryOf = (cell: string): Category | undefined => CATEGORIES.find(([pattern]) => pattern.test(fold(cell)))?.[1]

const REGION_CODE = /^[A-Za-z]{2}$/u
const LETTER_A = 65
const LETTERS = 26

/** Reads names of countries in some languages, and their codes. */
export const countryReader = (languages: readonly string[]): CountryReader => {
  const codes = new Map<string, string>()
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (let at = 0; at < LETTERS * LETTERS; at += 1) {
      const code = String.fromCharCode(LETTER_A + Math.floor(at / LETTERS), LETTER_A + (at % LETTERS))
      const name = names.of(code)
      if (name !== undefined && !codes.has(fold(name))) codes.set(fold(name), code)
    }
  }
  const known = new Set(codes.values())
  return name => {
    if (EVERY.has(fold(name))) return ANY_COUNTRY
    const code = name.trim().toUpperCase()
    return REGION_CODE.test(code) && known.has(code) ? code : codes.get(fold(name))
  }
}

const PRICE = /^\d{1,9}(?:\.\d{1,6})?$/u

/** `R$ 0,3125` and `$0.0625` as a decimal text. The last comma or point is that of the decimals. */
const priceIn = (cell: string): string | undefined => {
  const digits = cell.replace(/[^\d.,]/gu, '')
  const point = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const whole = (point === -1 ? digits : digits.slice(0, point)).replace(/[.,]/gu, '')
  const part = point === -1 ? '' : digits.slice(point + 1)
  const price = `${whole.replace(/^0+(?=\d)/u, '') || '0'}${part === '' ? '' : `.${part}`}`
  return digits === '' || !PRICE.test(price) ? undefined : price
}

const separatorOf = (text: string): string => ['\t', ';'].find(separator => text.includes(separator)) ?? ','

const cellsOf = (line: string, separator: string): readonly string[] =>
  line.split(separator).map(cell =>
    cell
      .trim()
      .replace(/^"(.*)"$/u, '$1')
      .trim(),
  )

/** Column of each category, if the line is the head of a table with one column for each. */
const headOf = (cells: readonly string[]): ReadonlyMap<number, Category> | undefined => {
  const columns = new Map(
    cells.flatMap((cell, at) => {
      const category = categoryOf(cell)
      return category === undefined ? [] : [[at, category] as const]
    }),
  )
  return columns.size > 0 && !cells.some(cell => priceIn(cell) !== undefined) ? columns : undefined
}

/** Country, then a price in each column of a category. */
const wideRows = (
  cells: readonly string[],
  columns: ReadonlyMap<number, Category>,
  country: string,
): readonly PriceRow[] | string => {
  const rows: PriceRow[] = []
  for (const [at, category] of columns) {
    const cell = cells[at] ?? ''
    if (NONE.has(fold(cell))) continue
    const price = priceIn(cell)
    if (price === undefined) return cell
    rows.push({ category, country, price })
  }
  return rows
}

/** Category, country and price in any order. */
const narrowRow = (cells: readonly string[], readCountry: CountryReader): readonly PriceRow[] | string => {
  const at = cells.findIndex(cell => categoryOf(cell) !== undefined)
  const category = categoryOf(cells[at] ?? '')
  if (category === undefined) return cells.join(' ')
  const rest = cells.filter((_, place) => place !== at)
  const country = rest.map(cell => readCountry(cell)).find(code => code !== undefined)
  if (country === undefined) return rest[0] ?? ''
  const price = rest
    .filter(cell => readCountry(cell) === undefined)
    .map(priceIn)
    .find(found => found !== undefined)
  return price === undefined ? (rest.at(-1) ?? '') : [{ category, country, price }]
}

/**
 * Prices copied from a spreadsheet: a table of countries with one column for each category, or lines of category, country
 * and price. A later line for the same messages replaces an earlier one.
 */
export const readPastedPrices = (text: string, readCountry: CountryReader): PastedPrices => {
  const found = new Map<string, PriceRow>()
  const unread: { line: number; text: string }[] = []
  const separator = separatorOf(text)
  let columns: ReadonlyMap<number, Category> | undefined
  for (const [place, line] of text.split(/\r\n|\n|\r/u).entries()) {
    const cells = cellsOf(line, separator)
    if (cells.every(cell => cell === '')) continue
    const isFirst = found.size === 0 && unread.length === 0
    const head = isFirst ? headOf(cells) : undefined
    if (head !== undefined) columns = head
    // A head without a price names the columns of lines.
    if (isFirst && columns === head && !cells.some(cell => priceIn(cell) !== undefined)) continue
    const isWide = columns !== undefined && !cells.some(cell => categoryOf(cell) !== undefined)
    const country = isWide ? readCountry(cells[0] ?? '') : undefined
    const read = !isWide
      ? narrowRow(cells, readCountry)
      : country === undefined
        ? (cells[0] ?? '')
        : wideRows(cells, columns ?? new Map(), country)
    if (typeof read === 'string') unread.push({ line: place + 1, text: read })
    else for (const row of read) found.set(messagesOf(row), row)
  }
  return { rows: [...found.values()], unread }
}

/** Rows of a list with pasted ones: equal messages get the new price. */
export const withPasted = (rows: readonly PriceRow[], pasted: readonly PriceRow[]): readonly PriceRow[] => {
  const byMessages = new Map(rows.map(row => [messagesOf(row), row]))
  for (const row of pasted) byMessages.set(messagesOf(row), { ...byMessages.get(messagesOf(row)), ...row })
  return [...byMessages.values()]
}
