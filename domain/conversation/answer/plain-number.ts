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
