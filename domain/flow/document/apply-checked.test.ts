import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { DEEPEST_PROPERTY } from '#schemas/flow/file.ts'
import { applyChecked } from './apply-checked.ts'
import { createFlow, linksOf, metaOf, nodeOf, nodesOf, propertiesOf, scriptOf } from './document.ts'
import { addLink, addNode, moveNodes, removeNodes, setField, setTitle } from './edit.ts'
import { FLOW_LIMITS } from './violation.ts'

const room = () => {
  const server = createFlow()
  addNode(server, { id: 'a', type: 'text', title: 'A', x: 0, y: 0 }, 'before')
  addNode(server, { id: 'b', type: 'condition', title: 'B', x: 0, y: 100 }, 'before')
  return { server, client: createFlow(Y.encodeStateAsUpdate(server)) }
}

/** Result on the server of one edit by an up-to-date client. */
const send = (edit: (client: Y.Doc) => void, limits = FLOW_LIMITS) => {
  const { server, client } = room()
  const before = Y.encodeStateVector(client)
  edit(client)
  return { server, applied: applyChecked(server, Y.encodeStateAsUpdate(client, before), limits, 'client') }
}

const propertiesIn = (doc: Y.Doc) => {
  const properties = propertiesOf(doc, 'a')
  if (properties === undefined) throw new Error('no properties')
  return properties
}

