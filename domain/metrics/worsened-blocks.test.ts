import { expect, test } from 'vitest'
import { type RevisionLosses, worsenedBlocks } from './worsened-blocks.ts'

const revision = (number: number, entered: number, lost: number, block = 'ask'): RevisionLosses => ({
  revision: number,
  blocks: new Map([[block, { entered, lost }]]),
})

test('finds the revision since which a block loses more people [P-2540]', () => {
  expect(worsenedBlocks([revision(3, 60, 3), revision(7, 60, 4), revision(12, 80, 24), revision(15, 40, 12)])).toEqual([
    { block: 'ask', revision: 12, from: 7, was: { entered: 120, lost: 7 }, is: { entered: 120, lost: 36 } },
  ])
})

test('finds nothing for few people, for chance, and for blocks that lose fewer [P-2541]', () => {
  // 19 people before.
  expect(worsenedBlocks([revision(1, 19, 0), revision(2, 100, 50)])).toEqual([])
  // 10 % and 17 % of 60: 1.1 deviations.
  expect(worsenedBlocks([revision(1, 60, 6), revision(2, 60, 10)])).toEqual([])
  // 1 % and 4 %, of very many.
  expect(worsenedBlocks([revision(1, 10_000, 100), revision(2, 10_000, 400)])).toEqual([])
  expect(worsenedBlocks([revision(1, 100, 50), revision(2, 100, 10)])).toEqual([])
  expect(worsenedBlocks([revision(1, 100, 50)])).toEqual([])
  // A new block has no before.
  expect(worsenedBlocks([revision(1, 100, 0), revision(2, 100, 50, 'new')])).toEqual([])
})
