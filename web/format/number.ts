import i18next from 'i18next'

/** A number with the separators of the console's language: 1.258 in Portuguese, 1,258 in English. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(i18next.language === 'pt' ? 'pt-BR' : i18next.language, options)

const CENTS = 2
const MICROS = 6

/** A decimal text as an amount of money: `R$ 2.581,06`. Less than one unit keeps its further decimals. */
export const moneyText = (amount: string, currency: string): string => {
  const maximumFractionDigits = amount.startsWith('0.') ? MICROS : CENTS
  const style = { style: 'currency', currency, minimumFractionDigits: CENTS, maximumFractionDigits } as const
  const language = i18next.language === 'pt' ? 'pt-BR' : i18next.language
  // As a text: a number would lose digits of large sums.
  return new Intl.NumberFormat(language, style).format(amount as unknown as number)
}

/** Name of a country (ISO 3166) in the console's language; undefined for a code that is none. */
export const countryText = (code: string): string | undefined =>
  /^[A-Z]{2}$/u.test(code) ? new Intl.DisplayNames(i18next.language, { type: 'region' }).of(code) : undefined

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes as people read it, in thousands: `42,8 kB` in Portuguese. */
export const bytesOf = (bytes: number): string => {
  const step = Math.floor(Math.log10(Math.max(bytes, 1)) / 3)
  const unit = UNITS[Math.min(step, UNITS.length) - 1] ?? 'byte'
  const scaled = unit === 'byte' ? bytes : bytes / 1000 ** Math.min(step, UNITS.length)
  // The short form in English is "88 byte", the long form in Portuguese "0 byte".
  const unitDisplay = unit === 'byte' && i18next.language === 'en' ? 'long' : 'short'
  const style = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const
  return numberText(scaled, style)
}
