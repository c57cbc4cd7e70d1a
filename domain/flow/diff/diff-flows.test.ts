import { describe, expect, it } from 'vitest'
import { NO_CHANGES } from '#schemas/flow/summary.ts'
import { createFlow } from '../document/document.ts'
import { addLink, addNode, moveNodes, removeNodes, setField, setTitle } from '../document/edit.ts'
import { exportFlow } from '../file/export-flow.ts'
import { diffFlows } from './diff-flows.ts'
import { foldSummaries } from './fold-summary.ts'

const flow = () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'text', title: 'A', x: 0, y: 0 }, 'me')
  addNode(doc, { id: 'b', type: 'prompt', title: 'B', x: 0, y: 90 }, 'me')
  addLink(doc, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'me')
  return doc
}

describe('the difference of two flows', () => {
  it('names blocks, values before and after, and links', () => {
    const doc = flow()
    const before = exportFlow(doc)
    setTitle(doc, 'b', 'Pergunta', 'me')
    moveNodes(doc, new Map([['b', { x: 40, y: 100 }]]), 'me')
    setField(doc, 'b', ['data', 'text'], 'Qual?', 'me')
    addNode(doc, { id: 'c', type: 'marker', title: 'C', x: 0, y: 0 }, 'me')
    addLink(doc, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'c', toConnector: 'input_1' }, 'me')
    addLink(doc, { id: 'x', from: 'b', fromConnector: 'output_1', to: 'c', toConnector: 'input_1' }, 'me')

    const difference = diffFlows(before, exportFlow(doc))

    expect(difference.nodes.added).toEqual([{ id: 'c', type: 'marker', title: 'C' }])
    expect(difference.nodes.removed).toEqual([])
    expect(difference.nodes.changed).toEqual([
      {
        id: 'b',
        type: 'prompt',
        title: 'Pergunta',
        changes: [
          { path: 'pos', before: { x: 0, y: 90 }, after: { x: 40, y: 100 } },
          { path: 'title', before: 'B', after: 'Pergunta' },
          { path: 'properties.data.text', before: '', after: 'Qual?' },
        ],
      },
    ])
    expect(difference.links.added).toMatchObject([{ id: 'b:output_1:0', toOperator: 'c' }])
    expect(difference.links.changed).toMatchObject([
      { id: 'a:output_1:0', before: { toOperator: 'b' }, after: { toOperator: 'c' } },
    ])
  })

  it('is empty for the same flow with other link ids', () => {
    const file = exportFlow(flow())
    const renamed = { ...file, links: { other: Object.values(file.links)[0] ?? expect.fail('one link') } }

    expect(diffFlows(file, renamed)).toEqual({
      nodes: { added: [], removed: [], changed: [] },
      links: { added: [], changed: [], removed: [] },
    })
  })

  it('says the opposite the other way round', () => {
    const doc = flow()
    const before = exportFlow(doc)
    removeNodes(doc, ['a'], 'me')

    expect(diffFlows(before, exportFlow(doc)).nodes.removed).toEqual([{ id: 'a', type: 'text', title: 'A' }])
    expect(diffFlows(exportFlow(doc), before).nodes.added).toEqual([{ id: 'a', type: 'text', title: 'A' }])
  })
})

describe('folding summaries', () => {
  const a = { id: 'a', type: 'text', title: 'A' }

  it('joins fields, keeps the latest title, and drops what came and went', () => {
    const folded = foldSummaries([
      { ...NO_CHANGES, added: [a, { ...a, id: 'b' }] },
      {
        ...NO_CHANGES,
        changed: [
          { ...a, title: 'Novo', fields: ['title'] },
          { ...a, id: 'c', fields: ['text'] },
        ],
      },
      { ...NO_CHANGES, changed: [{ ...a, id: 'c', fields: ['pos'] }], removed: [{ ...a, id: 'b' }], script: true },
    ])

    expect(folded).toEqual({
      ...NO_CHANGES,
      added: [{ ...a, title: 'Novo' }],
      changed: [{ ...a, id: 'c', fields: ['pos', 'text'] }],
      script: true,
    })
  })

  it('calls what was removed and brought back changed', () => {
    const folded = foldSummaries([
      { ...NO_CHANGES, removed: [a] },
      { ...NO_CHANGES, added: [a] },
    ])

    expect(folded).toMatchObject({ added: [], removed: [], changed: [{ id: 'a', fields: [] }] })
  })
})
