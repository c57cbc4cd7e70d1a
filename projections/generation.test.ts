import { expect, test } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { Feed } from './generation.ts'

const event = (position: string): StoredEvent => ({
  ...{ id: position, stream: 'bot-1', revision: 1, type: 'BotChanged', version: 1, data: {}, level: null, actor: null },
  ...{ time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '', position },
})

test('sends an event at once, and those that come meanwhile together', () => {
  const sent: string[][] = []
  const feed = new Feed(events => sent.push(events.map(({ position }) => position)))
  feed.live()
  for (const position of ['1', '2', '3']) void feed.push(event(position))
  expect(sent).toEqual([['1']])
  feed.folded(1)
  expect(sent).toEqual([['1'], ['2', '3']])
  feed.folded(2)
  expect(feed.behind).toBe(0)
})
