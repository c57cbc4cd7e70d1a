import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { createContentCache, flowContent } from './flow-content.ts'
import { type FlowQuery, runFlowQuery } from './flow-query.ts'

const stateOf = (text: string, count = 1) => {
  const file = exportFlow(createFlow())
  const properties = { url: text }
  const operators = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `n${n}`,
      { type: 'restservice', title: `${n}`, top: n * 120, left: 0, properties },
    ]),
  )
  return [Y.encodeStateAsUpdate(importFlow({ ...file, operators }))]
}
const find = (text: string): FlowQuery & { for: 'text' } => ({
  for: 'text',
  wanted: { text, isExact: true, isWholeWord: false },
  parser: 'Jexl',
  max: 10,
})

test('counts the hits of a large text beyond those that it answers [P-78]', async () => {
  const content = flowContent(stateOf('a'.repeat(1_000_000)))
  const { answer, isCut } = await runFlowQuery(content, find('a'), Number.POSITIVE_INFINITY)
  expect(isCut).toBe(false)
  expect(answer).toMatchObject({ total: 1_000_000 })
  expect(answer).toHaveProperty('hits.length', 10)
})

test('tells expressions from words when a text has tens of thousands of each [P-78]', async () => {
  const content = flowContent(stateOf('z{{q}}'.repeat(30_000)))
  const started = process.cpuUsage()
  for (const text of ['z', 'q']) {
    const part = text === 'z' ? 'text' : 'expression'
    const { answer } = await runFlowQuery(content, find(text), Number.POSITIVE_INFINITY)
    expect(answer).toMatchObject({ total: 30_000, hits: Array.from({ length: 10 }, () => ({ part })) })
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000)
})

test('reports a search as cut after its time limit [P-78]', async () => {
  const content = flowContent(stateOf('a'.repeat(100_000), 20))
  const { answer, isCut } = await runFlowQuery(content, find('a'), 0)
  expect(isCut).toBe(true)
  expect(answer).toMatchObject({ total: 0, hits: [] })
})

test('keeps the contents of a flow at one revision, and of the flows asked for last', () => {
  const cache = createContentCache()
  const content = flowContent(stateOf('a'.repeat(900_000), 10))
  for (const flow of ['a', 'b']) cache.set(flow, 1, content)
  expect(cache.get('a', 1)).toBe(content)
  expect(cache.get('a', 2)).toBeUndefined()
  cache.set('c', 1, content)
  expect(cache.get('b', 1)).toBeUndefined()
  expect(cache.get('a', 1)).toBe(content)
})
