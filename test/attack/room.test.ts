import { afterAll, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { propertiesOf } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { awarenessFrame, updateFrame, writeAwareness } from '#realtime/wire.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import type { Client } from '../api/harness.ts'
import { person } from '../api/people.ts'
import { crafted, craftedUpdate } from '../doubles/crafted-update.ts'
import { RoomSocket } from '../fault/room-socket.ts'

const { parley, admin } = await openAdmin()
let ana: RoomSocket
const level = String((await admin.get('/userhierarchy')).body.hierarchylevel)
const viewer = (await person(parley, admin, { username: 'vera', level, actions: ['readdialog'] })).client
const { dialog } = await admin.createDialog({ name: 'Bot' }, 'Tarefa', 'Diálogo')
beforeEach(async () => {
  ana = new RoomSocket()
  await ana.join({ origin: parley.origin, token: admin.token, dialog })
})
afterAll(async () => {
  ana?.leave()
})

/** Joins the room, sends the frames and returns the close code; undefined when none arrives in time. */
const say = (
  client: Client,
  frames: readonly (Uint8Array | string)[],
  within = 3000,
  binary?: boolean,
): Promise<number | undefined> => {
  const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`, {
    headers: { authorization: `Bearer ${client.token}` },
  })
  return new Promise(resolve => {
    socket.on('error', () => undefined)
    socket.on('close', resolve)
    socket.once('message', () => {
      for (const frame of frames) socket.send(frame, binary === undefined ? {} : { binary })
      setTimeout(() => {
        resolve(undefined)
        socket.terminate()
      }, within).unref()
    })
  })
}

const edit = (change: (doc: Y.Doc) => void): Uint8Array => {
  const doc = new Y.Doc()
  change(doc)
  return updateFrame(Y.encodeStateAsUpdate(doc))
}
const cursor = (state: string) => awarenessFrame(writeAwareness([{ client: 7, clock: 1, state }]))
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
/** Characters of a block's text with one left neighbour and differing right ones. */
const siblings = (): Uint8Array => {
  const doc = new Y.Doc()
  doc.clientID = 5
  const text = new Y.XmlText('a'.repeat(8_001))
  const fragment = new Y.XmlFragment()
  addNode(doc, { id: 'rich', type: 'text', title: 'rich', x: 0, y: 0 }, 'me')
  propertiesOf(doc, 'rich')?.set('text', fragment)
  fragment.insert(0, [text])
  const first = text._start?.id.clock ?? 0
  const at = (offset: number) => Y.createID(5, first + offset)
  const crowd = range(7_999).map(i => crafted(77, i, new Y.ContentString('x'), { origin: at(0), right: at(2 + i) }))
  return Y.mergeUpdates([Y.encodeStateAsUpdate(doc), craftedUpdate(crowd)])
}

test.each<[string, () => Promise<number | undefined>, readonly (number | undefined)[]]>([
  ['what is no message', () => say(admin, [Uint8Array.from([9, 9, 9])]), [4400]],
  ['text', () => say(admin, ['hello']), [4400]],
  ['text that is no UTF-8', () => say(admin, [Uint8Array.of(0xff)], 3000, false), [4400]],
  ['a foreign key in the document', () => say(admin, [edit(doc => doc.getMap('evil').set('a', 1))]), [4400]],
  [
    'an edit of who may only look',
    () => say(viewer, [edit(doc => addNode(doc, { id: 'v', type: 'text', title: 'v', x: 0, y: 0 }, 'v'))]),
    [4403],
  ],
  ['many inserts at one place', () => say(admin, [updateFrame(siblings())]), [4400]],
  [
    '12,000 new client ids',
    () => say(admin, [updateFrame(craftedUpdate(range(12_000).map(i => new Y.GC(Y.createID(1_000 + i, 0), 1))))]),
    [4400],
  ],
  ['more than a message may hold', () => say(admin, [updateFrame(new Uint8Array(9_000_000))]), [4413]],
  ['more than a frame may hold', () => say(admin, [new Uint8Array(20_000_000)]), [4413]],
  [
    'a flood',
    () =>
      say(
        viewer,
        Array.from({ length: 5000 }, () => cursor('{"cursor":{"x":1,"y":1}}')),
      ),
    [4429],
  ],
  ['a cursor larger than a state may be', () => say(viewer, [cursor(`{"a":"${'x'.repeat(20_000)}"}`)]), [4400, 4413]],
  ['a cursor of endless depth', () => say(viewer, [cursor(nested(2_700))], 300), [undefined, 4400]],
  [
    'a cursor of endless lists',
    () => say(viewer, [cursor(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`)], 300),
    [undefined, 4400],
  ],
])('%s ends the connection of who sent it and nobody else’s', async (_what, send, codes) => {
  expect(codes).toContain(await send())
  // The other editor continues, and her edits are saved.
  const before = ana.saved
  ana.edit(doc => addNode(doc, { id: `n${Math.random()}`, type: 'text', title: 'n', x: 0, y: 0 }, 'me'))
  await expect.poll(() => ana.saved).toBeGreaterThan(before)
  expect(ana.closed).toBeUndefined()
  expect((await parley.anyone.get('/health/ready')).status).toBe(200)
})

test('does not relay a forged name', async () => {
  const seen: string[] = []
  const watcher = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}`, {
    headers: { authorization: `Bearer ${admin.token}` },
  })
  watcher.on('message', data => seen.push(String(data)))
  await new Promise(resolve => watcher.once('message', resolve))
  await say(
    viewer,
    [cursor('{"user":{"id":"forged","name":"forged-name","color":"1"},"cursor":{"x":4711,"y":1}}')],
    300,
  )
  expect(seen.join()).toContain('4711')
  expect(seen.join()).toContain('vera')
  expect(seen.join()).not.toContain('forged')
  watcher.close()
})

test('closes new connections with 4503 or 1006 during a drain', async () => {
  const ended = parley.close()
  await expect.poll(() => ana.closed, { interval: 5 }).toBe(4503)
  const codes: unknown[] = []
  await expect
    .poll(
      async () => {
        codes.push(await say(admin, [], 100))
        return codes.includes(4503) || codes.includes(1006)
      },
      { interval: 5 },
    )
    .toBe(true)
  await ended
})
