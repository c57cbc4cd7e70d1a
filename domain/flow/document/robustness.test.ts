import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { blocks } from '#schemas/blocks/registry.ts'
import { exportFlow } from '../file/export-flow.ts'
import { parseFlowFile } from '../file/parse-flow-file.ts'
import { lintFlow } from '../lint/lint-flow.ts'
import { createUndo, type Undo } from '../undo/undo.ts'
import { applyChecked } from './apply-checked.ts'
import { createFlow, linksOf, nodeOf, nodesOf, propertiesOf } from './document.ts'
import { addLink, addNode, moveNodes, removeNodes, setField, setTitle } from './edit.ts'
import { addItem, moveItem, removeItem } from './item-edit.ts'
import { importFlow, patchFlow } from './patch-flow.ts'
import { readFlow } from './read-flow.ts'
import { ordersFor } from './shared.ts'
import { FLOW_LIMITS } from './violation.ts'

const ids = ['a', 'b', 'c']
const id = fc.constantFrom(...ids)
const type = fc.constantFrom(...Object.keys(blocks), 'demo::x')

const prepared = () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'prompt', title: 'A', x: 0, y: 0 }, 'before')
  addNode(doc, { id: 'b', type: 'condition', title: 'B', x: 0, y: 0 }, 'before')
  addItem(doc, 'b', ['conditions'], { id: 'one', members: { label: '1' } }, 'before')
  return doc
}

/** Anything a program could put into a document through Yjs. */
const foreign: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map(value => () => value),
  fc.string().map(value => () => new Y.Text(value)),
  fc.string().map(value => () => {
    const fragment = new Y.XmlFragment()
    const paragraph = new Y.XmlElement(value === '' ? 'paragraph' : 'list')
    paragraph.insert(0, [new Y.XmlText(value)])
    fragment.insert(0, [paragraph, new Y.XmlText(value)])
    return fragment
  }),
  fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    .map(value => () => new Y.Map(Object.entries(value))),
  fc
    .dictionary(
      fc.string(),
      fc.dictionary(
        fc.constantFrom('order', 'label', 'rules', '~file'),
        fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
      ),
      { maxKeys: 3 },
    )
    .map(value => () => new Y.Map(Object.entries(value).map(([key, item]) => [key, new Y.Map(Object.entries(item))]))),
)
const key = fc.oneof(
  fc.constantFrom('text', 'data', 'conditions', 'outputs', '~file', 'varname', 'cards', 'headers'),
  fc.string(),
)

