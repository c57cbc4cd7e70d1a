import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import words from '#schemas/locales/en/block.json' with { type: 'json' }
import { saidBy } from './block-summary.ts'
import { outgoingPaths } from './reading-order.ts'

const catalogue: Readonly<Record<string, string>> = words
const t = (key: string, values?: Readonly<Record<string, unknown>>) =>
  catalogue[key.replace('block:', '')] ?? String(values?.defaultValue ?? key)

const flowWith = (type: string, properties: Parameters<typeof addNode>[1]['properties']) => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type, title: '', x: 0, y: 0, ...(properties === undefined ? {} : { properties }) }, 'me')
  addNode(doc, { id: 'end', type: 'enddialog', title: 'Fim', x: 0, y: 200 }, 'me')
  addLink(doc, { id: 'l', from: 'a', fromConnector: 'output_1', to: 'end', toConnector: 'input_1' }, 'me')
  const flow = readFlow(doc)
  const node = flow.nodes.get('a')
  if (node === undefined) throw new Error('the block was not added')
  return { flow, node }
}

test.each([
  ['prompt', 'output_giveup', 'Gave up'],
  ['restservice', 'output_error', 'Error'],
  ['workinghour', 'output_outside', 'Outside hours'],
])('names the second output of a %s in words, not by its number', (type, output, said) => {
  const { flow, node } = flowWith(type, { outputs: { output_1: {}, [output]: {} } })
  const [first, second] = outgoingPaths(node, flow, t)
  expect(first?.target?.id).toBe('end')
  expect(second).toMatchObject({ id: output, mark: '2', way: said, target: undefined })
})

test.each([
  ['talktomlsystem', 'Answered'],
  ['talktoanotherbot', 'Finished'],
  ['rssfeed', 'Sent'],
])('names the ways of a %s with an output for errors, which is the last [P-2061]', (type, said) => {
  const { flow, node } = flowWith(type, { outputs: { output_error: {}, output_1: {} } })
  expect(outgoingPaths(node, flow, t).map(({ id, way }) => [id, way])).toEqual([
    ['output_1', said],
    ['output_error', 'Error'],
  ])
})

test.each<[string, string, Parameters<typeof addNode>[1]['properties'], readonly string[]]>([
  [
    'options',
    'prompt',
    {
      data: { type: 'choice', options: [{ id: 'p', label: 'Pix' }, 'Boleto'] },
      outputs: { p: {}, item_2: {}, output_1: {} },
    },
    ['Pix', 'Boleto', 'Any other answer'],
  ],
  [
    'yes and no',
    'prompt',
    { data: { type: 'confirm' }, outputs: { output_yes: {}, output_no: {}, output_1: {}, output_giveup: {} } },
    ['Yes', 'No', 'Any other answer', 'Gave up'],
  ],
  [
    'buttons of cards',
    'carousel',
    {
      cards: {
        items: ['Luz', 'Som'].map(title => ({
          id: title,
          header: { value: { title } },
          options: [{ id: 'x', type: 'imBack', title: 'Levar' }],
        })),
      },
      outputs: { 'Luz.x': {}, 'Som.x': {}, output_1: {} },
    },
    ['Levar · Luz', 'Levar · Som', 'Any other answer'],
  ],
])('names the outputs of %s as people read them [P-2836]', (_, type, properties, said) => {
  const { flow, node } = flowWith(type, properties)
  expect(outgoingPaths(node, flow, t).map(({ way }) => way)).toEqual(said)
})

test('returns the full text of a block, with separate paragraphs and its choices', () => {
  const long = 'palavra '.repeat(60).trim()
  const text = `<p>*Olá* ${long}</p><p>Escolha:</p>`
  const { node } = flowWith('prompt', { data: { text, options: [{ label: 'Sim' }, 'Não'] } })
  expect(saidBy(node, t)).toEqual({ text: `Olá ${long}\nEscolha:`, options: ['Sim', 'Não'] })
})
