import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { exportFlow } from '../file/export-flow.ts'
import { createUndo } from '../undo/undo.ts'
import { createFlow, nodesOf } from './document.ts'
import { addLink, addNode, removeNodes, setField, setTitle } from './edit.ts'
import { addItem, removeItem } from './item-edit.ts'
import { followPending, type PendingPlaces } from './pending-edits.ts'
import { isPlaced, restoreUnplacedEdits, showUnplaced, type UnplacedEdit } from './unplaced-edits.ts'

const MINE = 'mine'
const REMOTE = 'remote'

/** Two people on one flow without a network: their edits reach each other at `meet`. */
const given = () => {
  const mine = createFlow()
  addNode(mine, { id: 's', type: 'start', title: '', x: 0, y: 0 }, MINE)
  addNode(mine, { id: 'a', type: 'text', title: 'Hello', x: 0, y: 100, properties: { text: 'one' } }, MINE)
  addNode(mine, { id: 'b', type: 'text', title: '', x: 0, y: 200 }, MINE)
  addNode(mine, { id: 'c', type: 'condition', title: '', x: 0, y: 300 }, MINE)
  addItem(mine, 'c', ['conditions'], { id: 'branch', members: { label: 'x' } }, MINE)
  addLink(mine, { id: '', from: 's', fromConnector: 'output_1', to: 'a', toConnector: 'input_1' }, MINE)
  const theirs = createFlow(Y.encodeStateAsUpdate(mine))
  const unplaced: UnplacedEdit[] = []
  let pending: PendingPlaces = { places: [], links: [] }
  const watch = (doc: Y.Doc) =>
    followPending(doc, {
      except: new Set(['open']),
      onPending: value => {
        pending = value
      },
      onUnplaced: edits => unplaced.push(...edits),
    })
  const edits = watch(mine)
  edits.start(pending)
  const meet = () => {
    const back = Y.encodeStateAsUpdate(mine, Y.encodeStateVector(theirs))
    Y.applyUpdate(mine, Y.encodeStateAsUpdate(theirs, Y.encodeStateVector(mine)), REMOTE)
    Y.applyUpdate(theirs, back, REMOTE)
  }
  return { mine, theirs, edits, unplaced, meet, watch, pending: () => pending }
}

test('edits of a block that was removed meanwhile are kept, and one step brings it back with them', () => {
  const { mine, theirs, unplaced, meet } = given()
  setField(mine, 'a', ['text'], 'one two', MINE)
  setTitle(mine, 'a', 'Greeting', MINE)
  addLink(mine, { id: '', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, MINE)
  const seen = exportFlow(mine)
  removeNodes(theirs, ['a'], REMOTE)

  meet()
  expect(nodesOf(mine).has('a')).toBe(false)
  expect(unplaced.map(({ block, drawn }) => [block, drawn])).toEqual([['a', ['a:output_1:0']]])
  expect(unplaced[0]?.places.map(place => place.join('.'))).toEqual(
    expect.arrayContaining(['properties.text', 'title']),
  )
  expect(showUnplaced(unplaced).file.operators.a).toEqual(seen.operators.a)

  restoreUnplacedEdits(mine, unplaced, MINE)
  meet()
  expect(exportFlow(mine)).toEqual(seen)
  expect(exportFlow(theirs)).toEqual(seen)
})

test('restores only edited fields to a recreated block, and keeps changes by others', () => {
  const { mine, theirs, unplaced, meet } = given()
  setField(mine, 'a', ['text'], 'my words', MINE)
  removeNodes(theirs, ['a'], REMOTE)
  addNode(theirs, { id: 'a', type: 'text', title: 'Theirs', x: 40, y: 40, properties: { text: 'one' } }, REMOTE)

  meet()
  expect(exportFlow(mine).operators.a?.properties?.text).toBe('one')
  restoreUnplacedEdits(mine, unplaced, MINE)
  const { title, left, properties } = exportFlow(mine).operators.a ?? {}
  expect([title, left, properties?.text]).toEqual(['Theirs', 40, 'my words'])
})

test('offers the removed target block of a new link', () => {
  const { mine, theirs, unplaced, meet } = given()
  addLink(mine, { id: '', from: 'b', fromConnector: 'output_1', to: 'c', toConnector: 'input_1' }, MINE)
  removeNodes(theirs, ['c'], REMOTE)
  meet()
  expect(unplaced.map(({ block }) => block)).toEqual(['c'])
  restoreUnplacedEdits(mine, unplaced, MINE)
  expect(Object.values(exportFlow(mine).links).some(link => link.toOperator === 'c')).toBe(true)
})

test('marks an edit as placed once the flow contains it, from any author', () => {
  // given an edit of a block that another person removes and restores
  const { mine, theirs, unplaced, meet } = given()
  const undo = createUndo(theirs, [MINE])
  setField(mine, 'a', ['text'], 'one two', MINE)
  setTitle(mine, 'a', 'Greeting', MINE)
  removeNodes(theirs, ['a'], MINE)
  meet()
  const placed = () => unplaced.map(edit => isPlaced(mine, edit))
  expect(placed()).toEqual([false])
  undo.undo()
  meet()
  expect([nodesOf(mine).has('a'), placed()]).toEqual([true, [false]])
  // when they say the same themselves, in part and whole
  setField(theirs, 'a', ['text'], 'one two', MINE)
  meet()
  expect(placed()).toEqual([false])
  setTitle(theirs, 'a', 'Greeting', MINE)
  meet()
  // then
  expect(placed()).toEqual([true])
})

test('an item of a list that was removed meanwhile comes back with its output and its link', () => {
  const { mine, theirs, unplaced, meet } = given()
  addLink(theirs, { id: '', from: 'c', fromConnector: 'branch', to: 'b', toConnector: 'input_1' }, REMOTE)
  meet()
  setField(mine, 'c', ['conditions', 'branch', 'label'], 'mine', MINE)
  const seen = exportFlow(mine)
  removeItem(theirs, 'c', ['conditions'], 'branch', REMOTE)
  meet()
  expect(exportFlow(mine)).not.toEqual(seen)
  restoreUnplacedEdits(mine, unplaced, MINE)
  expect(exportFlow(mine)).toEqual(seen)
})

test('nothing is offered of what is stored, of what others did, and of what one removed oneself', () => {
  const { mine, theirs, edits, unplaced, meet, pending } = given()
  setTitle(mine, 'a', 'stored', MINE)
  edits.clear()
  setTitle(mine, 'b', 'mine', MINE)
  removeNodes(mine, ['b'], MINE)
  setTitle(theirs, 'c', 'theirs', REMOTE)
  removeNodes(theirs, ['a', 'c'], REMOTE)
  meet()
  expect(unplaced).toEqual([])
  expect(pending()).toEqual({ places: [], links: [] })
})

test('restores edits that were pending when the page closed', () => {
  const { mine, theirs, edits, unplaced, pending, watch } = given()
  setTitle(mine, 'a', 'before the page was left', MINE)
  edits.stop()
  const again = createFlow(Y.encodeStateAsUpdate(mine))
  watch(again).start(pending())
  removeNodes(theirs, ['a'], REMOTE)
  Y.applyUpdate(again, Y.encodeStateAsUpdate(theirs, Y.encodeStateVector(again)), REMOTE)
  expect(unplaced.map(({ block, places }) => [block, places])).toEqual([['a', [['title']]]])
})
