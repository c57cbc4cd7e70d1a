import { expect, test } from 'vitest'
import { countdownOf, groupsOf, urgencyOf } from './urgency.ts'

const at = (time: string): string => `2026-11-29T12:${time}.000Z`
const now = (time: string): number => Date.parse(at(time))

test('turns amber when the goal of the queue passes and red at twice the goal [P-2360]', () => {
  const waiting = { status: 'waiting', since: at('00:00'), unanswered: at('00:30'), goal: at('01:00') } as const
  const tones = ['00:59', '01:00', '01:59', '02:00'].map(time => urgencyOf(waiting, now(time)))
  expect(tones).toEqual(['calm', 'late', 'late', 'overdue'])
  // The goal of a held chat begins with the person's first unanswered word: 3 minutes after 00:30.
  const held = { ...waiting, status: 'held', goal: at('03:30') } as const
  expect(['03:29', '03:30', '06:29', '06:30'].map(time => urgencyOf(held, now(time)))).toEqual([
    'calm',
    'late',
    'late',
    'overdue',
  ])
  expect(urgencyOf({ ...held, goal: null }, now('59:00'))).toBe('calm')
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
