import { ANY_COUNTRY } from '#schemas/entities/pricelist.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReceiptPricing } from '#schemas/events/campaign.ts'
import { fieldText, isObject, objectsOf, textOf } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { openPhones } from '../audience/phone.ts'
import type { Behaviour, Live } from '../behaviour.ts'

/** Decimals of an amount: prices of single messages have four or five. */
const DECIMALS = 6
const MICRO = 10n ** BigInt(DECIMALS)
const MIN_DECIMALS = 2
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/u

/** A decimal text in millionths; undefined where it is none. Amounts are never numbers with a fraction. */
export const microsOf = (amount: string): bigint | undefined => {
  const [, whole, part = ''] = AMOUNT.exec(amount) ?? []
  return whole === undefined ? undefined : BigInt(whole) * MICRO + BigInt(part.padEnd(DECIMALS, '0'))
}

const LONG_AMOUNT = /^(\d{1,9})\.(\d{7,20})$/u

/** Price of a receipt in millionths, rounded half up; undefined for other texts. */
export const roundedMicros = (amount: string): number | undefined => {
  const [, whole = '', part = ''] = LONG_AMOUNT.exec(amount) ?? []
  if (whole === '') {
    const micros = microsOf(amount)
    return micros === undefined ? undefined : Number(micros)
  }
  return Number(microsOf(`${whole}.${part.slice(0, DECIMALS)}`)) + (Number(part[DECIMALS]) >= 5 ? 1 : 0)
}

/** Millionths as a decimal text with at least two decimals: `2581.06`, `0.0625`. */
export const amountOf = (micros: bigint): string => {
  const part = String(micros % MICRO).padStart(DECIMALS, '0')
  const needed = part.slice(0, [...part].findLastIndex(digit => digit !== '0') + 1)
  return `${micros / MICRO}.${needed.padEnd(MIN_DECIMALS, '0')}`
}

/** A price list as its entity keeps it. */
export interface PriceList {
  readonly id: string
  readonly name: string
  readonly currency: string
  /** First day, YYYY-MM-DD (UTC). */
  readonly from: string
  /** Millionths, by category and country. */
  readonly prices: ReadonlyMap<string, bigint>
}

const keyOf = (category: string, country: string): string => `${category} ${country}`

export const priceListOf = (id: string, fields: Live['fields']): PriceList => ({
  id,
  name: fieldText(fields, 'name'),
  currency: fieldText(fields, 'currency'),
  from: fieldText(fields, 'valid_from'),
  prices: new Map(
    objectsOf(fields.rows).flatMap(row => {
      const micros = microsOf(fieldText(row, 'price'))
      return micros === undefined ? [] : [[keyOf(fieldText(row, 'category'), fieldText(row, 'country')), micros]]
    }),
  ),
})

/** Price of a message in millionths; undefined where the list has none. */
export const priceOf = ({ prices }: PriceList, category: string, country: string): bigint | undefined =>
  prices.get(keyOf(category, country)) ?? prices.get(keyOf(category, ANY_COUNTRY))

/** The list that counts on a day (YYYY-MM-DD): the newest one that has begun, of equal days the last one. */
export const listOn = (lists: readonly PriceList[], day: string): PriceList | undefined =>
  lists
    .filter(({ from }) => from <= day)
    .reduce<PriceList | undefined>(
      (found, list) => (found === undefined || list.from >= found.from ? list : found),
      undefined,
    )

/** Messages with the same price. */
export interface PricedCount {
  readonly category: string
  readonly country: string
  readonly count: number
}

/** Sum of a list's prices; `unpriced` messages have none. */
export const sumOf = (list: PriceList, counts: readonly PricedCount[]) => {
  let [sum, unpriced] = [0n, 0]
  for (const { category, country, count } of counts) {
    const price = priceOf(list, category, country)
    if (price === undefined) unpriced += count
    else sum += price * BigInt(count)
  }
  return { amount: amountOf(sum), unpriced }
}

/** Two rows of one list for the same messages: the later one, by its place. */
const repeatedRow = (rows: Json | undefined): number | undefined => {
  const seen = new Set<string>()
  for (const [place, row] of objectsOf(rows).entries()) {
    const key = keyOf(fieldText(row, 'category'), fieldText(row, 'country'))
    if (seen.has(key)) return place
    seen.add(key)
  }
  return undefined
}

const isImpossibleDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day
}

const checked = (changes: Live['fields']): Result<Live['fields']> => {
  const place = repeatedRow(changes.rows)
  const day = changes.valid_from
  const errors: readonly FieldError[] = [
    ...(place === undefined
      ? []
      : [{ path: `rows.${place}.country`, code: 'duplicate' as const, params: { rule: 'pricerow' } }]),
    ...(typeof day === 'string' && isImpossibleDay(day) ? [{ path: 'valid_from', code: 'format' as const }] : []),
  ]
  return errors.length === 0 ? accepted(changes) : refused('validation.failed', { errors })
}

/** Rules of a price list beyond its declaration: one price for the same messages. */
export const priceListBehaviour = {
  commands: {},
  onCreate: fields => checked(fields),
  onChange: (_state, changes) => checked(changes),
} satisfies Behaviour

/** Price of a delivered message, without its words. `currency` is empty without an amount in the receipt. */
export type MessagePrice = {
  readonly category: string
  /** ISO 3166; empty where the receipt does not name the recipient. */
  readonly country: string
  /** Null until a receipt says it. */
  readonly billable: boolean | null
  readonly currency: string
  /** Millionths of the currency. */
  readonly micros: number
}

const WORD = /^[\w-]{1,40}$/u

/** A word of a provider as part of a counter's key. */
const wordOf = (text: string): string => (WORD.test(text) ? text.toLowerCase() : '')

/** Price in a receipt of a message to these digits. */
export const messagePrice = async (
  { category = '', billable, amount = '', currency = '' }: ReceiptPricing,
  digits: string,
): Promise<MessagePrice> => {
  const micros = currency === '' ? undefined : roundedMicros(amount)
  const reading = digits === '' ? undefined : (await openPhones())(`+${digits.replace(/^\+/u, '')}`)
  return {
    category: wordOf(category),
    country: reading?.ok === true ? reading.phone.country : '',
    billable: billable ?? null,
    currency: micros === undefined ? '' : wordOf(currency).toUpperCase(),
    micros: micros ?? 0,
  }
}

/** Number of messages with the same price data, and the sum of their prices. */
export interface MessageCost {
  readonly count: number
  readonly micros: number
}

/** Key of the messages with the same price data. */
const priceKey = (price: JsonObject): string =>
  [price.category, price.country, price.billable ?? 'null', price.currency].map(String).join(' ')

export const pricedBy = (key: string) => {
  const [category = '', country = '', billable = '', currency = ''] = key.split(' ')
  return { category, country, isBillable: billable === 'null' ? null : billable === 'true', currency }
}

/** Costs with the price of one more message; the same object where there is none. */
export const withPrice = (
  costs: Readonly<Record<string, MessageCost>>,
  price: Json | undefined,
): Readonly<Record<string, MessageCost>> => {
  if (!isObject(price)) return costs
  const key = priceKey({ ...price, category: textOf(price.category), country: textOf(price.country) })
  const { count, micros } = costs[key] ?? { count: 0, micros: 0 }
  return { ...costs, [key]: { count: count + 1, micros: micros + Number(price.micros) } }
}
