import { expect, test } from 'vitest'
import { overlapping } from '../model/geometry.ts'
import { collapseEmptyBands } from './flow-pdf.ts'

const block = (x: number, y: number) => ({ x, y, width: 160, height: 80 })

test('narrows empty bands across a flow; keeps blocks side by side or closer unchanged', () => {
  const boxes = [block(0, 0), block(0, 100), block(3000, 40), block(3040, 2000)]
  expect(collapseEmptyBands(boxes).map(({ x, y }) => ({ x, y }))).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: 100 },
    { x: 360, y: 40 },
    { x: 400, y: 260 },
  ])
})

test('a frame keeps the room that is within it', () => {
  const frame = { x: 0, y: 0, width: 2000, height: 300 }
  const boxes = [frame, block(20, 20), block(1800, 20), block(5000, 0)]
  expect(collapseEmptyBands(boxes).map(({ x }) => x)).toEqual([0, 20, 1800, 2200])
})

test('gives each column of pages its own bands, without overlaps', () => {
  const columns = Array.from({ length: 30 }, (_, at) => [block(at * 500, 0), block(at * 500, 300 + (at % 2) * 900)])
  const boxes = collapseEmptyBands(columns.flat())
  expect(overlapping(boxes)).toBe(0)
  expect(boxes.map(({ y }) => y).filter(y => y > 0)).toContain(160)
})
