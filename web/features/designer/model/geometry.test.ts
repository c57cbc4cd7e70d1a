import { describe, expect, test } from 'vitest'
import { snap, snapLinesOf } from '../canvas/snap.ts'
import { zoomLevel, zoomStepper } from '../canvas/zoom.ts'
import { blockWidth, COMFORTABLE, COMPACT, facingSide, isJump, linkShape, pointsAlong, portOffset } from './geometry.ts'

const box = (x: number, y: number) => ({ x, y, width: 240, height: 72 })

describe('a block', () => {
  test('is 240 px wide up to eight outputs and 28 px wider for each one more', () => {
    expect(blockWidth(1, COMFORTABLE)).toBe(240)
    expect(blockWidth(8, COMFORTABLE)).toBe(240)
    expect(blockWidth(11, COMFORTABLE)).toBe(240 + 3 * 28)
  })
  test('is 140 px wide where compact ones are looked at, and wider only as far as its ports need it [P-1491]', () => {
    expect(blockWidth(5, COMPACT)).toBe(140)
    for (let outputs = 1; outputs <= 40; outputs += 1) {
      expect(blockWidth(outputs, COMPACT)).toBeLessThan(blockWidth(outputs, COMFORTABLE))
      expect(blockWidth(outputs, COMPACT) / outputs).toBeGreaterThanOrEqual(24)
    }
  })
  test('spreads its ports evenly', () => {
    expect(portOffset(0, 1, COMFORTABLE)).toBe(120)
    expect(portOffset(0, 6, COMFORTABLE)).toBe(20)
    expect(portOffset(5, 6, COMFORTABLE)).toBe(220)
    expect(portOffset(0, 1, COMPACT)).toBe(70)
  })
})

describe('a link', () => {
  test('ends at the side of its target that faces its source', () => {
    expect(facingSide({ x: 100, y: 0 }, box(0, 50))).toBe('top')
    expect(facingSide({ x: -100, y: 200 }, box(0, 50))).toBe('left')
    expect(facingSide({ x: 400, y: 200 }, box(0, 50))).toBe('right')
  })
  test('below 30 px is straight and has no arrow', () => {
    const shape = linkShape({ x: 120, y: 72 }, box(0, 90))
    expect(shape.arrow).toBe(false)
    expect(shape.path).not.toContain('C')
  })
  test.each([
    ['to the left', box(0, 0), box(260, 0)],
    ['to the right', box(260, 0), box(0, 0)],
    ['to the right, a little higher', box(260, -40), box(0, 0)],
  ])('to a block of the same row %s passes behind neither block, nor does its label [P-2132]', (_, target, source) => {
    const port = { x: source.x + 120, y: source.y + 72 }
    const shape = linkShape(port, target)
    const inside = ({ x, y }: { readonly x: number; readonly y: number }, { x: left, y: top }: typeof target) =>
      x > left && x < left + 240 && y > top && y < top + 72
    for (const point of [...pointsAlong(port, target), shape.middle])
      for (const block of [source, target]) expect(inside(point, block), JSON.stringify(point)).toBe(false)
    expect(shape.end).toEqual({ x: target.x < source.x ? target.x + 240 : target.x, y: target.y + 36 })
  })
  test('that goes up or far is drawn as a jump tag', () => {
    expect(isJump({ x: 0, y: 900 }, box(0, 0))).toBe(true)
    expect(isJump({ x: 0, y: 0 }, box(0, 2000))).toBe(true)
    expect(isJump({ x: 0, y: 0 }, box(0, 300))).toBe(false)
  })
})

describe('a dragged block', () => {
  test('comes to rest on the 20 px grid', () => {
    expect(snap(box(33, 47), snapLinesOf([]), false)).toMatchObject({ x: 40, y: 40, guides: [] })
  })
  test('stands level with a neighbour that is near, and says so by a guide', () => {
    const { x, guides } = snap(box(553, 300), snapLinesOf([box(900, 300), box(556, 100)]), false)
    expect(x).toBe(556)
    expect(guides.some(({ axis }) => axis === 'x')).toBe(true)
  })
  test('moves freely with Alt pressed', () => {
    expect(snap(box(33, 47), snapLinesOf([box(36, 0)]), true)).toEqual({ x: 33, y: 47, guides: [] })
  })
})

describe('zoom', () => {
  test('each of several quick presses is a step; after a rest the next starts where the view is', () => {
    // given a view at 0.74 that is still there after 50 ms, as at the begin of a glide
    const stepped = zoomStepper()
    // when the key is pressed thrice, and once more a second later, when a wheel has left the view at 1
    const quick = [0, 50, 100].map(now => stepped(0.74, 1, now))
    const later = stepped(1, 1, 1100)
    // then
    expect(quick.map(zoom => zoom.toFixed(1))).toEqual(['0.9', '1.2', '1.5'])
    expect(later).toBeCloseTo(1.2)
  })

  test('goes in steps of 0.3 between 0.3 and 6, from any wheel position', () => {
    const stepZoom = (zoom: number, direction: 1 | -1) => zoomStepper()(zoom, direction, 0)
    expect(stepZoom(0.74, 1)).toBeCloseTo(0.9)
    expect(stepZoom(0.74, -1)).toBeCloseTo(0.6)
    expect(stepZoom(0.9, 1)).toBeCloseTo(1.2)
    // Both show 480 %.
    expect(stepZoom(4.797, 1)).toBeCloseTo(5.1)
    expect(stepZoom(4.803, -1)).toBeCloseTo(4.5)
    expect(stepZoom(0.3, -1)).toBe(0.3)
    expect(stepZoom(6, 1)).toBe(6)
  })
  test('shows less the further away one is', () => {
    expect([0.7, 0.55, 0.4, 0.31].map(zoomLevel)).toEqual(['near', 'middle', 'far', 'farthest'])
  })
})
