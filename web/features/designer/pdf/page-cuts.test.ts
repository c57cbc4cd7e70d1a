import { expect, test } from 'vitest'
import { pageAt, pageCuts } from './page-cuts.ts'

const rows = (count: number, step: number, long: number) =>
  Array.from({ length: count }, (_, at) => ({ from: at * step, to: at * step + long }))

test('a page ends in the middle of the widest room between blocks, of equal ones the last, and the next begins there', () => {
  const pages = pageCuts(rows(10, 100, 72), 450, 90)
  expect(pages).toEqual([
    { from: 0, to: 386 },
    { from: 386, to: 786 },
    { from: 786, to: 972 },
  ])
})

test('a heading stays with what follows it: the page ends before it, where the room is wider', () => {
  const spans = [...rows(3, 100, 72), ...rows(6, 100, 72).map(({ from, to }) => ({ from: from + 340, to: to + 340 }))]
  expect(pageCuts(spans, 450, 90)[0]).toEqual({ from: 0, to: 306 })
})

test('repeats the end of a page on the next without a gap, so that each block is whole on one', () => {
  const spans = [...rows(20, 100, 72), ...rows(20, 100, 72).map(({ from, to }) => ({ from: from + 50, to: to + 50 }))]
  const pages = pageCuts(spans, 450, 90)
  expect(pages.slice(0, 2)).toEqual([
    { from: 0, to: 450 },
    { from: 360, to: 810 },
  ])
  for (const span of spans) {
    const page = pages[pageAt(pages, span)]
    expect(page !== undefined && page.from <= span.from && span.to <= page.to).toBe(true)
  }
})

test('makes no page for empty space, at any distance of the next block', () => {
  expect(pageCuts([], 450, 90)).toEqual([])
  const far = pageCuts([...rows(2, 100, 72), { from: 1e12, to: 1e12 + 72 }], 450, 90)
  expect(far).toHaveLength(2)
  expect(far[1]).toEqual({ from: 1e12, to: 1e12 + 72 })
})
