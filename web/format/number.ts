import i18next from 'i18next'

/** A number with the separators of the console's language: 1.258 in Portuguese, 1,258 in English. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(i18next.language === 'pt' ? 'pt-BR' : i18next.language, options)

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