describe('a document', () => {
  it('that passed validation can be read, checked, exported and written again, from any author', () => {
    const edit = fc.oneof(
      fc.tuple(id, key, foreign).map(
        ([node, name, make]) =>
          (doc: Y.Doc) =>
            propertiesOf(doc, node)?.set(name, make()),
      ),
      fc.tuple(id, fc.constantFrom('type', 'title', 'pos', 'properties')).map(
        ([node, name]) =>
          (doc: Y.Doc) =>
            nodeOf(doc, node)?.delete(name),
      ),
      fc.tuple(id, type).map(
        ([node, name]) =>
          (doc: Y.Doc) =>
            nodeOf(doc, node)?.set('type', name),
      ),
      fc.tuple(fc.string(), id).map(
        ([link, from]) =>
          (doc: Y.Doc) =>
            linksOf(doc).set(link, new Y.Map([['from', from]])),
      ),
      id.map(node => (doc: Y.Doc) => nodesOf(doc).delete(node)),
    )
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), edits => {
        const server = prepared()
        const client = createFlow(Y.encodeStateAsUpdate(server))
        for (const each of edits) each(client)
        const applied = applyChecked(server, Y.encodeStateAsUpdate(client), FLOW_LIMITS, 'client')
        if (!applied.ok) return

        lintFlow(readFlow(server), {})
        const exported = exportFlow(server)
        expect(parseFlowFile(JSON.parse(JSON.stringify(exported)))).toMatchObject({ ok: true })
        patchFlow(server, exported, 'again')
        expect(exportFlow(server)).toEqual(exported)
      }),
      { numRuns: 300 },
    )
  })

  it('reads and exports a node that lacks type, title, pos or properties with their defaults [P-75]', () => {
    const doc = createFlow()
    nodesOf(doc).set('bare', new Y.Map())
    nodesOf(doc).set('typed', new Y.Map([['type', 'text']]))

    expect(readFlow(doc).nodes.get('bare')).toMatchObject({ type: 'marker', known: true, title: '', x: 0, y: 0 })
    const { operators } = exportFlow(doc)
    expect(operators.bare).toEqual({ type: 'marker', title: '', top: 0, left: 0, properties: {} })
    expect(operators.typed).toEqual({ type: 'text', title: '', top: 0, left: 0, properties: {} })

    const read = parseFlowFile({ operators: { a: { properties: {} } }, links: {} })
    expect(read.ok && exportFlow(importFlow(read.file)).operators.a).toEqual({ properties: {} })
  })

  it('is what it was after all of one person’s steps are undone, and what it became after all are redone', () => {
    const step = fc.oneof(
      fc.tuple(id, type).map(
        ([node, name]) =>
          (doc: Y.Doc) =>
            nodesOf(doc).has(node) || addNode(doc, { id: node, type: name, title: node, x: 0, y: 0 }, 'me'),
      ),
      fc.tuple(id, fc.string()).map(
        ([node, title]) =>
          (doc: Y.Doc) =>
            setTitle(doc, node, title, 'me'),
      ),
      fc.tuple(id, fc.integer(), fc.integer()).map(
        ([node, x, y]) =>
          (doc: Y.Doc) =>
            moveNodes(doc, new Map([[node, { x, y }]]), 'me'),
      ),
      fc.tuple(id, fc.oneof(fc.string(), fc.constantFrom('', 'oi'))).map(
        ([node, text]) =>
          (doc: Y.Doc) =>
            setField(doc, node, ['data', 'text'], text, 'me'),
      ),
      fc.tuple(id, fc.nat(9)).map(
        ([node, value]) =>
          (doc: Y.Doc) =>
            setField(doc, node, ['maxRetries'], value, 'me'),
      ),
      fc
        .constantFrom('one', 'two', 'three')
        .map(item => (doc: Y.Doc) => addItem(doc, 'b', ['conditions'], { id: item, members: { label: item } }, 'me')),
      fc.tuple(fc.constantFrom('one', 'two'), fc.nat(3)).map(
        ([item, to]) =>
          (doc: Y.Doc) =>
            moveItem(doc, 'b', ['conditions'], item, to, 'me'),
      ),
      fc.constantFrom('one', 'two').map(item => (doc: Y.Doc) => removeItem(doc, 'b', ['conditions'], item, 'me')),
      fc.tuple(id, id, fc.constantFrom('output_1', 'one', 'two')).map(([from, to, output]) => (doc: Y.Doc) => {
        addLink(doc, { id: `${from}${to}`, from, fromConnector: output, to, toConnector: 'input_1' }, 'me')
      }),
      id.map(node => (doc: Y.Doc) => removeNodes(doc, [node], 'me')),
      // A pause between keystrokes.
      fc.constant((_: Y.Doc, undo: Undo) => undo.stop()),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const doc = prepared()
        const before = exportFlow(doc)
        const undo = createUndo(doc, ['me'])
        for (const each of steps) each(doc, undo)
        const after = exportFlow(doc)

        while (undo.canUndo()) expect(undo.undo().skipped).toEqual([])
        expect(exportFlow(doc)).toEqual(before)
        while (undo.canRedo()) expect(undo.redo().skipped).toEqual([])
        expect(exportFlow(doc)).toEqual(after)
        undo.destroy()
      }),
      { numRuns: 200 },
    )
  })

  it('keeps as many keys of a list as it can', () => {
    expect(ordersFor(['a0', 'a1', 'a2'])).toEqual(['a0', 'a1', 'a2'])
    const [moved, first, second] = ordersFor(['a2', 'a0', 'a1'])
    expect([first, second]).toEqual(['a0', 'a1'])
    expect(String(moved) < 'a0').toBe(true)
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.constantFrom('a0', 'a1', 'a2', 'a3', 'a0V', 'damaged', '\uffff'), { nil: undefined })),
        orders => {
          const result = ordersFor(orders)
          expect(result).toHaveLength(orders.length)
          expect([...result].sort()).toEqual(result)
          expect(new Set(result).size).toBe(result.length)
        },
      ),
    )
  })
})
