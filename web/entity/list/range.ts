import { dayBounds } from '#web/format/time.ts'

/** Both ends belong to it; an empty end is open. */
interface Range {
  readonly from: string
  readonly to: string
}

const SEPARATOR = '..'
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

const isEnd = (kind: 'number' | 'time', end: string) => {
  if (kind === 'number') return NUMBER.test(end)
  return DAY.test(end) && !Number.isNaN(Date.parse(end))
}

export const rangeText = ({ from, to }: Range): string => `${from}${SEPARATOR}${to}`

/** A range of numbers (`1..5`) or of days (`2026-11-01..2026-11-30`); undefined where it is none. */
export const parseRange = (kind: 'number' | 'time', text: string): Range | undefined => {
  const [from, to, ...rest] = text.split(SEPARATOR)
  if (from === undefined || to === undefined || rest.length > 0 || from + to === '') return undefined
  return [from, to].every(end => end === '' || isEnd(kind, end)) ? { from, to } : undefined
}

export const isReversed = (kind: 'number' | 'time', { from, to }: Range): boolean => {
  if (from === '' || to === '') return false
  return kind === 'number' ? Number(from) > Number(to) : from > to
}

/** Days as the times that the API compares with. */
export const timesOf = (text: string): string => {
  const range = parseRange('time', text)
  if (range === undefined) return text
  return rangeText({
    from: range.from === '' ? '' : dayBounds(range.from).first,
    to: range.to === '' ? '' : dayBounds(range.to).last,
  })
}