describe('an update of a client', () => {
  it('returns a summary', () => {
    const { applied } = send(client =>
      client.transact(() => {
        addNode(client, { id: 'c', type: 'marker', title: 'Início', x: 1, y: 2 }, 'me')
        setTitle(client, 'b', 'Escolha', 'me')
        moveNodes(client, new Map([['b', { x: 5, y: 5 }]]), 'me')
        setField(client, 'a', ['text'], 'Olá', 'me')
        addLink(client, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')
      }),
    )

    expect(applied).toMatchObject({
      ok: true,
      changed: true,
      pending: false,
      summary: {
        added: [{ id: 'c', type: 'marker', title: 'Início' }],
        changed: [
          { id: 'b', type: 'condition', title: 'Escolha', fields: ['pos', 'title'] },
          { id: 'a', type: 'text', title: 'A', fields: ['text'] },
        ],
        removed: [],
        links: { added: [{ id: 'a:output_1:0', from: 'a', to: 'b' }], changed: [], removed: [] },
      },
    })
  })

  it('nests in a property as deep as a flow file may, the lists and items around it counted', () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })
    const set = (levels: number) => send(client => propertiesIn(client).set('card', deep(levels))).applied.ok
    const setInItem = (levels: number) =>
      send(client => {
        const item = new Y.Map([['card', deep(levels)]])
        propertiesIn(client).set('list', new Y.Map([['item', item]]))
      }).applied.ok

    expect([set(DEEPEST_PROPERTY), set(DEEPEST_PROPERTY + 1)]).toEqual([true, false])
    expect([setInItem(DEEPEST_PROPERTY - 2), setInItem(DEEPEST_PROPERTY - 1)]).toEqual([true, false])
  })

  it('names the blocks it removed', () => {
    const { applied } = send(client => removeNodes(client, ['a'], 'me'))

    expect(applied).toMatchObject({
      ok: true,
      summary: { removed: [{ id: 'a', type: 'text', title: 'A' }], added: [] },
    })
  })

  it.each<[string, (doc: Y.Doc) => void]>([
    ['a share that a flow does not have', doc => doc.getMap('other').set('a', 1)],
    ['a list share', doc => doc.getArray('other').push([1])],
    ['code in a dialog', doc => scriptOf(doc).insert(0, 'x')],
    ['a node that is no map', doc => nodesOf(doc).set('q', { type: 'text' })],
    ['a link that is a text', doc => linksOf(doc).set('q', new Y.Text('x'))],
    ['a foreign key of a node', doc => nodeOf(doc, 'a')?.set('owner', 'me')],
    ['a foreign key of a link', doc => linksOf(doc).set('q', new Y.Map([['weight', 1]]))],
    ['a type that is a number', doc => nodeOf(doc, 'a')?.set('type', 5)],
    ['a position without y', doc => nodeOf(doc, 'a')?.set('pos', { x: 1 })],
    ['a position that is no number', doc => nodeOf(doc, 'a')?.set('pos', { x: 1, y: Number.NaN })],
    ['a position with more in it', doc => nodeOf(doc, 'a')?.set('pos', { x: 1, y: 2, z: 3 })],
    ['a shared position', doc => nodeOf(doc, 'a')?.set('pos', new Y.Map([['x', 1]]))],
    ['properties that are no map', doc => nodeOf(doc, 'a')?.set('properties', {})],
    ['an oversize title', doc => nodeOf(doc, 'a')?.set('title', 'x'.repeat(10_001))],
    ['an oversize value', doc => propertiesIn(doc).set('varname', 'x'.repeat(1_000_001))],
    ['an oversize text', doc => propertiesIn(doc).set('code', new Y.Text('x'.repeat(1_000_001)))],
    ['a Y.Array', doc => propertiesIn(doc).set('list', new Y.Array())],
    ['bytes', doc => propertiesIn(doc).set('bytes', new Uint8Array(3))],
    ['a document in the document', doc => propertiesIn(doc).set('doc', new Y.Doc())],
    ['a value that JSON lacks', doc => propertiesIn(doc).set('n', Number.POSITIVE_INFINITY)],
    [
      'an embed in a text',
      doc => {
        const text = new Y.Text()
        text.insertEmbed(0, { image: 1 })
        propertiesIn(doc).set('t', text)
      },
    ],
    ['another schema', doc => metaOf(doc).set('schema', 2)],
    ['a foreign key of meta', doc => metaOf(doc).set('owner', 'me')],
  ])('is refused for %s', (_, edit) => {
    expect(send(edit).applied.ok).toBe(false)
  })

  it('replaces a link whole, and sets its color alone in place', () => {
    const { server, client } = room()
    const link = { id: 'x', from: 'a', fromConnector: 'o', to: 'b', toConnector: 'i' }
    const sent = (edit: () => void) => {
      const before = Y.encodeStateVector(client)
      edit()
      return applyChecked(server, Y.encodeStateAsUpdate(client, before), FLOW_LIMITS, 'client').ok
    }
    expect(sent(() => addLink(client, link, 'me'))).toBe(true)
    expect(sent(() => addLink(client, { ...link, to: 'a' }, 'me'))).toBe(true)
    const held = () => [...linksOf(client).values()].find(each => each instanceof Y.Map)
    expect(sent(() => held()?.set('color', '1'))).toBe(true)
    expect(sent(() => held()?.set('color', '2'))).toBe(true)
    expect(sent(() => held()?.set('to', 'b'))).toBe(false)
  })

  it.each<[string, (doc: Y.Doc) => void]>([
    ['a missing position', doc => nodeOf(doc, 'a')?.delete('pos')],
    ['an unknown type', doc => nodeOf(doc, 'a')?.set('type', 'demo::load_file')],
    [
      'a dangling link',
      doc => addLink(doc, { id: 'x', from: 'a', fromConnector: 'o', to: 'gone', toConnector: 'i' }, 'me'),
    ],
    ['a plain string where a text is usual', doc => propertiesIn(doc).set('text', 'Olá')],
    ['a Y.Text where rich text is usual', doc => propertiesIn(doc).set('text', new Y.Text('Olá'))],
    ['properties nobody declared', doc => propertiesIn(doc).set('mine', { a: [1, { b: null }] })],
  ])('is taken with %s', (_, edit) => {
    expect(send(edit).applied).toMatchObject({ ok: true, changed: true })
  })

  it('may carry code where the document is a handler', () => {
    const { applied } = send(client => scriptOf(client).insert(0, 'return 1'), { ...FLOW_LIMITS, script: true })

    expect(applied).toMatchObject({ ok: true, summary: { script: true } })
  })

  it('is refused when it is no update at all', () => {
    const { server } = room()

    expect(applyChecked(server, new Uint8Array([1, 2, 3, 255, 255]), FLOW_LIMITS, 'client').ok).toBe(false)
    expect(applyChecked(server, new Uint8Array(), FLOW_LIMITS, 'client').ok).toBe(false)
  })

  it('waits for structs that have not come, and is checked when it can be applied', () => {
    const { server, client } = room()
    const updates: Uint8Array[] = []
    client.on('update', update => updates.push(update))
    setTitle(client, 'a', 'one', 'me')
    nodeOf(client, 'a')?.set('owner', 'me')
    const [first, second] = updates
    if (first === undefined || second === undefined) throw new Error('two updates')

    expect(applyChecked(server, second, FLOW_LIMITS, 'client')).toMatchObject({
      ok: true,
      changed: false,
      pending: true,
    })
    expect(applyChecked(server, first, FLOW_LIMITS, 'client')).toMatchObject({ ok: false })
  })

  it('that is known already changes nothing', () => {
    const { server } = room()

    const applied = applyChecked(server, Y.encodeStateAsUpdate(server), FLOW_LIMITS, 'client')

    expect(applied).toMatchObject({ ok: true, changed: false, touched: [], ranges: [] })
  })
})
