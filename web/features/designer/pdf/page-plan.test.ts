import { expect, test } from 'vitest'
import { type Box, COMFORTABLE } from '../canvas/geometry.ts'
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
  expect(first).toMatchObject({ right: 2 })
  expect(pages[1]).toMatchObject({ left: 1 })
  expect(pages[(first?.down ?? 0) - 1]).toMatchObject({ up: 1 })
})
