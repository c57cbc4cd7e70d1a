import { expect, test } from 'vitest'
import { freeLinkIds } from './item-id.ts'

test('gives many links of one output their ids without probing each id again [P-79]', () => {
  const used = new Set(['a:out:0', 'a:out:0:3'])
  let probes = 0
  const freeId = freeLinkIds(id => {
    probes += 1
    return used.has(id)
  })
  const take = (rule: string) => {
    const id = freeId(rule)
    expect(used.has(id)).toBe(false)
    used.add(id)
    return id
  }
  expect([take('a:out:0'), take('a:out:0'), take('b:out:0'), take('b:out:0')]).toEqual([
    'a:out:0:2',
    'a:out:0:4',
    'b:out:0',
    'b:out:0:2',
  ])
  for (let n = 0; n < 1000; n++) take('a:out:0')
  expect(probes).toBeLessThan(1100)
})
