import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { metaOf } from '#domain/flow/document/document.ts'
import { setTitle } from '#domain/flow/document/edit.ts'
import { step2Frame, updateFrame } from '#realtime/wire.ts'
import { MemoryRoomLog } from '../doubles/memory-room-log.ts'
import { block, ids, member, openRoom, Peer, soon } from '../doubles/room-peer.ts'

/** The document of a client that uses another's client id. */
const asAnother = (of: Peer, change: (doc: Y.Doc) => void): Uint8Array => {
  const forged = new Y.Doc()
  Y.applyUpdate(forged, Y.encodeStateAsUpdate(of.doc))
  forged.clientID = of.doc.clientID
  const before = Y.encodeStateVector(forged)
  change(forged)
  return Y.encodeStateAsUpdate(forged, before)
}

test.each([
  ['an update', updateFrame],
  ['a step 2', step2Frame],
])('stores nothing under the client id of another person in %s', async (_kind, frame) => {
  // Given a user with edits, and another who knows their client id
  const { room, log } = await openRoom()
  const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
  ana.edit(block('n1'))
  await soon(() => expect(ana.acknowledged).toBe(1))
  // When the other takes the next clocks
  mallory.send(frame(asAnother(ana, block('forged'))))
  ana.edit(block('n2'))
  // Then it is theirs alone who has the id, and what they draw next is stored
  await soon(() => expect(ana.acknowledged).toBe(2))
  expect(ids(log.replay('d1'))).toEqual(['n1', 'n2'])
  expect(log.edits.get('d1')?.flatMap(({ edit }) => edit.authors)).not.toContain('mallory')
})

test('closes a client that sends an update under another’s client id', async () => {
  const { room } = await openRoom()
  const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
  ana.edit(block('n1'))
  mallory.send(updateFrame(asAnother(ana, block('forged'))))
  expect([ana.closed, mallory.closed]).toEqual([undefined, 4400])
})

test('says saved of nothing that differs from what is stored for the same clocks', async () => {
  const { room } = await openRoom()
  const [ana, twin] = [new Peer(room, member('ana')), new Peer(room, member('ana'))]
  ana.edit(block('n0'))
  const first = asAnother(ana, block('n1'))
  const second = asAnother(ana, block('n2'))
  ana.send(updateFrame(first))
  twin.send(updateFrame(second))
  expect(twin.closed).toBe(4400)
  expect(twin.acknowledged).toBe(0)
  await soon(() => expect(ana.acknowledged).toBe(2))
})

test('holds what builds on an edit that only its absent author has, and stores both when they come back', async () => {
  // Given an edit that was shown to another and then lost in a crash, and one of the other that builds on it
  const log = new MemoryRoomLog()
  const { room } = await openRoom(log)
  const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
  ana.edit(block('n1'))
  joao.edit(block('j1'))
  await soon(() => expect(ana.acknowledged + joao.acknowledged).toBe(2))
  log.beforeAppend = () => new Promise(() => {})
  ana.edit(block('n2'))
  await soon(() => expect(ids(joao.doc)).toContain('n2'))
  joao.edit(doc => setTitle(doc, 'n2', 'by joao', 'me'))
  joao.edit(block('j2'))
  await new Promise(resolve => setTimeout(resolve, 120))
  log.beforeAppend = async () => {}
  const again = (await openRoom(log)).room
  // When the other is back first
  joao.frames.length = 0
  joao.join(again)
  joao.send(step2Frame(Y.encodeStateAsUpdate(joao.doc)))
  await new Promise(resolve => setTimeout(resolve, 120))
  // Then nothing is stored in the author's name or said to be saved, and nobody is sent away
  expect(ids(log.replay('d1'))).toEqual(['j1', 'n1'])
  expect([joao.closed, joao.acknowledged]).toEqual([undefined, 0])
  // And when the author is back as well, all of it is
  ana.join(again)
  ana.send(step2Frame(Y.encodeStateAsUpdate(ana.doc)))
  await soon(() => expect(ids(log.replay('d1'))).toEqual(['j1', 'j2', 'n1', 'n2']))
  await soon(() => expect(joao.acknowledged).toBe(1))
})

test.each<[string, (doc: Y.Doc) => void]>([
  ['removes', doc => metaOf(doc).delete('schema')],
  ['lowers', doc => metaOf(doc).set('schema', 0)],
  ['raises', doc => metaOf(doc).set('schema', 2)],
  ['replaces by a text', doc => metaOf(doc).set('schema', '1')],
])('closes who %s the schema of the document, and shows it to nobody', async (_what, change) => {
  const { room } = await openRoom()
  const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
  ana.edit(doc => metaOf(doc).set('schema', 1))
  mallory.edit(change)
  expect(mallory.closed).toBe(4400)
  expect(metaOf(ana.doc).get('schema')).toBe(1)
})
