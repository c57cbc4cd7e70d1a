import { expect, test } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { type AgentPlace, foldPlace, MAX_HELD, NEW_PLACE, takeSlot } from './place.ts'

const NOW = Date.parse('2026-05-05T13:00:00Z')
const event = (type: string, data: object, at = NOW) =>
  ({ type, data, time: new Date(at).toISOString() }) as unknown as StoredEvent
const after = (...events: readonly StoredEvent[]): AgentPlace => events.reduce(foldPlace, NEW_PLACE)
const available = event('AgentStateChanged', { state: 'available', reason: null, until: null, by: 'self' })
const slot = (id: string, auto = false, at = NOW) =>
  event('SlotTaken', { slot: id, conversation: `c-${id}`, n: 1, auto }, at)
const request = (id: string, more: object = {}) => ({
  ...{ slot: id, conversation: `c-${id}`, n: 1, auto: true, capacity: 2, now: NOW + 10_000 },
  ...more,
})

test('reserves a place for an available agent below their capacity, once [P-2320]', () => {
  expect(takeSlot(NEW_PLACE, request('a'))).toBe('unavailable')
  expect(takeSlot(after(available), request('a'))).toEqual({
    facts: [{ type: 'SlotTaken', data: { slot: 'a', conversation: 'c-a', n: 1, auto: true, capacity: 2 } }],
  })
  const busy = after(available, slot('a'), slot('b'))
  expect(takeSlot(busy, request('a'))).toEqual({ facts: [] })
  expect(takeSlot(busy, request('other', { conversation: 'c-a' }))).toBe('held')
  expect(takeSlot(busy, request('c'))).toBe('full')
  expect(takeSlot(after(available, slot('a', true)), request('b', { now: NOW + 4_999 }))).toBe('early')
})

test('lets people take chats above the capacity of an agent, up to twenty [P-2320]', () => {
  const taken = Array.from({ length: MAX_HELD }, (_, place) => slot(`s${place}`))
  expect(takeSlot(after(...taken.slice(1)), request('x', { auto: false }))).toHaveProperty('facts')
  expect(takeSlot(after(...taken), request('x', { auto: false }))).toBe('full')
  expect(takeSlot(after(...taken), request('x', { auto: false, forced: true }))).toHaveProperty('facts')
})

test('counts misses in a row until a chat ends otherwise or the state changes [P-2303]', () => {
  const free = (id: string, missed: boolean) => event('SlotFreed', { slot: id, missed })
  expect(after(slot('a'), free('a', true), slot('b'), free('b', true)).misses).toBe(2)
  expect(after(slot('a'), free('a', true), slot('b'), free('b', false)).misses).toBe(0)
  expect(after(slot('a'), free('a', true), available)).toMatchObject({ misses: 0, slots: [] })
})
