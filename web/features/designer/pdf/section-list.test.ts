import { expect, test } from 'vitest'
import { GAP, placeSectionList } from './overview.ts'

const sections = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    title: `Seção ${at}`,
    page: 3 - (at % 2),
    box: { x: at * 10, y: 0, width: 240, height: 72 },
  }))
const room = { width: 786, height: 497 }
const tall = { x: 0, y: 0, width: 1000, height: 4000 }
const wide = { x: 0, y: 0, width: 9000, height: 2000 }

test('the sections are listed where the map stays largest, page by page, and the map keeps clear of them', () => {
  const aside = placeSectionList(sections(20), room, tall)
  expect(aside).toMatchObject({ isBelow: false, scale: room.height / tall.height })
  expect(aside.sections.map(({ page }) => page)).toEqual([...Array(10).fill(2), ...Array(10).fill(3)])
  expect(tall.width * aside.scale + aside.columns * (180 + GAP)).toBeLessThanOrEqual(room.width)

  const below = placeSectionList(sections(20), room, wide)
  expect(below).toMatchObject({ isBelow: true, scale: room.width / wide.width })
})

test('however many there are, the map has its part of the page', () => {
  for (const all of [tall, wide]) {
    const { rows, columns, scale } = placeSectionList(sections(900), room, all)
    expect(rows * columns).toBeLessThan(900)
    expect(scale * Math.max(all.width / room.width, all.height / room.height)).toBeGreaterThan(0.4)
  }
})

test('without sections the map has the whole page', () => {
  expect(placeSectionList([], room, wide).scale).toBe(room.width / wide.width)
})
