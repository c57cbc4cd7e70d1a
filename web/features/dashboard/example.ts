import type { DashboardData } from './dashboard-query.ts'

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

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * DAY_MS).getUTCDay())

/** A made-up team over a period that ends on a day (`2026-11-19`). */
export const exampleDashboard = (length: number, today: string): DashboardData => {
  const last = Date.parse(today) / DAY_MS
  const numbers = Array.from({ length }, (_, at) => last - length + 1 + at)
  const perDay = (most: number, phase: number) =>
    numbers.map(day => Math.round(most * 2 * waveAt(day, phase) * (isWeekend(day) ? 0.12 : 1)))
  const edits = PEOPLE.map(({ perDay: most, ...person }, at) => ({ person, counts: perDay(most, at) }))
  return {
    days: numbers.map(day => new Date(day * DAY_MS).toISOString().slice(0, 10)),
    edits,
    editors: numbers.map((_, at) => edits.filter(({ counts }) => (counts[at] ?? 0) > 0).length),
    publishes: perDay(2, 5),
    signins: { succeeded: perDay(6, 6), failed: perDay(0.8, 7) },
    bots: { running: 3, started: 1, pending: 1, stopped: 2 },
    locked: { total: 1, people: [{ id: 'example/otavio', username: 'otavio', firstname: 'Otávio', lastname: 'Lima' }] },
  }
}
