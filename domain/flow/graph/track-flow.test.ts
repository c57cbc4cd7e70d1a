import { describe, expect, test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { importFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { trackFlow } from './track-flow.ts'

const operator = (id: string, type: string, properties = {}) => [
  id,
  { id, type, title: id, top: 0, left: 0, properties },
]
const link = (from: string, to: string, output = 'output_1') => [
  `${from}-${output}-${to}`,
  { fromOperator: from, fromConnector: output, toOperator: to, toConnector: 'input_1' },
]

const given = (operators: unknown[][], links: unknown[][]) =>
  readFlow(
    importFlow({
      format: 'parley-flow',
      operators: Object.fromEntries(operators),
      links: Object.fromEntries(links),
    } as unknown as FlowFile),
  )

describe('the flow tracker [D-2.09]', () => {
  const flow = given(
    [
      operator('start', 'start'),
      operator('hello', 'text'),
      operator('ask', 'text'),
      operator('again', 'text'),
      operator('end', 'enddialog'),
      operator('aside', 'text'),
    ],
    [link('start', 'hello'), link('hello', 'ask'), link('ask', 'again'), link('again', 'ask'), link('aside', 'end')],
  )

  test('names the shortest way from the start, all that lead to a block and all it reaches', () => {
    const track = trackFlow(flow, 'ask')
    expect(track.way).toEqual(['start', 'hello', 'ask'])
    expect([...track.before].sort()).toEqual(['again', 'ask', 'hello', 'start'])
    expect([...track.after].sort()).toEqual(['again', 'ask'])
  })

  test('names loops and outputs that lead nowhere', () => {
    expect(trackFlow(flow, 'hello').loops).toEqual([expect.arrayContaining(['ask', 'again'])])
    expect(trackFlow(flow, 'hello').deadEnds).toEqual([])
    const open = given([operator('start', 'start'), operator('hello', 'text')], [link('start', 'hello')])
    expect(trackFlow(open, 'start')).toMatchObject({ loops: [], deadEnds: ['hello'] })
  })

  test('says that nothing leads to a block that the start does not reach', () => {
    expect(trackFlow(flow, 'aside')).toMatchObject({ way: [], deadEnds: [] })
    expect([...trackFlow(flow, 'aside').after]).toEqual(['end'])
  })

  test('follows a jump to where it lands', () => {
    const jump = given(
      [
        operator('start', 'start'),
        operator('jump', 'gotonodesrc', { destination: 'land' }),
        operator('land', 'gotonodedest'),
        operator('end', 'enddialog'),
      ],
      [link('start', 'jump'), link('land', 'end')],
    )
    expect(trackFlow(jump, 'end').way).toEqual(['start', 'jump', 'land', 'end'])
  })
})
