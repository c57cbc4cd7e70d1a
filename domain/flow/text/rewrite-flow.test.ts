import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { importFlow } from '../document/patch-flow.ts'
import { exportFlow } from '../file/export-flow.ts'
import { createUndo } from '../undo/undo.ts'
import { textsOfBlock } from './block-text.ts'
import { foundIn } from './find-in-block.ts'
import { finderOf } from './find-text.ts'
import { replaceInFlow } from './rewrite-flow.ts'

const find = finderOf({ text: 'pedido', isExact: false, isWholeWord: false })
const block = (type: string, title: string, properties: { [name: string]: Json }) => ({
  type,
  title,
  top: 0,
  left: 0,
  properties,
})
const flow = () =>
  importFlow({
    format: 'parley-flow',
    version: 1,
    operators: {
      a: block('text', 'Pedido', { text: 'Seu pedido <b>{{pedido}}</b>, pedido meu' }),
      b: block('restservice', 'Busca', { url: 'https://pedido.example', input: '{"a": "pedido"}' }),
    },
    links: {},
  })
const hitsOf = (doc: ReturnType<typeof flow>) =>
  ['a', 'b'].flatMap(block =>
    textsOfBlock(doc, block).flatMap(({ path, at, ...text }) =>
      [...foundIn({ path, ...text }, find, 'Jexl')].map(({ offset }) => ({ block, path, at, offset })),
    ),
  )

test('chosen places of a flow are replaced as one step, which one undo takes back', () => {
  const doc = flow()
  const undo = createUndo(doc, ['me'])
  const before = exportFlow(doc).operators
  let changes = 0
  doc.on('update', () => {
    changes += 1
  })

  const hits = hitsOf(doc)
  replaceInFlow(doc, { find, by: 'compra', hits: hits.filter((_, index) => index !== 1) }, 'Jexl', 'me')

  expect(changes).toBe(1)
  expect(exportFlow(doc).operators).toMatchObject({
    a: { title: 'compra', properties: { text: 'Seu pedido <b>{{compra}}</b>, compra meu' } },
    b: { properties: { url: 'https://compra.example', input: '{"a": "compra"}' } },
  })
  undo.undo()
  expect(exportFlow(doc).operators).toEqual(before)
})

test('skips and reports a hit that moved after the search', () => {
  const doc = flow()
  const hits = hitsOf(doc).map(hit => ({ ...hit, offset: hit.offset + 1 }))
  const before = exportFlow(doc).operators

  const left = replaceInFlow(doc, { find, by: 'compra', hits }, 'Jexl', 'me')

  expect(left).toEqual(hits)
  expect(exportFlow(doc).operators).toEqual(before)
})
