import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import { setTitle } from '#domain/flow/document/edit.ts'
import { block, ids, member, openRoom, Peer, soon } from '#test/doubles/room-peer.ts'
import { awarenessFrame, writeAwareness } from './wire.ts'

/** Edit of a command that creates a thousand blocks. */
const largeEdit = (doc: Y.Doc) => {
  const all = Array.from({ length: 1000 }, (_, index) => `b${index}`)
  const write = () => {
    for (const id of all) block(id)(doc)
  }
  const captured = captureEdit(doc, () => doc.transact(write))
  if (captured === null) throw new Error('nothing was written')
  return { ...captured, actor: 'eva', authors: ['eva'], bindings: [], ranges: [] }
}

test('assembles a large edit of a command in the background; edits wait meanwhile, cursors do not', async () => {
  // Given two people in a room whose flow cannot be read at once
  const { room, log } = await openRoom()
  const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
  ana.edit(block('n1'))
  await soon(() => expect(ana.acknowledged).toBe(1))
  const reading = Promise.withResolvers<void>()
  log.beforeWhole = () => reading.promise
  // When a command writes a thousand blocks and both continue
  const edit = largeEdit(log.replay('d1'))
  expect(edit.update.byteLength).toBeGreaterThan(30_000)
  log.write('d1', edit)
  await soon(() => expect(ids(joao.doc)).toHaveLength(1001))
  ana.edit(doc => setTitle(doc, 'n1', 'Depois', 'me'))
  joao.edit(block('n2'))
  const seen = joao.frames.length
  ana.send(awarenessFrame(writeAwareness([{ client: ana.doc.clientID, clock: 1, state: '{"cursor":{"x":1,"y":1}}' }])))
  await soon(() => expect(joao.frames.slice(seen).some(frame => frame[0] === 1)).toBe(true))
  expect([ana.acknowledged, joao.acknowledged]).toEqual([1, 0])
  const late = new Peer(room, member('late'))
  reading.resolve()
  // Then everything is stored behind it, and everybody has the same
  await soon(() => expect([ana.acknowledged, joao.acknowledged]).toEqual([2, 1]))
  await soon(() => expect(ids(late.doc)).toHaveLength(1002))
  const states = [ana.doc, joao.doc, late.doc, log.replay('d1')].map(doc => doc.getMap('nodes').toJSON())
  for (const state of states) expect(state).toEqual(states[0])
  expect([ana.closed, joao.closed, late.closed]).toEqual([undefined, undefined, undefined])
})
