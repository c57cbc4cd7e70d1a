import { describe, expect, test } from 'vitest'
import { arrange } from './arrange.ts'

const block = (id: string, x: number, y: number, width = 240) => ({ id, x, y, width, height: 72 })
const BLOCKS = [block('a', 0, 0), block('b', 100, 500), block('c', 420, 180, 296)]
const moved = (how: Parameters<typeof arrange>[1], blocks = BLOCKS) => Object.fromEntries(arrange(blocks, how))

describe('blocks are arranged', () => {
  test('in line by an edge or the middle, and only those that stand elsewhere move', () => {
    expect(moved('left')).toEqual({ b: { x: 0, y: 500 }, c: { x: 0, y: 180 } })
    expect(moved('right')).toEqual({ a: { x: 476, y: 0 }, b: { x: 476, y: 500 } })
    expect(moved('top')).toEqual({ b: { x: 100, y: 0 }, c: { x: 420, y: 0 } })
    expect(moved('bottom')).toEqual({ a: { x: 0, y: 500 }, c: { x: 420, y: 500 } })
    expect(moved('center')).toEqual({ a: { x: 240, y: 0 }, b: { x: 240, y: 500 }, c: { x: 220, y: 180 } })
    expect(moved('middle')).toEqual({ a: { x: 0, y: 260 }, b: { x: 100, y: 260 }, c: { x: 420, y: 260 } })
  })

  test('with equal room between, the outer two where they were', () => {
    expect(moved('spreadDown')).toEqual({ c: { x: 420, y: 260 } })
    const row = [block('a', 0, 0), block('b', 260, 0), block('c', 1000, 0)]
    expect(moved('spreadAside', row)).toEqual({ b: { x: 500, y: 0 } })
  })

  test('not at all where there are none', () => {
    expect(moved('spreadAside', [])).toEqual({})
  })
})
