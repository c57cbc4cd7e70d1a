import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import { type DeskMessage, firstAnswerOf, foldedOf, itemsOf } from './chat-items.ts'

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 29, 12, 0, seconds)).toISOString()
const message = (seconds: number, from: DeskMessage['from']): DeskMessage => ({
  id: `m${seconds}`,
  position: String(seconds),
  time: at(seconds),
  from,
  type: 'text',
  text: String(seconds),
})
const keysOf = (items: ReturnType<typeof itemsOf>) => items.map(({ key }) => key)

test('lists messages, notes and events by time, events first within a moment [P-2362]', () => {
  const items = itemsOf({
    messages: [message(1, 'bot'), message(5, 'user'), message(9, 'agent')],
    notes: [{ id: 'n7', time: at(7), user: 'u', name: 'Camila', text: 'x' }],
    events: [
      { time: at(5), kind: 'queued' },
      // The next fact names who got the chat.
      { time: at(8), kind: 'released', why: 'transfer' },
      { time: at(8), kind: 'assigned', how: 'transfer', name: 'Diego' },
    ],
  })
  expect(keysOf(items)).toEqual(['m1', 'queued 0', 'm5', 'n7', 'assigned 2', 'm9'])
})

test('folds what the bot said before the person was queued, except for the last two messages [P-2362]', () => {
  const messages = [1, 2, 3, 4, 5].map(seconds => message(seconds, 'bot'))
  const items = itemsOf({ messages, notes: [], events: [{ time: at(6), kind: 'queued' }] })
  expect(keysOf(foldedOf(items))).toEqual(['m1', 'm2', 'm3'])
  expect(
    foldedOf(itemsOf({ messages: messages.slice(2), notes: [], events: [{ time: at(6), kind: 'queued' }] })),
  ).toEqual([])
  expect(foldedOf(itemsOf({ messages, notes: [], events: [] }))).toEqual([])
})

test('measures the first answer from the request, not from earlier chats [P-2362]', () => {
  expect(firstAnswerOf({ since: at(10), messages: [message(4, 'agent'), message(12, 'user')] })).toBeUndefined()
  expect(firstAnswerOf({ since: at(10), messages: [message(4, 'agent'), message(52, 'agent')] })).toBe(42_000)
})

test.each(LANGUAGES)('has a line for each way in which a chat ends, in %s [P-2990]', language => {
  const { event } = JSON.parse(readFileSync(`schemas/locales/${language}/desk.json`, 'utf8'))
  const reasons = ['person', 'user', 'timeout', 'unavailable', 'inactive', 'cleared', 'error', 'forgotten', 'bot']
  const lines = reasons.map(reason => event[`left_${reason}`])
  expect(lines).not.toContain(undefined)
  expect(new Set(lines).size).toBe(reasons.length)
})
