import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { DASHBOARD_PERIODS } from '#schemas/api/home.ts'
import type { AuditFigure } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { dayBounds, timeIn } from '#web/format/time.ts'

export type DashboardData = AnswerOf<'GET /dashboard'>
export type Period = (typeof DASHBOARD_PERIODS)[number]

export const DEFAULT_PERIOD: Period = '30'

/** Period from an address; the default for unknown values. */
export const periodOf = (asked: string | null): Period =>
  DASHBOARD_PERIODS.find(days => days === asked) ?? DEFAULT_PERIOD

const REFRESH_MS = 60_000

/** `level` is the caller's level: another one has other numbers. */
export const dashboardQuery = (days: Period, level: string) =>
  queryOptions({
    queryKey: ['dashboard', level, days],
    queryFn: () => http.get('/dashboard', { query: { days } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

/** Audit filter of a chart. */
export interface AuditQuery {
  readonly figure?: AuditFigure
  readonly user?: string
  readonly within?: string
}

/** The audit lines that a chart counts on a day (`2026-11-19`). */
export const dayInAudit = (day: string, query: AuditQuery): string => {
  const { first, last } = dayBounds(day)
  return `/audit?${new URLSearchParams({ ...query, from: first, to: last })}`
}

/** Noon of São Paulo: the same day in the zone in which days are written. */
const noon = (day: string): Date => new Date(`${day}T15:00:00Z`)

/** Saturday or Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(noon(day).getUTCDay())

/** `19/11`. */
export const shortDay = (day: string): string => `${day.slice(8)}/${day.slice(5, 7)}`

/** Thursday, 19/11/2026, the weekday in the reader's language. */
export const dayName = (day: string, language: string): string =>
  timeIn(language, { weekday: 'long', day: '2-digit', month: '2-digit', year: 'numeric' }).format(noon(day))

const DAY_MS = 86_400_000
const PEOPLE = [
  { id: 'example/camila', username: 'camila', firstname: 'Camila', lastname: 'Rocha', perDay: 14 },
  { id: 'example/joana', username: 'joana', firstname: 'Joana', lastname: 'Sales', perDay: 10 },
  { id: 'example/rafael', username: 'rafael', firstname: 'Rafael', lastname: 'Torres', perDay: 7 },
  { id: 'example/otavio', username: 'otavio', firstname: 'Otávio', lastname: 'Lima', perDay: 4 },
]

/** The same number for the same day at every call, between 0 and 1. */
const waveAt = (day: number, phase: number): number =>
  (Math.sin(day * 1.7 + phase * 2.3) + Math.cos(day * 0.6 + phase) + 2) / 4

const dayAt = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** A made-up team over a period that ends on a day (`2026-11-19`). */
export const exampleDashboard = (length: number, today: string): DashboardData => {
  const last = Date.parse(today) / DAY_MS
  const numbers = Array.from({ length }, (_, at) => last - length + 1 + at)
  const perDay = (most: number, phase: number) =>
    numbers.map(day => Math.round(most * 2 * waveAt(day, phase) * (isWeekend(dayAt(day)) ? 0.12 : 1)))
  const edits = PEOPLE.map(({ perDay: most, ...person }, at) => ({ person, counts: perDay(most, at) }))
  return {
    days: numbers.map(dayAt),
    edits,
    editors: numbers.map((_, at) => edits.filter(({ counts }) => (counts[at] ?? 0) > 0).length),
    publishes: perDay(2, 5),
    signins: { succeeded: perDay(6, 6), failed: perDay(0.8, 7) },
    bots: { running: 3, started: 1, pending: 1, stopped: 2 },
    locked: { total: 1, people: [{ id: 'example/otavio', username: 'otavio', firstname: 'Otávio', lastname: 'Lima' }] },
  }
}
