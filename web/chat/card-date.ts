/** Dates that an adaptive card formats itself: `{{DATE(2026-05-04T10:00:00Z,SHORT)}}`, `{{TIME(…)}}`. */
const MACRO = /\{\{(DATE|TIME)\(([^(),{}]+?)(?:,\s*(COMPACT|SHORT|LONG))?\s*\)\}\}/gu

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  COMPACT: { dateStyle: 'short' },
  SHORT: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  LONG: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
}

/** Formats dates and times for the language; keeps text that is not a valid date. */
export const withDates = (text: string, language: string): string =>
  text.replaceAll(MACRO, (whole, kind: string, written: string, style = 'COMPACT') => {
    const moment = Date.parse(written.trim())
    if (Number.isNaN(moment)) return whole
    const format = kind === 'TIME' ? ({ hour: '2-digit', minute: '2-digit' } as const) : STYLES[style]
    return new Intl.DateTimeFormat(language, format).format(moment)
  })
