import { expect, test } from 'vitest'
import { DEAD_MS, nextWebhookPause } from './webhook.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Pauses between all attempts, at one deviation. */
const pausesAt = (chance: number): readonly number[] => {
  const pauses: number[] = []
  for (let tries = 1; ; tries += 1) {
    const pause = nextWebhookPause(tries, 0, chance)
    if (pause === undefined) return pauses
    pauses.push(pause)
  }
}

test('ten attempts within 75 h 35 min, each 10 % earlier or later, and never before the receiver asked for [P-2749]', () => {
  const hours = [2, 5, 10, 14, 20, 24].map(each => each * HOUR_MS)
  const planned = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours]
  expect(pausesAt(0.5)).toEqual(planned)
  expect(pausesAt(0)).toEqual(planned.map(pause => pause * 0.9))
  expect(pausesAt(1)).toEqual(planned.map(pause => Math.round(pause * 1.1)))
  expect(planned.reduce((sum, pause) => sum + pause) - 5 * SECOND_MS).toBe(75 * HOUR_MS + 35 * MINUTE_MS)
  expect(DEAD_MS).toBe(75 * HOUR_MS)
  expect(nextWebhookPause(1, HOUR_MS, 0.5)).toBe(HOUR_MS)
  expect(nextWebhookPause(9, HOUR_MS, 0.5)).toBe(24 * HOUR_MS)
})
