import { expect, test } from 'vitest'
import { LinkQueue } from './seal-check.ts'
import type { Link } from './sealer.ts'

const linkOf = (n: number): Link => ({ stream: `bot-${n}`, revision: n, hash: `${n}` })

test('returns links waiting for a seal in order, whether or not they fit in memory', () => {
  using queue = new LinkQueue()
  let added = 0
  let taken = 0
  const add = (count: number) => {
    for (let n = 0; n < count; n++) queue.add(linkOf(++added))
  }
  const take = (count: number) => {
    const links = queue.take(count)
    expect(links).toEqual(Array.from({ length: Math.min(count, added - taken) }, (_, n) => linkOf(taken + n + 1)))
    taken += links.length
    expect(queue.size).toBe(added - taken)
  }

  add(3)
  take(2)
  add(45_000)
  take(19_990)
  expect(queue.at(1)).toEqual(linkOf(taken + 1))
  expect(queue.at(queue.size)).toEqual(linkOf(added))
  expect(queue.at(queue.size + 1)).toBeUndefined()
  expect(queue.lastPlace(({ revision }) => revision === added - 1)).toBe(queue.size - 1)
  expect(queue.lastPlace(({ revision }) => revision === taken + 5)).toBe(5)
  expect(queue.lastPlace(({ revision }) => revision === taken)).toBe(0)
  take(22_000)
  add(20_000)
  take(100_000)
  take(1)
})
