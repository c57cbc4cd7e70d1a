import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode, moveNodes, removeNodes } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { observeFlow } from './flow-store.ts'

const BLOCKS = 120

/** A chain of more blocks and links than are read in one go. */
const chain = () => {
  const doc = createFlow()
  doc.transact(() => {
    for (let n = 0; n < BLOCKS; n++) {
      addNode(doc, { id: `n${n}`, type: 'text', title: `${n}`, x: 0, y: n * 120 }, 'them')
      if (n === 0) continue
      const ends = { from: `n${n - 1}`, fromConnector: 'output_1', to: `n${n}`, toConnector: 'input_1' }
      addLink(doc, { id: `l${n}`, ...ends }, 'them')
    }
  })
  return doc
}

const settled = (flow: ReturnType<typeof observeFlow>) =>
  new Promise<void>(resolve => {
    const look = () => flow.settled.get() && resolve()
    look()
    flow.settled.subscribe(look)
  })

test('a large flow that arrives is read in slices, and shown once, whole', async () => {
  const doc = createFlow()
  const flow = observeFlow(doc)
  const shown: number[] = []
  flow.subscribe(() => shown.push(flow.get().nodes.size))
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(chain()))
  expect([flow.get().nodes.size, flow.settled.get()]).toEqual([0, false])
  await settled(flow)
  expect(shown).toEqual([BLOCKS])
  expect(flow.get()).toEqual(readFlow(doc))
  flow.stop()
})

test('shows an edit at once while a large flow loads, with everything before it', () => {
  const doc = createFlow()
  const flow = observeFlow(doc)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(chain()))
  moveNodes(doc, new Map([['n7', { x: 20, y: 40 }]]), 'me')
  expect(flow.settled.get()).toBe(true)
  expect(flow.get().nodes.get('n7')).toMatchObject({ x: 20, y: 40 })
  expect(flow.get()).toEqual(readFlow(doc))
  flow.stop()
})

test('hides blocks that others remove while a large flow loads, and links to them', async () => {
  const doc = createFlow()
  const flow = observeFlow(doc)
  const theirs = chain()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(theirs))
  const before = Y.encodeStateVector(theirs)
  removeNodes(theirs, ['n7'], 'them')
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(theirs, before))
  await settled(flow)
  expect(flow.get().nodes.has('n7')).toBe(false)
  expect(flow.get()).toEqual(readFlow(doc))
  flow.stop()
})
