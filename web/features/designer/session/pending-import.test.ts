import { expect, test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { readPendingImport } from './pending-import.ts'

const block = (title: string, type = 'text') => ({ type, title, top: 0, left: 0, properties: {} })
const flow = (operators: FlowFile['operators']): FlowFile => ({
  format: 'parley-flow',
  version: 1,
  operators,
  links: {},
})
const now = flow({ a: block('Oi'), b: block('Tchau') })

test('counts additions, changes and removals of a file, and reports a loss', () => {
  const file = flow({ a: block('Olá'), c: block('Novo', 'teleport') })
  expect(readPendingImport('x.json', file, now)).toMatchObject({
    is: 'coming',
    loses: true,
    coming: { name: 'x.json', added: 1, changed: 1, removed: 1, unknown: ['teleport'], isLarge: false },
  })
  expect(readPendingImport('x.json', file, flow({}))).toMatchObject({ is: 'coming', loses: false })
  expect(readPendingImport('x.json', now, now)).toEqual({ is: 'same' })
})

test('a file that is no flow is refused for what it is', () => {
  const why = (json: unknown) => {
    const read = readPendingImport('x.json', json, now)
    return read.is === 'refused' ? read.refused : read.is
  }
  expect(why(null)).toEqual({ why: 'notJson' })
  expect(why([{ id: 'n1', type: 'tab' }])).toEqual({ why: 'foreign' })
  expect(why({ version: '6', groups: [], edges: [] })).toEqual({ why: 'foreign' })
  expect(why({ ...now, version: 9 })).toEqual({ why: 'later' })
  expect(why(flow({}))).toEqual({ why: 'empty' })
  expect(why({ operators: { a: { type: 7 } }, links: {} })).toEqual({ why: 'fault', where: 'operators.a.type' })
})

test('a file that no message of the room would hold is known as large', () => {
  const blocks = Array.from({ length: 600 }, (_, at) => [
    `b${at}`,
    { ...block('x'), properties: { text: 'x'.repeat(9000) } },
  ])
  expect(readPendingImport('x.json', flow(Object.fromEntries(blocks)), now)).toMatchObject({
    coming: { isLarge: true },
  })
})
