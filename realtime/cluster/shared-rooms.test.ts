import { describe, expect, test, vi } from 'vitest'
import { MemoryRoomLog } from '#test/doubles/memory-room-log.ts'
import { RoomNode } from '#test/doubles/room-node.ts'
import { block, ids, member, Peer, soon } from '#test/doubles/room-peer.ts'
import { awarenessFrame, readAwareness, readFrame, writeAwareness } from '../wire.ts'
import { MemoryBus } from './hints.ts'

const nodes = (count = 2, given: Partial<ConstructorParameters<typeof RoomNode>[0]> = {}) => {
  const [log, bus] = [new MemoryRoomLog(), new MemoryBus()]
  return {
    log,
    bus,
    nodes: Array.from({ length: count }, () => new RoomNode({ log, bus, ...given })) as [RoomNode, RoomNode],
  }
}
const show = (client: number, clock: number, x: number | null) =>
  awarenessFrame(writeAwareness([{ client, clock, state: JSON.stringify(x === null ? null : { cursor: { x } }) }]))

/** Cursors that a peer's client shows. */
const pointers = (peer: Peer) => {
  const seen = new Map<number, { clock: number; state: { user?: { name: string }; cursor?: { x: number } } | null }>()
  for (const frame of peer.frames) {
    const read = readFrame(frame)
    for (const { client, clock, state } of read?.kind === 'awareness' ? readAwareness(read.update) : [])
      if (clock >= (seen.get(client)?.clock ?? 0)) seen.set(client, { clock, state: JSON.parse(state) })
  }
  return Object.fromEntries(
    [...seen.values()].flatMap(({ state }) => (state === null ? [] : [[state.user?.name, state.cursor?.x]])),
  )
}

describe('a room on two nodes', () => {
  test('shows an edit on the other node without reading the log', async () => {
    // Given nodes that hear of each other's edits by hints alone
    const {
      nodes: [one, two],
    } = nodes(2, { late: () => {} })
    const [ana, joao] = [new Peer(await one.open(), member('ana')), new Peer(await two.open(), member('joao'))]
    for (const n of [1, 2, 3]) {
      ana.edit(block(`n${n}`))
      await soon(() => expect(ids(joao.doc)).toContain(`n${n}`))
    }
    joao.edit(block('n4'))
    await soon(() => expect(ids(ana.doc)).toEqual(['n1', 'n2', 'n3', 'n4']))
    expect([one.gaps, two.gaps]).toEqual([0, 0])
  })

  test('reads the log when a hint was lost', async () => {
    let isLost = true
    const {
      nodes: [one, two],
    } = nodes(2, { late: () => {}, loses: () => isLost })
    const [ana, joao] = [new Peer(await one.open(), member('ana')), new Peer(await two.open(), member('joao'))]
    ana.edit(block('n1'))
    await soon(() => expect(ana.acknowledged).toBe(1))
    expect(ids(joao.doc)).toEqual([])
    isLost = false
    ana.edit(block('n2'))
    await soon(() => expect(ids(joao.doc)).toEqual(['n1', 'n2']))
    expect(two.gaps).toBe(1)
  })

  test('shows who is where, to those who come later as well, and no more when they leave', async () => {
    const {
      nodes: [one, two],
    } = nodes()
    const ana = new Peer(await one.open(), member('ana'))
    ana.send(show(1, 1, 10))
    const joao = new Peer(await two.open(), member('joao'))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 10 }))
    joao.send(show(2, 1, 20))
    await soon(() => expect(pointers(ana)).toEqual({ ana: 10, joao: 20 }))
    ana.send(show(1, 2, null))
    await soon(() => expect(pointers(joao)).toEqual({ joao: 20 }))
    await vi.waitFor(() =>
      expect(one.shared.present([]).map(({ id, members }) => [id, members.map(({ user }) => user)])).toEqual([
        ['d1', ['joao']],
      ]),
    )
  })

  test('shows a person moved to the other node before the first node reports the leave', async () => {
    const {
      nodes: [one, two],
    } = nodes()
    const ana = new Peer(await one.open(), member('ana'))
    const there = await two.open()
    const [joao, mallory] = [new Peer(there, member('joao')), new Peer(there, member('mallory'))]
    ana.send(show(1, 5, 10))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 10 }))
    mallory.send(show(1, 99, 666))
    new Peer(there, member('ana')).send(show(1, 4, 11))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 11 }))
  })

  test('shows a person moved back and forth by the state of their current node', async () => {
    // Given three nodes, and a person moving from the first to the second
    const three = nodes(3).nodes as unknown as [RoomNode, RoomNode, RoomNode]
    const [first, second, third] = await Promise.all(three.map(node => node.open()))
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were opened')
    const joao = new Peer(third, member('joao'))
    const before = new Peer(first, member('ana'))
    before.send(show(1, 50, 10))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 10 }))
    const after = new Peer(second, member('ana'))
    after.send(show(1, 4, 11))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 11 }))
    // When the first is late with what it has to say, and then says that they left
    before.send(show(1, 90, 12))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 12 }))
    expect(pointers(after)).toEqual({ ana: 11 })
    first.leave(before.connection)
    // Then what the second says counts again
    await soon(() => expect(pointers(joao)).toEqual({ ana: 11 }))
    second.leave(after.connection)
    await soon(() => expect(pointers(joao)).toEqual({}))
  })

  test('closed on one node leaves nobody behind on the other', async () => {
    const {
      nodes: [one, two],
    } = nodes()
    const room = await one.open()
    new Peer(room, member('ana')).send(show(1, 1, 10))
    const joao = new Peer(await two.open(), member('joao'))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 10 }))
    await room.drain()
    await soon(() => expect(pointers(joao)).toEqual({}))
    await vi.waitFor(() => expect(two.shared.present([])).toEqual([]))
  })

  test('forgets the people of a node that was killed, within five seconds', async () => {
    const {
      nodes: [one, two],
    } = nodes()
    new Peer(await one.open(), member('ana')).send(show(1, 1, 10))
    const joao = new Peer(await two.open(), member('joao'))
    await soon(() => expect(pointers(joao)).toEqual({ ana: 10 }))
    await one.kill()
    await vi.waitFor(() => expect(pointers(joao)).toEqual({}), { timeout: 5_500 })
    expect(two.shared.present([])).toEqual([])
  })
})
