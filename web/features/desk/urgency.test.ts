import { afterEach, expect, test, vi } from 'vitest'
import { countdownOf, goesOver, groupsOf, nextMorning, urgencyOf } from './urgency.ts'

// Other files share the process.
afterEach(() => {
  vi.unstubAllEnvs()
})

const at = (time: string): string => `2026-11-29T12:${time}.000Z`
const now = (time: string): number => Date.parse(at(time))

test('turns amber and red at the two moments of the chat, which the server counts in open hours [P-2360] [P-2379]', () => {
  // The queue closed at 01:10 and opened at 40:00: twice the goal is not twice the time.
  const chat = { goal: at('01:00'), overdue: at('40:50') }
  const tones = ['00:59', '01:00', '40:49', '40:50'].map(time => urgencyOf(chat, now(time)))
  expect(tones).toEqual(['calm', 'late', 'late', 'overdue'])
  expect(urgencyOf({ goal: null, overdue: null }, now('59:00'))).toBe('calm')
})

test('counts down to the goal in minutes and seconds [P-2360]', () => {
  expect(['00:00', '00:40', '01:59', '05:00'].map(time => countdownOf(at('02:00'), now(time)))).toEqual([
    '2:00',
    '1:20',
    '0:01',
    '0:00',
  ])
})

test('puts a chat away until nine of the next day, also where the clock is put forward or back [P-2229]', () => {
  vi.stubEnv('TZ', 'America/New_York')
  // 00:30 of a day of 25 hours, 23:30 of the day before one of 23, and the last minute of a year.
  expect(
    ['2026-11-01T04:30:00Z', '2027-03-14T04:30:00Z', '2027-01-01T04:59:00Z'].map(time =>
      nextMorning(Date.parse(time)).toISOString(),
    ),
  ).toEqual(['2026-11-02T14:00:00.000Z', '2027-03-14T13:00:00.000Z', '2027-01-01T14:00:00.000Z'])
})

test('groups chats by who holds them and keeps their order [P-2361]', () => {
  const chats = [
    { id: 1, status: 'held', mine: false },
    { id: 2, status: 'waiting', mine: false },
    { id: 3, status: 'held', mine: true },
    { id: 4, status: 'waiting', mine: false },
    { id: 5, status: 'snoozed', mine: true },
  ] as const
  expect(groupsOf(chats).map(({ name, chats: own }) => [name, ...own.map(({ id }) => id)])).toEqual([
    ['waiting', 2, 4],
    ['mine', 3],
    ['others', 1],
    ['snoozed', 5],
  ])
})

test('warns of each further chat above the capacity, and of none within it [P-2050]', () => {
  const over = (before: number, load: number) => goesOver(before, { load, capacity: 4 })
  expect([over(3, 4), over(4, 5), over(5, 6)]).toEqual([false, true, true])
  // A chat that was closed, and a smaller capacity, are no further chat.
  expect([over(6, 5), over(5, 5)]).toEqual([false, false])
})
