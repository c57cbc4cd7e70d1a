import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FlowSummary, NO_CHANGES } from '#schemas/flow/summary.ts'
import { foldSummaries, SummaryFold } from './fold-summary.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const block = fc.record({ id, type: fc.constant('text'), title: fc.constantFrom('x', 'y') })
const change = fc.record({
  id,
  type: fc.constant('text'),
  title: fc.constantFrom('x', 'y'),
  fields: fc.uniqueArray(fc.constantFrom('pos', 'text', 'title')),
})
const link = fc.record({ id, from: fc.constant('a'), to: fc.constant('b') })
const lists = <Added, Changed>(mention: fc.Arbitrary<Added>, changed: fc.Arbitrary<Changed>) => ({
  added: fc.array(mention, { maxLength: 2 }),
  changed: fc.array(changed, { maxLength: 2 }),
  removed: fc.array(mention, { maxLength: 2 }),
})
const summaries: fc.Arbitrary<FlowSummary[]> = fc.array(
  fc.record({ ...lists(block, change), links: fc.record(lists(link, link)), script: fc.boolean() }),
  { maxLength: 8 },
)

describe('joining the summaries of edits', () => {
  test('from a joined summary on, the result is the same as from all that it was joined from', () => {
    fc.assert(
      fc.property(summaries, fc.nat(8), (edits, at) => {
        // Given a run of edits that is written down after some of them and read again
        const stored = JSON.parse(JSON.stringify(foldSummaries(edits.slice(0, at)))) as FlowSummary
        // When the others follow
        const resumed = new SummaryFold().add(stored)
        for (const edit of edits.slice(at)) resumed.add(edit)
        // Then the result is the same without storage
        expect(JSON.stringify(resumed.summary)).toBe(JSON.stringify(foldSummaries(edits)))
      }),
    )
  })

  test('reports a removed and restored block as changed, and omits an added and removed one', () => {
    const [a, b] = [
      { id: 'a', type: 'text', title: 'A' },
      { id: 'b', type: 'text', title: 'B' },
    ]
    const folded = foldSummaries([
      { ...NO_CHANGES, removed: [a] },
      { ...NO_CHANGES, added: [a, b] },
      { ...NO_CHANGES, changed: [{ ...a, fields: ['pos'] }] },
      { ...NO_CHANGES, removed: [b] },
    ])
    expect(folded).toEqual({ ...NO_CHANGES, changed: [{ ...a, fields: ['pos'] }] })
  })
})
