import { expect, test } from 'vitest'
import { type Box, COMFORTABLE } from '../model/geometry.ts'
import { planPages } from './page-plan.ts'

const block = (x: number, y: number): Box => ({ x, y, width: COMFORTABLE.width, height: COMFORTABLE.height })
const within = (box: Box, part: Box) =>
  box.x >= part.x &&
  box.y >= part.y &&
  box.x + box.width <= part.x + part.width &&
  box.y + box.height <= part.y + part.height

test('a small flow is one page, upright or lying as it fits best', () => {
  const tall = planPages([block(0, 0), block(0, 1000)])
  expect(tall.pages).toHaveLength(1)
  expect(tall.height).toBeGreaterThan(tall.width)
  const wide = planPages([block(0, 0), block(1000, 0)])
  expect(wide.width).toBeGreaterThan(wide.height)
  expect(planPages([]).pages).toHaveLength(1)
})

test('a large flow takes several pages: each block is whole on one, none is empty, and neighbours are named', () => {
  const blocks = Array.from({ length: 400 }, (_, n) => block((n % 20) * 287 - 3000, Math.floor(n / 20) * 131))
  const far = block(20_000, 0)
  const { pages } = planPages([...blocks, far])
  for (const each of [...blocks, far]) expect(pages.some(({ part }) => within(each, part))).toBe(true)
  for (const { part } of pages) expect([...blocks, far].some(each => within(each, part))).toBe(true)
  const [first] = pages
  // Page 1 is the overview.
  expect(first).toMatchObject({ number: 2, right: 3 })
  expect(pages[1]).toMatchObject({ number: 3, left: 2 })
  expect(pages.find(({ number }) => number === first?.down)).toMatchObject({ up: 2 })
})

test('columns of a flow that end at different heights are cut each by themselves: no page is nearly empty', () => {
  const column = (x: number, rows: number) => Array.from({ length: rows }, (_, row) => block(x, row * 140))
  const blocks = Array.from({ length: 40 }, (_, at) => column(at * 280, at % 8 === 0 ? 60 : 7)).flat()
  const { pages, pageOf, width, height } = planPages(blocks)
  expect(Math.max(width, height)).toBeCloseTo(1190.55)
  for (const each of blocks) {
    const page = pages.find(({ number }) => number === pageOf(each))
    expect(page !== undefined && within(each, page.part)).toBe(true)
  }
  expect(blocks.length / pages.length).toBeGreaterThan(16)
})

test('uses one A3 page instead of many A4 pages when it is readable', () => {
  const rows = Array.from({ length: 10 }, (_, row) => ({ y: row * 145, x: (row % 2) * 140 }))
  const blocks = rows.flatMap(({ x, y }) => Array.from({ length: 7 }, (_, n) => block(x + n * 280, y)))
  const { pages, width, scale } = planPages(blocks)
  expect(pages).toHaveLength(1)
  expect(width).toBeCloseTo(1190.55)
  expect(scale).toBeGreaterThan(0.48)
})

test('pages of a tall flow stand upright, and are drawn as large as the fullest of them allows', () => {
  const blocks = Array.from({ length: 120 }, (_, n) => block((n % 4) * 260, Math.floor(n / 4) * 130))
  const tall = planPages(blocks)
  expect(tall.pages).toHaveLength(3)
  expect(tall.height).toBeGreaterThan(tall.width)
  const narrow = planPages(blocks.filter((_, n) => n % 4 === 0))
  expect(narrow.scale).toBeGreaterThan(tall.scale)
})
