import { defineEntity } from '../entity.ts'
import { enumeration, list, string } from '../field/field.ts'

/** Categories that providers bill. */
export const PRICE_CATEGORIES = ['marketing', 'utility', 'authentication', 'service'] as const
/** All countries that the list does not name. */
export const ANY_COUNTRY = '*'
const COUNTRY = /^(?:[A-Z]{2}|\*)$/u
const CURRENCY = /^[A-Z]{3}$/u
/** Decimal text, so that no amount is ever rounded: at most six decimals. */
const AMOUNT = /^\d{1,9}(?:\.\d{1,6})?$/u
/** All countries in all categories. */
const MAX_ROWS = 1200

/** Prices of delivered messages, from a day on, for a level and the levels below it. Parley brings none. */
export const pricelist = defineEntity({
  name: 'pricelist',
  type: 'PriceList',
  parent: 'level',
  icon: 'Coins',
  fields: {
    name: string({ required: true }),
    /** ISO 4217. */
    currency: string({ required: true, max: 3, pattern: CURRENCY, rule: 'currency', initial: 'BRL' }),
    /** First day (UTC); the newest one that has come counts. */
    valid_from: string({ required: true, max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/u, rule: 'day', control: 'date' }),
    rows: list(
      {
        category: enumeration(PRICE_CATEGORIES, { required: true, initial: 'marketing' }),
        /** ISO 3166, or `*`. */
        country: string({ required: true, max: 2, pattern: COUNTRY, rule: 'pricecountry', initial: ANY_COUNTRY }),
        price: string({ required: true, max: 16, pattern: AMOUNT, rule: 'amount' }),
      },
      { maxItems: MAX_ROWS },
    ),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'currency', as: 'tags' },
      { field: 'valid_from', as: 'text' },
    ],
    search: ['name', 'currency'],
  },
  form: [
    { id: 'general', fields: ['name', 'currency', 'valid_from'] },
    { id: 'rows', fields: ['rows'], preview: 'price-paste' },
  ],
  place: { hub: { page: 'campaignmanagement', order: 45 } },
})
