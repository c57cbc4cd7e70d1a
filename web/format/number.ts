import i18next from 'i18next'

/** A number with the separators of the console's language: 1.258 in Portuguese, 1,258 in English. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(i18next.language === 'pt' ? 'pt-BR' : i18next.language, options)
