import { expect, test } from 'vitest'
import { countdownOf, groupsOf, urgencyOf } from './urgency.ts'

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
