import { describe, expect, test, vi } from 'vitest'
import type { HintBus } from '../port.ts'
import { Hints, MemoryBus } from './hints.ts'

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

const join = (bus: MemoryBus, given: { store?: string; key?: string } = {}) => {
  const dropped: string[] = []
  const end = bus.join()
  const hints = new Hints({
    bus: end,
    store: given.store ?? 'store',
    key: given.key ?? 'key',
    on: { dropped: why => dropped.push(why) },
  })
  const heard = vi.fn()
  hints.listen('room.d1', (sender, hint, bytes) => heard(sender, hint.kind, [...bytes]))
  return { hints, heard, dropped, end }
}

/** Collects bus messages, as a party with bus access sees them. */
const tap = (bus: HintBus, subject: string) => {
  const seen: Uint8Array[] = []
  bus.subscribe(subject, message => seen.push(message))
  return seen
}
const SUBJECT = 'parley.store.room.d1'

describe('hints between nodes', () => {
  test('reach the other nodes of the cluster, and not their own', async () => {
    const bus = new MemoryBus()
    const [one, two, three] = [join(bus), join(bus), join(bus)]
    one.hints.send('room.d1', { kind: 'awareness' }, Uint8Array.of(1, 2))
    await settled()
    expect(one.heard).not.toHaveBeenCalled()
    for (const { heard } of [two, three])
      expect(heard).toHaveBeenCalledExactlyOnceWith(expect.any(String), 'awareness', [1, 2])
  })

  test('of another cluster on the same bus are not heard', async () => {
    const bus = new MemoryBus()
    const [one, two] = [join(bus), join(bus, { store: 'other' })]
    one.hints.send('room.d1', { kind: 'query' })
    await settled()
    expect(two.heard).not.toHaveBeenCalled()
    expect(two.dropped).toEqual([])
  })

  test('cannot be read, forged, altered, replayed or moved to another subject without the key', async () => {
    const bus = new MemoryBus()
    const [one, two, mallory] = [join(bus), join(bus), join(bus, { key: 'guessed' })]
    const seen = tap(mallory.end, SUBJECT)
    two.hints.listen('room.d2', () => two.heard('moved'))
    one.hints.send('room.d1', { kind: 'awareness' }, Buffer.from('what nobody else may read'))
    await settled()
    const [message] = seen
    if (message === undefined) throw new Error('nothing was sent')
    expect(Buffer.from(message).includes('nobody')).toBe(false)
    const altered = Uint8Array.from(message)
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
    mallory.hints.send('room.d1', { kind: 'query' })
    for (const forged of [altered, message.subarray(0, 30), new Uint8Array(), new Uint8Array(2_000)])
      mallory.end.publish(SUBJECT, forged)
    mallory.end.publish(SUBJECT, message)
    mallory.end.publish('parley.store.room.d2', message)
    await settled()
    expect(two.heard).toHaveBeenCalledOnce()
    expect(two.dropped.toSorted()).toEqual(['forged', 'forged', 'forged', 'forged', 'forged', 'forged', 'repeated'])
  })

  test('that are too large for the bus are not sent', async () => {
    const bus = new MemoryBus()
    const [one, two] = [join(bus), join(bus)]
    one.hints.send('room.d1', { kind: 'awareness' }, new Uint8Array(2_000_000))
    await settled()
    expect(one.dropped).toEqual(['oversize'])
    expect(two.heard).not.toHaveBeenCalled()
  })

  test('of a lone node go nowhere and cost nothing', () => {
    const { hints, end } = join(new MemoryBus())
    const publish = vi.spyOn(end, 'publish')
    hints.send('room.d1', { kind: 'query' })
    expect(hints.connected).toBe(false)
    expect(publish).not.toHaveBeenCalled()
  })
})
