import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { runWithStepLimit } from './integration-cost.ts'

const nodeOf = (doc: Y.Doc, id: string) => doc.getMap<Y.Map<string>>('nodes').get(id)
const add = (doc: Y.Doc, id: string) => {
  doc.getMap('nodes').set(id, new Y.Map([['title', 'Olá']]))
}

test('takes an update whose neighbour was removed together with its parent [P-2426]', () => {
  const [one, other] = [new Y.Doc(), new Y.Doc()]
  for (const id of ['a', 'b']) add(one, id)
  nodeOf(one, 'b')?.delete('title')
  Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
  const known = Y.encodeStateVector(other)

  // One person replaces a node, and renames another one that is removed meanwhile.
  other.getMap('nodes').set('b', new Y.Map())
  nodeOf(other, 'a')?.set('title', 'Tchau')
  one.getMap('nodes').delete('a')

  const update = Y.encodeStateAsUpdate(other, known)
  expect(() => runWithStepLimit(1_000, 10, () => Y.applyUpdate(one, update))).not.toThrow()
  expect([nodeOf(one, 'a'), nodeOf(one, 'b')?.size]).toEqual([undefined, 0])
})
