import { useMemo, useState } from 'react'
import type { Moment } from '#web/entity/flow/flow-revision.ts'
import { dayKey } from './day.ts'

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
export const windowAround = (days: readonly EditDay[], index: number, range: Range, before: string | undefined) => {
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
  const shown = windowAround(days, index, range, held?.range === range ? held.start : undefined)
  const start = shown[0]?.key
  if (held?.range !== range || held.start !== start) setHeld({ range, start })
  return { days: shown, toEnd: shown.at(-1)?.key === days.at(-1)?.key }
}
