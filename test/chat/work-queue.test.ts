import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WorkQueue } from '#runtime/channel/exchange/inbox.ts'

/** Adds jobs with these keys; returns the peak concurrency, the start order and the start times. */
const worked = async (pace: { parallel: number | undefined; interval: number }, keys: readonly string[]) => {
  const queue = new WorkQueue()
  const began: { readonly name: string; readonly at: number }[] = []
  let running = 0
  let most = 0
  const start = performance.now()
  const done = keys.map(
    (key, place) =>
      new Promise<void>(resolve => {
        const run = async () => {
          running += 1
          most = Math.max(most, running)
          began.push({ name: `${key}${place}`, at: performance.now() - start })
          await pause(10)
          running -= 1
          resolve()
        }
        queue.add(pace, { key, run })
      }),
  )
  await Promise.all(done)
  queue.close()
  return { began, most }
}

test('at most so many messages are worked off at one time, those of one person in their order [D-3.1.04]', async () => {
  const { began, most } = await worked({ parallel: 2, interval: 0 }, ['a', 'a', 'b', 'c', 'a', 'd'])
  expect(most).toBe(2)
  const ofA = began.filter(({ name }) => name.startsWith('a')).map(({ name }) => name)
  expect(ofA).toEqual(['a0', 'a1', 'a4'])
})

test('with an interval they are worked off in rounds [D-3.1.04]', async () => {
  const { began } = await worked({ parallel: 1, interval: 80 }, ['a', 'b', 'c'])
  expect(began.map(({ name }) => name)).toEqual(['a0', 'b1', 'c2'])
  expect(began[2]?.at).toBeGreaterThanOrEqual(150)
})

test('a job that waits for its file leaves its place to those of other people, and its own stay in order [P-2715]', async () => {
  const queue = new WorkQueue()
  const order: string[] = []
  const ends = ['a1', 'a2', 'b1', 'c1'].map(
    name =>
      new Promise<void>(resolve => {
        const run = async (wait: (ms: number) => Promise<void>) => {
          order.push(`${name} begins`)
          if (name === 'a1') while (!order.includes('c1 ends')) await wait(5)
          else await pause(5)
          order.push(`${name} ends`)
          resolve()
        }
        queue.add({ parallel: 1, interval: 0 }, { key: name.slice(0, 1), run })
      }),
  )
  await Promise.all(ends)
  queue.close()
  expect(order.indexOf('a2 begins')).toBeGreaterThan(order.indexOf('a1 ends'))
  const others = order.filter(line => line.startsWith('b') || line.startsWith('c'))
  expect(others).toEqual(['b1 begins', 'b1 ends', 'c1 begins', 'c1 ends'])
})
