import { z } from 'zod'

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const DAY = /^\d{4}-\d\d-\d\d$/
const SEPARATOR = '..'

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** Ends of `from..to`; undefined for a single value. */
const endsOf = (text: string): readonly [from: string, to: string] | undefined => {
  const at = text.indexOf(SEPARATOR)
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + SEPARATOR.length)]
}

const range = (isEnd: (text: string) => boolean, toFrom: (end: string) => string | number, toTo = toFrom) =>
  z
    .string()
    .max(100)
    .refine(text => {
      const ends = endsOf(text)
      if (ends === undefined) return isEnd(text)
      return ends.some(end => end !== '') && ends.every(end => end === '' || isEnd(end))
    })
    .transform(text => {
      const ends = endsOf(text)
      // A day alone is the range of its times.
      const [from, to] = ends ?? [text, text]
      if (ends === undefined && toFrom(text) === toTo(text)) return toFrom(text)
      return { ...(from === '' ? {} : { from: toFrom(from) }), ...(to === '' ? {} : { to: toTo(to) }) }
    })

/** A number, or `from..to` with both ends in it; either end may be missing. */
export const numberFilter = range(text => NUMBER.test(text), Number)

const startOf = (text: string): string => (DAY.test(text) ? `${text}T00:00:00.000Z` : new Date(text).toISOString())
const endOf = (text: string): string => (DAY.test(text) ? `${text}T23:59:59.999Z` : new Date(text).toISOString())

/** A time (ISO 8601), a day in UTC, or `from..to` of these with both ends in it; either end may be missing. */
export const timeFilter = range(text => instant.safeParse(text).success, startOf, endOf)
