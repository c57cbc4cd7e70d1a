import { expect, test } from 'vitest'
import { FairQueue } from './pool.ts'

const job = (level: string, bot: string, name: string) => ({ from: { level, bot }, name })
const anybody = () => true

test('serves levels in turn and, inside a level, bots in turn [P-1600]', () => {
  const queue = new FairQueue<ReturnType<typeof job>>()
  for (const name of ['b1', 'b2', 'b3', 'b4']) queue.add(job('B', 'flood', name))
  queue.add(job('B', 'calm', 'c1'))
  queue.add(job('A', 'a', 'a1'))
  queue.add(job('A', 'a', 'a2'))
  const order: string[] = []
  for (let next = queue.take(anybody); next !== undefined; next = queue.take(anybody)) {
    order.push(next.name)
    queue.done(next.from)
  }
  expect(order).toEqual(['b1', 'a1', 'c1', 'a2', 'b2', 'b3', 'b4'])
})

test('prefers the level with the fewest running jobs, and skips callers that may not start one [P-1600]', () => {
  const queue = new FairQueue<ReturnType<typeof job>>()
  queue.add(job('B', 'b', 'b1'))
  queue.add(job('B', 'b', 'b2'))
  expect(queue.take(anybody)?.name).toBe('b1')
  queue.add(job('A', 'a', 'a1'))
  expect(queue.runningOf('B')).toBe(1)
  expect(queue.take(({ level }) => level === 'C')).toBeUndefined()
  expect(queue.take(anybody)?.name).toBe('a1')
  expect(queue.size).toBe(1)
})
