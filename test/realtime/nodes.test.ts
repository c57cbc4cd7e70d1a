import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFlow, mapAt, nodesOf } from '#domain/flow/document/document.ts'
import { addNode, moveNodes, removeNodes, setTitle } from '#domain/flow/document/edit.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { MemoryBus } from '#realtime/cluster/hints.ts'
import type { Room } from '#realtime/room.ts'
import { step2Frame } from '#realtime/wire.ts'
import { MemoryRoomLog } from '../doubles/memory-room-log.ts'
import { RoomNode } from '../doubles/room-node.ts'
import { member, Peer, soon } from '../doubles/room-peer.ts'
import { randomOf } from './random.ts'

const SEEDS = Number(process.env.PARLEY_SEEDS ?? 6)
const OPERATIONS = Number(process.env.PARLEY_OPERATIONS ?? 200)
const NODES = 3

/** Several people on several nodes of one flow: hints are lost, the log tells late, nodes die, people are moved. */
const work = async (seed: number) => {
  const random = randomOf(seed)
  const [log, bus] = [new MemoryRoomLog(), new MemoryBus()]
  log.beforeAppend = () => new Promise(resolve => setTimeout(resolve, random(4)))
  log.beforeAnswer = () => new Promise(resolve => setTimeout(resolve, random(4)))
  const start = async () => {
    // Late, but in order.
    let last = Promise.resolve()
    const late = (tell: () => void) => {
      const wait = random(6)
      last = last.then(() => new Promise(resolve => setTimeout(resolve, wait))).then(tell)
    }
    const node = new RoomNode({ log, bus, late, loses: () => random(5) === 0 })
    return { node, room: await node.open() }
  }
  const nodes = await Promise.all(Array.from({ length: NODES }, start))
  const roomOf = (at: number): Room => nodes[at % NODES]?.room as Room
  const people = ['ana', 'joao', 'marina', 'rui'].map((name, at) => ({ at, peer: new Peer(roomOf(at), member(name)) }))

  const move = (person: (typeof people)[number], to: number) => {
    person.at = to
    person.peer.join(roomOf(to))
    person.peer.send(step2Frame(Y.encodeStateAsUpdate(person.peer.doc)))
  }
  const kill = async (at: number) => {
    const dead = nodes[at]
    for (const { at: on, peer } of people) if (on % NODES === at) dead?.room.leave(peer.connection)
    await dead?.node.kill()
    nodes[at] = await start()
    for (const person of people) if (person.at % NODES === at) move(person, at + random(NODES))
  }
  const operate = (peer: Peer) => {
    const ids = [...nodesOf(peer.doc).keys()]
    const id = ids[random(Math.max(1, ids.length))] ?? ''
    const choice = id === '' ? 0 : random(10)
    peer.edit(doc => {
      if (choice < 4)
        addNode(doc, { id: `n${random(1e9)}`, type: 'text', title: 'new', x: 0, y: random(100) * 20 }, 'me')
      else if (choice < 6) moveNodes(doc, new Map([[id, { x: random(50) * 20, y: 0 }]]), 'me')
      else if (choice < 9) setTitle(doc, id, `title ${random(1e6)}`, 'me')
      else removeNodes(doc, [id], 'me')
    })
  }
  for (let i = 0; i < OPERATIONS; i++) {
    const person = people[random(people.length)]
    if (person === undefined) continue
    const event = random(80)
    if (event === 0) await kill(random(NODES))
    else if (event === 1) {
      roomOf(person.at).leave(person.peer.connection)
      move(person, random(NODES))
    } else operate(person.peer)
    if (i % 7 === 6) await new Promise(resolve => setTimeout(resolve, random(8)))
  }
  // Then everyone on every node has what the log has, without anyone drawing on
  await soon(() => {
    const logged = exportFlow(log.replay('d1'))
    for (const { peer } of people) expect(exportFlow(peer.doc)).toEqual(logged)
  })
  for (const { peer } of people) expect(peer.closed).toBeUndefined()
  return log.replay('d1')
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'people on three nodes converge with hints lost, late tellings and nodes killed (seed %i)',
  async seed => {
    const doc = await work(seed)
    for (const id of nodesOf(doc).keys()) expect(mapAt(nodesOf(doc), id)?.get('type')).toBe('text')
  },
  30_000,
)

test('stores work sent to two nodes at once on one of them, acknowledges it on both, and new work beside it', async () => {
  // Given two nodes, and a user who reconnects to both with offline edits
  const [log, bus] = [new MemoryRoomLog(), new MemoryBus()]
  const held = Promise.withResolvers<void>()
  log.beforeAppend = () => held.promise
  const rooms = await Promise.all([0, 1].map(() => new RoomNode({ log, bus, loses: () => true }).open()))
  const peers = rooms.map(room => new Peer(room, member('ana')))
  const drawn = createFlow()
  addNode(drawn, { id: 'a', type: 'text', title: 'a', x: 0, y: 0 }, 'me')
  addNode(drawn, { id: 'b', type: 'text', title: 'b', x: 0, y: 100 }, 'me')
  removeNodes(drawn, ['b'], 'me')
  const work = Y.encodeStateAsUpdate(drawn)
  for (const peer of peers) peer.send(step2Frame(work))
  addNode(drawn, { id: 'c', type: 'text', title: 'c', x: 0, y: 200 }, 'me')
  const [, second] = peers
  second?.send(step2Frame(Y.encodeStateAsUpdate(drawn)))
  // When both store at last
  held.resolve()
  await soon(() => expect(peers.map(({ acknowledged }) => acknowledged)).toEqual([1, 2]))
  // Then each block was added by one revision
  const added = (log.edits.get('d1') ?? []).map(({ edit }) => edit.summary.added.map(({ id }) => id))
  expect(added.flat().sort()).toEqual(['a', 'c'])
  expect([...nodesOf(log.replay('d1')).keys()].sort()).toEqual(['a', 'c'])
  for (const room of rooms) {
    const read = new Peer(room, member('joao')).doc
    await soon(() => expect(exportFlow(read)).toEqual(exportFlow(log.replay('d1'))))
  }
})
