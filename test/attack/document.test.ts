import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { applyChecked } from '#domain/flow/document/apply-checked.ts'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { FLOW_LIMITS } from '#domain/flow/document/violation.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']
/** Within another object: of the outermost the library looks at the constructor. */
const poison = () => JSON.parse('{"x":1,"y":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}')

/** An update that a custom client could send. */
const drawn = (change: (doc: Y.Doc) => void): Uint8Array => {
  const doc = new Y.Doc()
  addNode(doc, { id: 'n', type: 'text', title: 'n', x: 0, y: 0 }, 'me')
  change(doc)
  return Y.encodeStateAsUpdate(doc)
}
const propertiesOf = (doc: Y.Doc) => nodes(doc).get('n')?.get('properties') as Y.Map<unknown> | undefined
const nodes = (doc: Y.Doc) => doc.getMap<Y.Map<unknown>>('nodes')

test.each(
  NAMES.flatMap(
    name =>
      [
        [
          `a block called ${name}`,
          (doc: Y.Doc) => addNode(doc, { id: name, type: 'text', title: name, x: 0, y: 0 }, 'me'),
        ],
        [`a property called ${name}`, (doc: Y.Doc) => propertiesOf(doc)?.set(name, poison())],
        [`a member of a block called ${name}`, (doc: Y.Doc) => nodes(doc).get('n')?.set(name, poison())],
        [`a part of the document called ${name}`, (doc: Y.Doc) => doc.getMap(name).set('polluted', 1)],
        [`a type called ${name}`, (doc: Y.Doc) => nodes(doc).get('n')?.set('type', name)],
        [`a place that is ${name}`, (doc: Y.Doc) => nodes(doc).get('n')?.set('pos', poison())],
      ] as [string, (doc: Y.Doc) => void][],
  ),
)('%s is refused, or read and written as a name like any other', (_what, change) => {
  const live = createFlow()
  const applied = applyChecked(live, drawn(change), FLOW_LIMITS, 'test')
  if (applied.ok) {
    const file = exportFlow(live)
    const again = parseFlowFile(JSON.parse(JSON.stringify(file)))
    expect(again.ok).toBe(true)
    expect(Object.getPrototypeOf(file.operators)).toBe(Object.prototype)
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
})
