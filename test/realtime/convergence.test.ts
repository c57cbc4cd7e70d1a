import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { linksOf, mapAt, nodesOf } from '#domain/flow/document/document.ts'
import { addLink, addNode, moveNodes, removeNodes, setTitle } from '#domain/flow/document/edit.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { step2Frame } from '#realtime/wire.ts'
import { MemoryRoomLog } from '../doubles/memory-room-log.ts'
import { member, openRoom, Peer, soon } from '../doubles/room-peer.ts'
import { randomOf } from './random.ts'

/**
 * States of a flow that the accepted intents allow. A block exists if it was added and not removed; its title and place
 * are values set since the last agreement, or the agreed ones.
 */
class Model {
  readonly #blocks = new Map<string, { titles: Set<string>; places: Set<string> }>()
  readonly #removed = new Set<string>()

  add(id: string, title: string, place: string): void {
    this.#blocks.set(id, { titles: new Set([title]), places: new Set([place]) })
  }
  entitle(id: string, title: string): void {
    this.#blocks.get(id)?.titles.add(title)
  }
  move(id: string, place: string): void {
    this.#blocks.get(id)?.places.add(place)
  }
  remove(id: string): void {
    this.#removed.add(id)
  }

  /** Compares, and takes the agreed values as the new ground. */
  agree(doc: Y.Doc): void {
    const expected = [...this.#blocks.keys()].filter(id => !this.#removed.has(id)).sort()
    expect([...nodesOf(doc).keys()].sort()).toEqual(expected)
    for (const id of expected) {
      const node = mapAt(nodesOf(doc), id)
      const block = this.#blocks.get(id)
      const title = String(node?.get('title'))
      const place = JSON.stringify(node?.get('pos'))
      expect(block?.titles).toContain(title)
      expect(block?.places).toContain(place)
      this.#blocks.set(id, { titles: new Set([title]), places: new Set([place]) })
    }
  }
}

/** Several people at work in one room that is cut, restarted and fails now and then. */
const work = async (seed: number, operations: number) => {
  const random = randomOf(seed)
  const log = new MemoryRoomLog()
  const model = new Model()
  let { room } = await openRoom(log)
  const peers = ['ana', 'joao', 'marina'].map(name => new Peer(room, member(name)))
  const offline = new Set<Peer>()
  let made = 0

  const reconnect = (peer: Peer) => {
    offline.delete(peer)
    peer.join(room)
    peer.send(step2Frame(Y.encodeStateAsUpdate(peer.doc)))
  }
  const act = (peer: Peer, change: (doc: Y.Doc) => void) => {
    if (offline.has(peer)) {
      change(peer.doc)
      peer.updates.length = 0
    } else peer.edit(change)
  }
  const operate = (peer: Peer) => {
    const ids = [...nodesOf(peer.doc).keys()]
    const id = ids[random(Math.max(1, ids.length))]
    const choice = id === undefined ? 0 : random(10)
    const pos = { x: random(100) * 20, y: random(100) * 20 }
    const title = `title ${random(1_000_000)}`
    if (id === undefined || choice < 3) {
      const fresh = `n${++made}`
      model.add(fresh, title, JSON.stringify(pos))
      act(peer, doc => addNode(doc, { id: fresh, type: 'text', title, ...pos }, 'me'))
    } else if (choice < 6) {
      model.move(id, JSON.stringify(pos))
      act(peer, doc => moveNodes(doc, new Map([[id, pos]]), 'me'))
    } else if (choice < 8) {
      model.entitle(id, title)
      act(peer, doc => setTitle(doc, id, title, 'me'))
    } else if (choice < 9) {
      const to = ids[random(ids.length)] ?? id
      act(peer, doc => {
        addLink(doc, { id: `l${++made}`, from: id, fromConnector: 'output_1', to, toConnector: 'input_1' }, 'me')
      })
    } else {
      model.remove(id)
      act(peer, doc => removeNodes(doc, [id], 'me'))
    }
  }
  const restart = async () => {
    room = (await openRoom(log)).room
    for (const peer of peers) if (!offline.has(peer)) reconnect(peer)
  }
  const agree = async () => {
    for (const peer of offline) reconnect(peer)
    await soon(() => {
      const logged = exportFlow(log.replay('d1'))
      for (const { doc } of peers) expect(exportFlow(doc)).toEqual(logged)
    })
    model.agree(log.replay('d1'))
  }

  for (let i = 0; i < operations; i++) {
    const peer = peers[random(peers.length)]
    if (peer === undefined) continue
    const event = random(60)
    if (event === 0 && !offline.has(peer)) {
      room.leave(peer.connection)
      offline.add(peer)
    } else if (event === 1 && offline.has(peer)) reconnect(peer)
    else if (event === 2) {
      // The process dies: unsaved edits exist only at their authors.
      for (const one of peers) room.leave(one.connection)
      await restart()
    } else operate(peer)
    if (i % 20 === 19) await new Promise(resolve => setTimeout(resolve, 1))
    if (i % 100 === 99) await agree()
  }
  await agree()
  return log.replay('d1')
}

const SEEDS = Number(process.env.PARLEY_SEEDS ?? 6)
const OPERATIONS = Number(process.env.PARLEY_OPERATIONS ?? 300)

describe('several people in one room', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
    'converge to the accepted intents, equal to the replayed log (seed %i)',
    async seed => {
      const doc = await work(seed, OPERATIONS)
      expect(nodesOf(doc).size).toBeGreaterThan(0)
      for (const id of linksOf(doc).keys()) expect(mapAt(linksOf(doc), id)?.get('from')).toBeTypeOf('string')
    },
    60_000,
  )
})
