import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { NodeHeartbeat } from './node-heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a node is silent 15 s after its last sign, and not before; one that was never heard is not [R-65]', async () => {
  const bus = new MemoryBus()
  const hints = () => new Hints({ bus: bus.join(), store: 's', key: 'k' })
  const one = new NodeHeartbeat(hints(), 'one', Date.now)
  await vi.advanceTimersByTimeAsync(20_000)
  const two = new NodeHeartbeat(hints(), 'two', Date.now)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([one.silent(), two.silent()]).toEqual([[], []])
  one.close()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(two.silent()).toEqual([])
  await vi.advanceTimersByTimeAsync(7_000)
  expect(two.silent()).toEqual(['one'])
  two.close()
})

test('nothing is concluded while there is no bus, nor from signs of before it broke off [R-65]', async () => {
  const bus = new MemoryBus()
  const [mine, theirs] = [bus.join(), bus.join()]
  const hints = new Hints({ bus: mine, store: 's', key: 'k' })
  let connected = true
  const life = new NodeHeartbeat(
    {
      get connected() {
        return connected
      },
      listen: (topic, listener) => hints.listen(topic, listener),
      send: (topic, hint) => hints.send(topic, hint),
    },
    'one',
    Date.now,
  )
  const other = new NodeHeartbeat(new Hints({ bus: theirs, store: 's', key: 'k' }), 'two', Date.now)
  await vi.advanceTimersByTimeAsync(20_000)
  other.close()
  connected = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(life.silent()).toEqual([])
  connected = true
  await vi.advanceTimersByTimeAsync(14_000)
  expect(life.silent()).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(life.silent()).toEqual(['two'])
  life.close()
})

test('exactly one of the live nodes is the first for a conversation, and another one once it is silent [P-1986]', async () => {
  const bus = new MemoryBus()
  const names = ['one', 'two', 'three']
  const nodes = names.map(
    name => new NodeHeartbeat(new Hints({ bus: bus.join(), store: 's', key: 'k' }), name, Date.now),
  )
  await vi.advanceTimersByTimeAsync(6_000)
  const ids = Array.from({ length: 300 }, (_, n) => `conversation ${n}`)
  const firstOf = (of: readonly NodeHeartbeat[], id: string) => of.filter(node => node.isFirstFor(id))
  expect(ids.every(id => firstOf(nodes, id).length === 1)).toBe(true)
  const [gone, ...left] = nodes as [NodeHeartbeat, NodeHeartbeat, NodeHeartbeat]
  const before = ids.filter(id => !gone.isFirstFor(id))
  expect(before.length).toBeGreaterThan(150)
  expect(before.length).toBeLessThan(250)
  const kept = before.map(id => firstOf(left, id)[0])
  gone.close()
  await vi.advanceTimersByTimeAsync(16_000)
  expect(ids.every(id => firstOf(left, id).length === 1)).toBe(true)
  expect(before.map(id => firstOf(left, id)[0])).toEqual(kept)
  for (const node of left) node.close()
})
