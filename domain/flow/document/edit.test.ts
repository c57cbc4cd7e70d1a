import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import type { Block } from '#schemas/block.ts'
import type { BlockType } from '#schemas/blocks/registry.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { copyBlocks, exportFlow } from '../file/export-flow.ts'
import { parseFlowFile } from '../file/parse-flow-file.ts'
import { createFlow, linksOf, nodeOf } from './document.ts'
import { addLink, addNode, moveNodes, openText, removeNodes, setField, setProperties, showOutput } from './edit.ts'
import { addItem, moveItem, removeItem } from './item-edit.ts'
import { linkId } from './item-id.ts'
import { paste } from './paste.ts'
import { importFlow, patchBlocks } from './patch-flow.ts'
import { readFlow, readNode } from './read-flow.ts'

const flow = () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'prompt', title: 'A', x: 10, y: 20 }, 'me')
  addNode(doc, { id: 'b', type: 'condition', title: 'B', x: 0, y: 100 }, 'me')
  return doc
}
/** Two people from the same document, and a way to join what they did. */
const twoFrom = (doc: Y.Doc) => {
  const one = createFlow(Y.encodeStateAsUpdate(doc))
  const two = createFlow(Y.encodeStateAsUpdate(doc))
  const join = () => {
    Y.applyUpdate(one, Y.encodeStateAsUpdate(two))
    Y.applyUpdate(two, Y.encodeStateAsUpdate(one))
    expect(exportFlow(one)).toEqual(exportFlow(two))
    return one
  }
  return { one, two, join }
}

