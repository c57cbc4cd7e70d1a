import { expect, test } from 'vitest'
import { isThrottle, NumberThrottles } from './number-throttle.ts'

const open = () => {
  const clock = { now: 1_000_000 }
  return { clock, throttles: new NumberThrottles(() => clock.now) }
}

test('slows all conversations of a throttled number, one after the other, and no other number [P-2706]', () => {
  const { clock, throttles } = open()
  expect(throttles.wait('a', 'k1')).toBe(0)
  // 80 messages in ten seconds: 8 a second, then half of it.
  for (let sent = 0; sent < 80; sent += 1) throttles.count('a')
  throttles.slow('a', 0)
  expect(throttles.rate('a')).toBe(4)
  // After the pause of a second the rate is 5 a second, and still rises.
  const waits = () => ['k1', 'k2', 'k3'].map(conversation => Math.round(throttles.wait('a', conversation)))
  expect(waits()).toEqual([1000, 1200, 1392])
  expect(throttles.wait('b', 'k1')).toBe(0)
  // A conversation that asks again keeps its moment.
  clock.now += 1_100
  expect(waits()).toEqual([0, 100, 292])
})

test('halves the rate once per burst, waits as long as the provider asks, and rises by 1 a second [P-2706]', () => {
  const { clock, throttles } = open()
  for (let sent = 0; sent < 80; sent += 1) throttles.count('a')
  throttles.slow('a', 5_000)
  throttles.slow('a', 0)
  expect(throttles.rate('a')).toBe(4)
  expect(throttles.wait('a', 'k1')).toBe(5_000)
  clock.now += 10_000
  expect(throttles.rate('a')).toBe(14)
  throttles.slow('a', 0)
  expect(throttles.rate('a')).toBe(7)
  clock.now += 60_000
  expect(throttles.wait('a', 'k2')).toBe(0)
  expect(throttles.rate('a')).toBe(undefined)
})

test('never slows below one message in two seconds [P-2706]', () => {
  const { clock, throttles } = open()
  for (let refused = 0; refused < 10; refused += 1) {
    throttles.slow('a', 0)
    clock.now += 1
  }
  expect(throttles.wait('a', 'k1')).toBe(999)
  expect(throttles.rate('a')).toBeCloseTo(0.5, 1)
})

test('a limit of one person is no limit of the number [P-2706]', () => {
  expect(['130429', '80007', '20429', 'http.429'].map(isThrottle)).toEqual([true, true, true, true])
  expect(['131056', 'http.503', 'ECONNREFUSED', '131026'].map(isThrottle)).toEqual([false, false, false, false])
})
