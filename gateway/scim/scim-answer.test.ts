import { expect, test } from 'vitest'
import { partOf, readPart } from './scim-answer.ts'

const ALL = Array.from({ length: 250 }, (_, n) => n + 1)
const readPage = async (page: number, size: number) => ({
  items: ALL.slice((page - 1) * size, page * size),
  total: ALL.length,
})

test.each([
  [{}, 1, 100],
  [{ count: '1000' }, 1, 100],
  [{ startIndex: '0', count: '2' }, 1, 2],
  [{ startIndex: '51', count: '1000' }, 51, 150],
  [{ startIndex: '201', count: '100' }, 201, 250],
])(
  'a part of a list begins at 1 and has at most 100 resources, across pages too: %o [P-2643]',
  async (query, first, last) => {
    const { items, total } = await readPart(partOf(query), readPage)
    expect(total).toBe(250)
    expect(items).toEqual(ALL.slice(first - 1, last))
  },
)