describe('editing a flow', () => {
  it('adds every type with its defaults, which read and export as they are declared', () => {
    const doc = createFlow()
    for (const type of Object.keys(blocks)) addNode(doc, { id: type, type, title: type, x: 0, y: 0 }, 'me')

    const model = readFlow(doc)

    for (const [type, node] of model.nodes) {
      expect(node).toMatchObject({ known: true, unknown: [], unreadable: [] })
      expect(node.outputs.map(output => output.id)).toEqual(blocks[type as BlockType].outputs.map(output => output.id))
      expect(node.properties).toEqual(exportFlow(doc).operators[type]?.properties)
    }
  })

  it('lets two people answer the same output at once and end with one link [D-4.03]', () => {
    const { one, two, join } = twoFrom(flow())
    addNode(one, { id: 'c', type: 'marker', title: 'C', x: 0, y: 0 }, 'me')
    addLink(one, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'c', toConnector: 'input_1' }, 'me')
    addLink(two, { id: 'y', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')

    expect([...linksOf(join()).keys()]).toEqual([linkId('a', 'output_1', undefined)])
  })

  it('replaces links that a file brought under another id', () => {
    const parsed = parseFlowFile({
      operators: { a: { type: 'text' }, b: { type: 'text' } },
      links: { l1: { fromOperator: 'a', fromConnector: 'output_1', toOperator: 'b', toConnector: 'input_1' } },
    })
    if (!parsed.ok) throw new Error('flow file')
    const doc = importFlow(parsed.file)

    addLink(doc, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'a', toConnector: 'input_1' }, 'me')

    expect(Object.values(exportFlow(doc).links).map(link => link.toOperator)).toEqual(['a'])
  })

  it('percent-encodes the parts of a link id', () => {
    expect(linkId('a:b', 'output 1', undefined)).toBe('a%3Ab:output%201:0')
    expect(linkId('a', 'b', 'c/d')).toBe('a:b:c%2Fd')
  })

  it('removes a block with its links in one transaction; undone by someone else, a dangling link stays hidden [D-4.04]', () => {
    const { one, two, join } = twoFrom(flow())
    addLink(two, { id: 'y', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')
    removeNodes(one, ['b'], 'me')

    const joined = join()

    expect(linksOf(joined).size).toBe(1)
    expect(exportFlow(joined).links).toEqual({})
    expect(readFlow(joined).links.size).toBe(0)
  })

  it('keeps items that two people add, move and change at once', () => {
    const start = flow()
    for (const id of ['one', 'two', 'three']) addItem(start, 'b', ['conditions'], { id, members: { label: id } }, 'me')
    const { one, two, join } = twoFrom(start)

    moveItem(one, 'b', ['conditions'], 'three', 0, 'me')
    setField(two, 'b', ['conditions', 'three', 'label'], 'drei', 'me')
    addItem(two, 'b', ['conditions'], { id: 'four', members: {}, at: 1 }, 'me')
    removeItem(one, 'b', ['conditions'], 'two', 'me')

    const conditions = exportFlow(join()).operators.b?.properties?.conditions
    expect(conditions).toMatchObject([{ id: 'three', label: 'drei' }, { id: 'one' }, { id: 'four' }])
  })

  it('gives a new item the defaults of its fields, so that what the form shows is what bots run', () => {
    const doc = createFlow()
    addNode(doc, { id: 'card', type: 'herocard', title: '', x: 0, y: 0 }, 'me')

    addItem(doc, 'card', ['buttons'], { id: 'one', members: { title: 'Ver' } }, 'me')

    expect(exportFlow(doc).operators.card?.properties?.buttons).toEqual([
      { id: 'one', type: 'openUrl', title: 'Ver', value: '' },
    ])
  })

  it('gives an item its own output and removes the output with its links', () => {
    const doc = flow()
    addItem(doc, 'b', ['conditions'], { id: 'yes', members: { label: 'sim' } }, 'me')
    addLink(doc, { id: 'x', from: 'b', fromConnector: 'yes', to: 'a', toConnector: 'input_1' }, 'me')
    expect(readNode(doc, 'b')?.outputs.map(output => output.id)).toEqual(['yes', 'output_default'])

    removeItem(doc, 'b', ['conditions'], 'yes', 'me')

    expect(readNode(doc, 'b')?.outputs.map(output => output.id)).toEqual(['output_default'])
    expect(linksOf(doc).size).toBe(0)
  })

  it('shows a declared output that a file did not name once it is linked', () => {
    const parsed = parseFlowFile({
      operators: { a: { type: 'prompt', properties: { outputs: { output_1: { label: 'ok' } } } } },
      links: {},
    })
    if (!parsed.ok) throw new Error('flow file')
    const doc = importFlow(parsed.file)
    expect(readNode(doc, 'a')).toMatchObject({ outputs: [{ id: 'output_1' }], moreOutputs: ['output_giveup'] })

    showOutput(doc, 'a', 'output_giveup', '', 'me')

    expect(readNode(doc, 'a')).toMatchObject({
      outputs: [{ id: 'output_1' }, { id: 'output_giveup' }],
      moreOutputs: [],
    })
  })

  it('lets two people type in the same text of a block', () => {
    const { one, two, join } = twoFrom(flow())
    setField(one, 'a', ['data', 'text'], 'Olá', 'me')
    setField(two, 'a', ['retryPrompt'], 'De novo', 'me')

    const properties = exportFlow(join()).operators.a?.properties
    expect(properties).toMatchObject({ data: { text: 'Olá' }, retryPrompt: 'De novo' })
  })

  it('opens the shared text of a field, also of one that its file lacked', () => {
    const parsed = parseFlowFile({ operators: { a: { type: 'text' } }, links: {} })
    if (!parsed.ok) throw new Error('flow file')
    const doc = importFlow(parsed.file)

    expect(openText(doc, 'a', ['text'], 'me')).toBeInstanceOf(Y.XmlFragment)
    expect(openText(doc, 'a', ['data', 'options'], 'me')).toBeUndefined()
    expect(openText(doc, 'gone', ['text'], 'me')).toBeUndefined()
    expect(exportFlow(doc).operators.a).toEqual({ type: 'text' })
  })

  it('writes nothing where nothing differs', () => {
    const doc = flow()
    addLink(
      doc,
      { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1', color: '#3366ff' },
      'me',
    )
    let updates = 0
    doc.on('update', () => {
      updates += 1
    })

    moveNodes(
      doc,
      new Map([
        ['a', { x: 10, y: 20 }],
        ['gone', { x: 1, y: 1 }],
      ]),
      'me',
    )
    setField(doc, 'a', ['maxRetries'], 3, 'me')
    setField(doc, 'a', ['data', 'text'], '', 'me')
    setProperties(doc, 'a', exportFlow(doc).operators.a?.properties ?? {}, 'me')

    expect(updates).toBe(0)
  })

  it('pastes blocks with the links among them under new ids, elsewhere and in another dialog [D-2.06]', () => {
    const doc = flow()
    addLink(doc, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')
    const other = createFlow()
    let next = 0
    const nextId = () => {
      next += 1
      return `n${next}`
    }

    const ids = paste(other, copyBlocks(doc, ['a', 'b']), { x: 20, y: 20 }, nextId, 'me')

    expect(ids).toEqual(['n1', 'n2'])
    expect(readNode(other, 'n1')).toMatchObject({ x: 30, y: 40, title: 'A' })
    expect(exportFlow(other).links).toMatchObject({ 'n1:output_1:0': { fromOperator: 'n1', toOperator: 'n2' } })
  })

  it('leads pasted jumps to the pasted copies, and jumps out of the copied blocks to where they led [P-1782]', () => {
    const doc = createFlow()
    addNode(doc, { id: 'in', type: 'gotonodedest', title: 'In', x: 0, y: 0 }, 'me')
    addNode(doc, { id: 'far', type: 'gotonodedest', title: 'Far', x: 0, y: 0 }, 'me')
    const jump = (id: string, destination: string) =>
      addNode(doc, { id, type: 'gotonodesrc', title: id, x: 0, y: 100, properties: { destination } }, 'me')
    jump('near', 'in')
    jump('out', 'far')
    let next = 0
    const nextId = () => {
      next += 1
      return `n${next}`
    }

    const [copy, near, out] = paste(doc, copyBlocks(doc, ['in', 'near', 'out']), { x: 20, y: 20 }, nextId, 'me')

    const destination = (id = '') => readNode(doc, id)?.properties.destination
    expect([destination(near), destination(out)]).toEqual([copy, 'far'])
    expect([destination('near'), destination('out')]).toEqual(['in', 'far'])
  })

  it('leads every reference to a block, at any depth of any declared block, to the pasted copy [P-1782]', () => {
    const isToBlock = (fields: BlockFields): boolean =>
      Object.values(fields).some(field => {
        if (field.kind === 'group') return isToBlock(field.fields)
        if (field.kind === 'list') return isToBlock(field.item)
        return field.kind === 'reference' && field.to === 'block'
      })
    const sampleOf = (field: BlockField): Json => {
      if (field.kind === 'group') return samplesOf(field.fields)
      if (field.kind === 'list') return [{ id: 'item', ...samplesOf(field.item) }]
      return field.kind === 'reference' && field.to === 'block' ? 'target' : 'target too'
    }
    const samplesOf = (fields: BlockFields): JsonObject =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, field]) =>
          isToBlock({ [name]: field }) ? [[name, sampleOf(field)] as const] : [],
        ),
      )
    const jumping = Object.entries<Block>(blocks).filter(([, { fields }]) => isToBlock(fields))
    expect(jumping.map(([type]) => type)).toContain('gotonodesrc')
    for (const [type, { fields }] of jumping) {
      const doc = createFlow()
      addNode(doc, { id: 'target', type: 'marker', title: 'T', x: 0, y: 0 }, 'me')
      addNode(doc, { id: 'source', type, title: 'S', x: 0, y: 0, properties: samplesOf(fields) }, 'me')
      const ids = ['copied target', 'copied source']
      paste(doc, copyBlocks(doc, ['target', 'source']), { x: 0, y: 0 }, () => ids.shift() ?? '', 'me')
      const written = JSON.stringify(exportFlow(doc).operators['copied source']?.properties)
      expect(written, type).toContain('"copied target"')
      expect(written, type).not.toContain('"target"')
    }
  })

  it('brings chosen blocks back and leaves the others alone', () => {
    const doc = flow()
    addLink(doc, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')
    const before = exportFlow(doc)
    removeNodes(doc, ['a'], 'me')
    moveNodes(doc, new Map([['b', { x: 7, y: 7 }]]), 'me')
    addNode(doc, { id: 'c', type: 'marker', title: 'C', x: 0, y: 0 }, 'me')

    patchBlocks(doc, before, ['a', 'c'], 'me')

    const after = exportFlow(doc)
    expect(after.operators.a).toEqual(before.operators.a)
    expect(after.operators.b).toMatchObject({ left: 7, top: 7 })
    expect(after.operators.c).toBeUndefined()
    expect(after.links).toEqual(before.links)
    expect(nodeOf(doc, 'c')).toBeUndefined()
  })
})
