import { afterEach, expect, test, vi } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { Feed } from './feed.ts'

afterEach(() => void vi.useRealTimers())

const event = (position: string): StoredEvent => ({
  ...{ id: position, stream: 'bot-1', revision: 1, type: 'BotChanged', version: 1, data: {}, level: null, actor: null },
  ...{ time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '', position },
})

test('events that no read model shows share a batch, others are sent at once', () => {
  vi.useFakeTimers()
  const sent: string[][] = []
  const feed = new Feed(events => sent.push(events.map(({ position }) => position)))
  feed.live()
  for (const position of ['1', '2', '3']) void feed.push(event(position), false)
  expect(sent).toEqual([])
  void feed.push(event('4'))
  expect(sent).toEqual([['1', '2', '3', '4']])
  feed.folded(4)
  void feed.push(event('5'), false)
  vi.advanceTimersByTime(100)
  expect(sent.slice(1)).toEqual([['5']])
  feed.folded(1)
  expect(feed.behind).toBe(0)
})
