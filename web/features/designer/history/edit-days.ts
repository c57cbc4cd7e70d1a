import i18next, { type TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import { dayOf, minuteOf } from '#web/format/time.ts'

/** First names joined in the reader's language: `Marina and Ana`. */
export const namesOf = (people: readonly NamedPerson[]): string => {
  const names = people.map(person => person.firstname || nameOf(person))
  const most = names.slice(0, 3)
  const rest = names.length - most.length
  if (rest > 0) most.push(i18next.t('history:flow.others', { count: rest }))
  return new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(most)
}

const ZONE = 'America/Sao_Paulo'
const HOUR = 3_600_000

const named = (style: 'long' | 'short', language: string) =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, weekday: style })

const days = new Map<number, string>()

/** The day of a moment, as `dd/mm/yyyy`; remembered by the hour, since thousands of moments ask. */
export const dayKey = (time: number): string => {
  const hour = Math.floor(time / HOUR)
  const known = days.get(hour)
  if (known !== undefined) return known
  const day = dayOf(new Date(hour * HOUR).toISOString())
  days.set(hour, day)
  return day
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1).replace(/\.$/u, '')}`
const shortDay = (time: string) => dayKey(Date.parse(time)).slice(0, 5)

/** `Thursday 19/11`, `Quinta-feira 19/11`. */
export const weekdayOf = (time: string, style: 'long' | 'short' = 'long'): string =>
  `${capital(named(style, i18next.language).format(new Date(time)))} ${shortDay(time)}`

/** `Thursday 19/11 at 16:42`, to stand inside a sentence. */
export const momentOf = (time: string): string => {
  const day = `${named('long', i18next.language).format(new Date(time))} ${shortDay(time)}`
  return i18next.t('history:flow.moment', { day, time: minuteOf(time) })
}

export const isToday = (time: string, now = Date.now()): boolean => dayKey(Date.parse(time)) === dayKey(now)

export { minuteOf }

export type Range = 'day' | 'three' | 'all'

/** A day with edits: indexes of its first and last moment. */
export interface EditDay {
  readonly key: string
  readonly first: number
  readonly last: number
}

const SIZE: Readonly<Record<Range, number>> = { day: 1, three: 3, all: Number.POSITIVE_INFINITY }

export const editDays = (moments: readonly Moment[]): readonly EditDay[] => {
  const days: { key: string; first: number; last: number }[] = []
  for (const [index, { time }] of moments.entries()) {
    const key = dayKey(Date.parse(time))
    const open = days.at(-1)
    if (open?.key === key) open.last = index
    else days.push({ key, first: index, last: index })
  }
  return days
}

/** The days on show: those of before while they hold the chosen moment, else the ones around it. */
export const visibleDays = (days: readonly EditDay[], index: number, range: Range, before: string | undefined) => {
  const size = Math.min(SIZE[range], days.length)
  const current = Math.max(
    0,
    days.findLastIndex(({ first }) => first <= index),
  )
  const kept = days.findIndex(({ key }) => key === before)
  const holds = kept >= 0 && current >= kept && current < kept + size && kept + size <= days.length
  const start = holds ? kept : Math.max(0, Math.min(current - ((size - 1) >> 1), days.length - size))
  return days.slice(start, start + size)
}

/** The days that the track shows; it moves on only when the chosen moment leaves them. */
export const useDayWindow = (moments: readonly Moment[], index: number, range: Range) => {
  const days = useMemo(() => editDays(moments), [moments])
  const [held, setHeld] = useState<{ readonly range: Range; readonly start: string | undefined }>()
  const shown = visibleDays(days, index, range, held?.range === range ? held.start : undefined)
  const start = shown[0]?.key
  if (held?.range !== range || held.start !== start) setHeld({ range, start })
  return { days: shown, toEnd: shown.at(-1)?.key === days.at(-1)?.key }
}

/** Sentence for an edit: `Marina and Ana changed 5 blocks`. */
export const momentSummary = (
  { authors, summary, source }: Pick<Moment, 'authors' | 'summary' | 'source'>,
  t: TFunction<'history'>,
): string => {
  const people = namesOf(authors)
  if (source?.kind === 'restore') return t('flow.did.restored', { people, revision: source.revision ?? '?' })
  const { added, changed, removed, links } = summary
  const sum = added.length + changed.length + removed.length
  if (sum > 0) {
    const kind = sum === added.length ? 'added' : sum === removed.length ? 'removed' : 'changed'
    return t(`flow.did.${kind}`, { people, count: sum })
  }
  if (summary.script) return t('flow.did.script', { people })
  return t('flow.did.links', { people, count: links.added.length + links.changed.length + links.removed.length })
}
