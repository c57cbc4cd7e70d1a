import { describe, expect, it, test } from 'vitest'
import { prompt } from '#schemas/blocks/prompt.ts'
import type { JsonObject } from '#schemas/event.ts'
import { exportFlow } from '../file/export-flow.ts'
import { lintFlow } from '../lint/lint-flow.ts'
import { choicesOf } from './choice-outputs.ts'
import { createFlow } from './document.ts'
import { addLink, addNode, hideChoices, setField, showOfferedChoices } from './edit.ts'
import { addItem, moveItem, removeItem } from './item-edit.ts'
import { importFlow } from './patch-flow.ts'
import { readFlow, readNode } from './read-flow.ts'

const ME = 'me'
const OPTIONS = ['data', 'options'] as const

const flowWith = (type: string, properties: JsonObject = {}) => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type, title: '', x: 0, y: 0, properties }, ME)
  addNode(doc, { id: 'end', type: 'enddialog', title: '', x: 0, y: 200 }, ME)
  const outputs = () => readNode(doc, 'a')?.outputs.map(({ id }) => id)
  const link = (fromConnector: string) =>
    addLink(doc, { id: 'l', from: 'a', fromConnector, to: 'end', toConnector: 'input_1' }, ME)
  const deadEnds = () =>
    lintFlow(readFlow(doc), {}).flatMap(({ code, block, field }) =>
      code === 'block.deadend' && block === 'a' ? [field] : [],
    )
  return { doc, outputs, link, deadEnds, file: () => exportFlow(doc) }
}

const question = (options: readonly (JsonObject | string)[]): JsonObject => ({
  data: { type: 'choice', text: 'Qual?', options: [...options] },
})
const TWO = [
  { id: 'p', label: 'Pix', value: '' },
  { id: 'b', label: 'Boleto', value: '' },
]

describe('outputs of choices', () => {
  it('leave out an option that has the id of an output of the block [P-2833]', () => {
    const options = [
      { id: 'output_1', label: 'Pix' },
      { id: 'b', label: 'Boleto' },
    ]
    const choices = choicesOf(prompt, { isPromptDynamic: false, ...question(options) })
    expect(choices.map(({ output, title }) => [output, title])).toEqual([['b', 'Boleto']])
  })

  it('come with each option that is added, in the order of the options, and go with it [P-2833]', () => {
    const { doc, outputs, link } = flowWith('prompt', { data: { type: 'choice' } })
    expect(outputs()).toEqual(['output_1', 'output_giveup'])
    addItem(doc, 'a', OPTIONS, { id: 'p', members: { label: 'Pix' } }, ME)
    addItem(doc, 'a', OPTIONS, { id: 'b', members: { label: 'Boleto' } }, ME)
    moveItem(doc, 'a', OPTIONS, 'b', 0, ME)
    expect(outputs()).toEqual(['b', 'p', 'output_1', 'output_giveup'])
    link('p')
    removeItem(doc, 'a', OPTIONS, 'p', ME)
    expect(outputs()).toEqual(['b', 'output_1', 'output_giveup'])
    expect(readFlow(doc).links.size).toBe(0)
  })

  it('of a file are those that it names, and a link from another one shows it [P-2833]', () => {
    const { doc, outputs, link } = flowWith('prompt', question(TWO))
    expect(outputs()).toEqual(['output_1', 'output_giveup'])
    expect(readNode(doc, 'a')?.moreOutputs).toEqual(['p', 'b'])
    addItem(doc, 'a', OPTIONS, { id: 'c', members: { label: 'Cartão' } }, ME)
    expect(outputs()).toEqual(['output_1', 'output_giveup'])
    link('b')
    expect(outputs()).toEqual(['b', 'output_1', 'output_giveup'])
  })

  it('are shown for all choices at once, and hidden with their links [P-2833]', () => {
    const { doc, outputs, link } = flowWith('prompt', question(TWO))
    showOfferedChoices(doc, 'a', ME)
    expect(outputs()).toEqual(['p', 'b', 'output_1', 'output_giveup'])
    link('p')
    link('output_1')
    hideChoices(doc, 'a', ME)
    expect(outputs()).toEqual(['output_1', 'output_giveup'])
    expect([...readFlow(doc).links.values()].map(({ fromConnector }) => fromConnector)).toEqual(['output_1'])
  })

  it('follow the kind of the question, and are yes and no for one that is confirmed [P-2833]', () => {
    const { doc, outputs } = flowWith('prompt', question(TWO))
    showOfferedChoices(doc, 'a', ME)
    setField(doc, 'a', ['data', 'type'], 'confirm', ME)
    expect(outputs()).toEqual(['output_1', 'output_giveup'])
    showOfferedChoices(doc, 'a', ME)
    expect(outputs()).toEqual(['output_yes', 'output_no', 'output_1', 'output_giveup'])
    setField(doc, 'a', ['data', 'type'], 'choice', ME)
    expect(outputs()).toEqual(['p', 'b', 'output_1', 'output_giveup'])
  })

  it('are missing for a button while it opens an address [P-2833]', () => {
    const { doc, outputs } = flowWith('herocard')
    addItem(doc, 'a', ['buttons'], { id: 'x', members: { type: 'openUrl', title: 'Ver' } }, ME)
    expect(outputs()).toEqual(['output_1'])
    setField(doc, 'a', ['buttons', 'x', 'type'], 'imBack', ME)
    expect(outputs()).toEqual(['x', 'output_1'])
  })

  it('name the card and the button in a carousel, and go with their card [P-2833]', () => {
    const { doc, outputs } = flowWith('carousel')
    for (const card of ['k1', 'k2']) {
      addItem(doc, 'a', ['cards', 'items'], { id: card, members: {} }, ME)
      const button = { id: 'take', members: { type: 'imBack', title: 'Levar' } }
      addItem(doc, 'a', ['cards', 'items', card, 'options'], button, ME)
    }
    expect(outputs()).toEqual(['k1.take', 'k2.take', 'output_1'])
    removeItem(doc, 'a', ['cards', 'items'], 'k1', ME)
    expect(outputs()).toEqual(['k2.take', 'output_1'])
  })

  it('are the actions that send an adaptive card, by their id or place [P-2833]', () => {
    const actions = [
      { type: 'Action.Submit', title: 'Sim', id: 'yes' },
      { type: 'Action.OpenUrl', title: 'Ver', url: 'https://x.example/' },
      { type: 'Action.Submit', title: 'Não' },
    ]
    const { doc, outputs } = flowWith('adaptivecard', { actions })
    showOfferedChoices(doc, 'a', ME)
    expect(outputs()).toEqual(['yes', 'item_3', 'output_1'])
  })
})

