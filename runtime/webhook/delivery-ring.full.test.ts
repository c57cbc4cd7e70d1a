import { expect, test } from 'vitest'
import { type Delivery, DeliveryRing } from './delivery-ring.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-30T12:00:00Z')
const MOST = 100_000

const at = (event: string, time: number): Delivery => ({
  ...{ event, type: 'bot.started', entity: 'bot', time, state: 'arrived', tries: 1, status: 200, reason: null },
  ...{ ms: 1, next: null, answer: '', body: null, isReplay: false },
})

test('keeps the attempts of 7 days, and the newest 100,000 of all webhooks [P-2798]', () => {
  const ring = new DeliveryRing(':memory:')
  const known = (webhook: string) => ring.list(webhook, { limit: MOST }).map(({ event }) => event)
  ring.put('one', at('older', NOW - 7 * DAY_MS - 1))
  ring.put('one', at('old', NOW - 7 * DAY_MS))
  ring.put('other', at('first', NOW - DAY_MS))
  ring.sweep(NOW)
  expect(known('one')).toEqual(['old'])
  for (let n = 0; n < MOST - 1; n += 1) ring.put('one', at(`e${n}`, NOW))
  ring.sweep(NOW)
  expect(known('other')).toEqual(['first'])
  expect(known('one')).toHaveLength(MOST - 1)
  expect(known('one')).not.toContain('old')
  ring.put('one', at('last', NOW))
  ring.sweep(NOW)
  expect(known('other')).toEqual([])
  expect(known('one')).toHaveLength(MOST)
  ring.close()
})
