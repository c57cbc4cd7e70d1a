import { expect, test } from 'vitest'
import type { Place } from '#domain/expression/engine.ts'
import { importFlow } from '../document/patch-flow.ts'
import { exportFlow } from '../file/export-flow.ts'
import { type BlockText, textsOfBlock, writeText } from './block-text.ts'
import { foundIn, withReplaced } from './find-in-block.ts'
import { finderOf } from './find-text.ts'

const find = (text: string, more = {}) => finderOf({ text, isExact: false, isWholeWord: false, ...more })
const slices = (source: string, found: Iterable<Place>) =>
  [...found].map(({ offset, length }) => source.slice(offset, offset + length))

test('matches any accents and case unless exact, and matches whole words', () => {
  const source = 'Opções, opcao e OPC\u0327A\u0303O; opcional'
  expect(slices(source, find('opcao')(source))).toEqual(['opcao', 'OPC\u0327A\u0303O'])
  expect(slices(source, find('opc')(source))).toHaveLength(4)
  expect(slices(source, find('opc', { isWholeWord: true })(source))).toEqual([])
  expect(slices(source, find('opcao', { isWholeWord: true, isExact: true })(source))).toEqual(['opcao'])
  expect([...find('aa')('aaaa')]).toHaveLength(2)
  expect([...find('\u0301')('qualquer')]).toEqual([])
})

const FLOW = {
  format: 'parley-flow' as const,
  version: 1 as const,
  operators: {
    a: {
      type: 'prompt',
      title: 'Pedido',
      top: 0,
      left: 0,
      properties: {
        titleorig: 'pedido',
        varname: 'pedido',
        data: {
          type: 'choice',
          text: 'Qual <b>pedido</b>, {{pedido}}?',
          options: ['Outro pedido', 'Nenhum'],
          tags: ['sem', 'pedido'],
        },
      },
    },
    b: {
      type: 'restservice',
      title: 'text/plain',
      top: 0,
      left: 0,
      properties: {
        url: 'https://pedido.example/{{pedido.id}}',
        headers: { pedido: 'x' },
        input: '{"pedido": "{{pedido}}"}',
      },
    },
  },
  links: {},
}

test('everything that people wrote in a block is looked through and can be replaced, ids and bookkeeping are not', () => {
  const doc = importFlow(FLOW)
  const before = exportFlow(doc)
  const found = ['a', 'b'].flatMap(id =>
    textsOfBlock(doc, id).flatMap(text =>
      [...foundIn(text, find('pedido'), 'Jexl')].map(place => ({ id, text, place, part: place.part })),
    ),
  )

  expect(found.map(({ id, text, part }) => `${id} ${text.field} ${part}`)).toEqual([
    'a title title',
    'a data.text text',
    'a data.text expression',
    'a data.options.label text',
    'a data.tags text',
    'a varname expression',
    'b url text',
    'b url expression',
    'b headers.name text',
    'b input text',
    'b input expression',
  ])

  for (const id of ['a', 'b']) {
    for (const text of textsOfBlock(doc, id)) {
      const places = [...foundIn(text, find('pedido'), 'Jexl')]
      if (places.length > 0) expect(writeText(doc, id, text, withReplaced(text, places, 'a "b"'), 'test')).toBe(true)
    }
  }

  const { a, b } = exportFlow(doc).operators
  expect(a).toMatchObject({
    title: 'a "b"',
    properties: {
      titleorig: 'pedido',
      varname: 'a "b"',
      data: { text: 'Qual <b>a "b"</b>, {{a "b"}}?', options: ['Outro a "b"', 'Nenhum'], tags: ['sem', 'a "b"'] },
    },
  })
  expect(b?.properties).toMatchObject({ headers: { 'a "b"': 'x' }, input: '{"a \\"b\\"": "{{a \\"b\\"}}"}' })
  expect({ ...a, title: '', properties: '' }).toEqual({ ...before.operators.a, title: '', properties: '' })
})

test('a text in a list that changed meanwhile is not written', () => {
  const doc = importFlow(FLOW)
  const tag = textsOfBlock(doc, 'a').find(({ text }) => text === 'sem') as BlockText
  writeText(doc, 'a', tag, 'com', 'test')
  expect(writeText(doc, 'a', tag, 'talvez', 'test')).toBe(false)
})
