import { expect, test } from 'vitest'
import { NumberThrottles } from './number-throttle.ts'
import { ChannelBreakers } from './send-part.ts'

const A = { id: 'a', fields: { auth_token: 'old' } }
const B = { id: 'b', fields: {} }

const open = (random = () => 0.5) => {
  const clock = { now: 1_000_000 }
  const throttles = new NumberThrottles(() => clock.now, random)
  const send = (count: number) => {
    for (let sent = 0; sent < count; sent += 1) throttles.leaves('a', `k${sent}`)
  }
  return { clock, throttles, send }
}

test('sends nothing of a throttled number before one moment, and does not slow other numbers [P-2706]', () => {
  const { clock, throttles, send } = open()
  expect(throttles.wait(A, 'k1')).toBe(0)
  // 80 messages in ten seconds: 8 a second, then half of it.
  send(80)
  throttles.slow(A, 0)
  expect(throttles.rate('a')).toBe(4)
  // After the pause of a second the rate is 5 a second: those who wait look again at different moments.
  expect(['k1', 'k2', 'k3'].map(each => throttles.wait(A, each))).toEqual([1000, 1050, 1100])
  expect(throttles.wait(B, 'k1')).toBe(0)
  clock.now += 999
  expect(throttles.wait(A, 'k4')).toBeGreaterThanOrEqual(1)
})

test('waits whole milliseconds at any rate [P-2706]', () => {
  const { clock, throttles, send } = open()
  send(50)
  throttles.slow(A, 0)
  clock.now += 1_000
  throttles.leaves('a', 'k1')
  throttles.leaves('a', 'k2')
  // 3.5 a second.
  expect(Number.isInteger(throttles.wait(A, 'k3'))).toBe(true)
  expect(throttles.wait(A, 'k3')).toBeGreaterThan(285)
})

test('sends the first conversation that comes, and keeps no moment for an absent one [P-2706]', () => {
  const { clock, throttles, send } = open()
  send(80)
  throttles.slow(A, 0)
  const waited = Array.from({ length: 50 }, (_, at) => throttles.wait(A, `absent${at}`))
  expect(Math.min(...waited)).toBe(1000)
  clock.now += 1_000
  // Asking takes nothing, however often.
  expect([throttles.wait(A, 'new'), throttles.wait(A, 'new'), throttles.wait(A, 'other')]).toEqual([0, 0, 0])
  throttles.leaves('a', 'new')
  expect(throttles.wait(A, 'other')).toBeGreaterThanOrEqual(200)
  clock.now += 200
  expect(throttles.wait(A, 'other')).toBe(0)
  // Late conversations do not lengthen the waits of others.
  clock.now += 12_000
  throttles.leaves('a', 'other')
  expect(throttles.wait(A, 'late')).toBeLessThanOrEqual(1000 / 16)
})

test('ends the throttle of a changed channel, and resumes its conversations once [P-2706]', async () => {
  const { throttles } = open()
  const replaced = { id: 'a', fields: { auth_token: 'new' } }
  throttles.slow(A, 3_600_000)
  throttles.slow(B, 0)
  expect([throttles.wait(A, 'k1'), throttles.wait(replaced, 'k1')]).toEqual([3_600_000, 0])
  const fieldsOf = async (id: string) => (id === 'a' ? replaced : B).fields
  expect(await throttles.changed(fieldsOf)).toEqual(['a'])
  expect(await throttles.changed(fieldsOf)).toEqual([])
  expect([throttles.rate('a'), throttles.wait(A, 'k1')]).toEqual([undefined, 0])
  // A refusal of the new token begins another throttle.
  throttles.slow(replaced, 0)
  expect(throttles.wait(replaced, 'k1')).toBe(1000)
})

test('halves the rate once per burst, waits as long as the provider asks, and rises by 1 a second [P-2706]', () => {
  const { clock, throttles, send } = open()
  send(80)
  throttles.slow(A, 5_000)
  throttles.slow(A, 0)
  expect(throttles.rate('a')).toBe(4)
  expect(throttles.wait(A, 'k1')).toBe(5_000)
  clock.now += 10_000
  expect(throttles.rate('a')).toBe(14)
  throttles.slow(A, 0)
  expect(throttles.rate('a')).toBe(7)
  clock.now += 60_000
  throttles.leaves('a', 'k1')
  expect([throttles.rate('a'), throttles.wait(A, 'k2')]).toEqual([undefined, 0])
})

test('never slows below one message in two seconds [P-2706]', () => {
  const { clock, throttles } = open()
  for (let refused = 0; refused < 10; refused += 1) {
    throttles.slow(A, 0)
    clock.now += 1_000
  }
  // The rate of 0.5 rises for a second before the next refusal halves it.
  expect(throttles.rate('a')).toBeGreaterThanOrEqual(1.5)
  expect(throttles.wait(A, 'k1')).toBe(0)
  throttles.leaves('a', 'k1')
  expect(throttles.wait(A, 'k1')).toBeLessThanOrEqual(2_000)
})

test('sends to 500 waiting people at the rate of the number, each after few looks [P-2706]', () => {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const { clock, throttles, send } = open(random)
  send(80)
  throttles.slow(A, 0)
  const began = clock.now
  const looks = Array.from({ length: 500 }, (_, at) => ({ who: `p${at}`, at: began }))
  const sent: number[] = []
  let count = 0
  while (looks.length > 0) {
    looks.sort((one, other) => one.at - other.at)
    const [next] = looks
    if (next === undefined) break
    clock.now = next.at
    count += 1
    const left = throttles.wait(A, next.who)
    if (left > 0) {
      next.at += left
      continue
    }
    throttles.leaves('a', next.who)
    sent.push(clock.now - began)
    looks.shift()
  }
  // At 4 a second, rising by one a second: 4 t + t² ÷ 2 = 500 after 27.9 s.
  expect(sent.at(-1)).toBeGreaterThan(27_000)
  expect(sent.at(-1)).toBeLessThan(36_000)
  for (let from = 0; from < 45_000; from += 1_000) {
    const inSecond = sent.filter(at => at >= from && at < from + 1_000).length
    expect(inSecond).toBeLessThanOrEqual((4 + from / 1_000) * 1.5 + 2)
  }
  expect(count).toBeLessThan(500 * 6)
})

test('resumes all conversations of a channel whose token was replaced, also after one of them sent [P-2245]', async () => {
  const breakers = new ChannelBreakers(() => 0)
  const [old, replaced] = [
    { id: 'a', fields: { token: 'old' } },
    { id: 'a', fields: { token: 'new' } },
  ]
  expect(breakers.open(old, '401')).toBe(true)
  expect(breakers.wait(old)).toBe(60_000)
  expect(breakers.wait(replaced)).toBe(0)
  expect(await breakers.changed(async () => replaced.fields)).toEqual(['a'])
  expect(breakers.of('a')).toBeUndefined()
})
