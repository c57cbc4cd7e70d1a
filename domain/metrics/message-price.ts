import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReceiptPricing } from '#schemas/events/campaign.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { openPhones } from '../audience/phone.ts'
import { roundedMicros } from '../campaign/price.ts'

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
