import { expect, test } from 'vitest'
import type { Box } from '../../model/geometry.ts'
import { IN_FRAME, MANY, nextDrawnBlocks, undrawnBlocks } from './virtualize-blocks.ts'

const ROWS = 40
const SIZE = { width: 240, height: 72 }
const VIEW: Box = { x: 0, y: 0, width: 1600, height: 1000 }
const NONE: ReadonlySet<string> = new Set()

const flowOf = (blocks: number): ReadonlyMap<string, Box> =>
  new Map(
    Array.from({ length: blocks }, (_, n): [string, Box] => [
      `n${n}`,
      { x: Math.floor(n / ROWS) * 340, y: (n % ROWS) * 120, ...SIZE },
    ]),
  )

const BOXES = flowOf(1000)

const all = (drawn: ReadonlySet<string>, view: Box): ReadonlySet<string> => {
  const next = nextDrawnBlocks(drawn, BOXES, view, undefined)
  return next === drawn ? drawn : all(next, view)
}

test('draws visible blocks first, a few per frame, until none is missing', () => {
  const first = nextDrawnBlocks(NONE, BOXES, VIEW, undefined)
  expect(first.size).toBe(IN_FRAME)
  expect(undrawnBlocks(NONE, BOXES, VIEW).isSupersetOf(first)).toBe(true)
  const drawn = all(NONE, VIEW)
  expect(undrawnBlocks(drawn, BOXES, VIEW).size).toBe(0)
  expect(drawn.size).toBeLessThan(BOXES.size / 4)
})

test('a view that moves on finds what it comes to drawn, and leaves nothing far behind it drawn', () => {
  const before = all(NONE, VIEW)
  expect(undrawnBlocks(before, BOXES, { ...VIEW, x: 180, y: 180 }).size).toBe(0)
  const far = { ...VIEW, x: 5000 }
  const after = all(before, far)
  expect(undrawnBlocks(after, BOXES, far).size).toBe(0)
  expect(after.has('n0')).toBe(false)
})

test('nothing changes while nothing comes or goes, so that nothing is rendered', () => {
  const drawn = all(NONE, VIEW)
  expect(nextDrawnBlocks(drawn, BOXES, { ...VIEW, x: 20 }, undefined)).toBe(drawn)
})

test('draws the focused block anywhere, and no removed block', () => {
  const drawn = all(NONE, VIEW)
  expect(nextDrawnBlocks(drawn, BOXES, VIEW, 'n999').has('n999')).toBe(true)
  const fewer = new Map(BOXES)
  fewer.delete('n0')
  expect(nextDrawnBlocks(drawn, fewer, VIEW, 'n0').has('n0')).toBe(false)
})

test('of a small flow everything is drawn at once', () => {
  const small = flowOf(MANY)
  const drawn = nextDrawnBlocks(NONE, small, VIEW, undefined)
  expect(drawn.size).toBe(MANY)
  expect(nextDrawnBlocks(drawn, small, { ...VIEW, x: 9000 }, undefined)).toBe(drawn)
})
