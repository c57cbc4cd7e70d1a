import { expect, test, vi } from 'vitest'
import { createFlow } from '#domain/flow/document.ts'
import { addNode } from '#domain/flow/edit.ts'
import { readContent } from './flow-content.ts'

const BLOCKS = 20

test('while a flow is read for what people wrote in it, others have their turn as often as a slice is over', async () => {
  const doc = createFlow()
  for (let n = 0; n < BLOCKS; n++) addNode(doc, { id: `n${n}`, type: 'text', title: `${n}`, x: 0, y: n * 120 }, 'me')
  // Each look at the clock finds a slice gone: every step ends one.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20
    return now
  })
  let turns = 0
  let isRead = false
  const others = () => {
    turns += 1
    if (!isRead) setImmediate(others)
  }
  setImmediate(others)
  const log = { load: async () => ({ doc, bindings: new Map(), revision: 1, hash: '', complete: 1 }) }
  const { blocks } = await readContent(log, 'flow')
  isRead = true
  clock.mockRestore()
  expect(blocks.map(({ title }) => title)).toEqual(Array.from({ length: BLOCKS }, (_, n) => `${n}`))
  expect(turns).toBeGreaterThanOrEqual(2 * BLOCKS)
})