describe('a flow file', () => {
  it('keeps options without ids as they are, until one gets an output: then each item has its id [P-2834]', () => {
    const { doc, file } = flowWith('prompt', question(['Pix', 'Boleto']))
    const before = file()
    expect(before.operators.a?.properties).toMatchObject({ data: { options: ['Pix', 'Boleto'] } })
    expect(exportFlow(importFlow(before))).toEqual(before)
    showOfferedChoices(doc, 'a', ME)
    const after = file()
    expect(after.operators.a?.properties).toMatchObject({
      data: {
        options: [
          { id: 'item_1', label: 'Pix' },
          { id: 'item_2', label: 'Boleto' },
        ],
      },
      outputs: { item_1: { label: '' }, item_2: { label: '' } },
    })
    expect(exportFlow(importFlow(after))).toEqual(after)
  })
})

test('the lint asks for a variable while no choice of a question leads anywhere [P-2835]', () => {
  const { doc, link } = flowWith('prompt', question(TWO))
  const isAsked = () => lintFlow(readFlow(doc), {}).some(({ code }) => code === 'block.answer')
  showOfferedChoices(doc, 'a', ME)
  link('output_1')
  expect(isAsked()).toBe(true)
  link('p')
  expect(isAsked()).toBe(false)
})

test('a link for errors makes up for no other way, and its absence is no dead end [P-2061]', () => {
  const { doc, link, outputs, deadEnds } = flowWith('talktomlsystem', {})
  expect(outputs()).toEqual(['output_1'])
  showOfferedChoices(doc, 'a', ME)
  expect(outputs()).toEqual(['output_1', 'output_error'])
  link('output_error')
  expect(deadEnds()).toEqual(['output_1'])
  link('output_1')
  expect(deadEnds()).toEqual([])
  hideChoices(doc, 'a', ME)
  expect(outputs()).toEqual(['output_1'])
})

test.each<[string, readonly string[], readonly string[]]>([
  ['none, the first output alone', [], ['output_1', 'output_giveup']],
  ['some, the others by name', ['p', 'output_giveup'], ['b']],
  ['all, nothing', ['p', 'b', 'output_giveup'], []],
  ['some and the first output, nothing', ['p', 'output_1', 'output_giveup'], []],
])('the lint finds, of options of which these lead somewhere: %s [P-2835]', (_, linked, expected) => {
  const { doc, link, deadEnds } = flowWith('prompt', question(TWO))
  showOfferedChoices(doc, 'a', ME)
  for (const connector of linked) link(connector)
  expect(deadEnds()).toEqual(expected)
})
