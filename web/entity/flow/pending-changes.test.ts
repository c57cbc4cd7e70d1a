import { expect, test } from 'vitest'
import { type Moment, pendingBlockChanges } from './pending-changes.ts'

const ana = { id: 'a', username: 'ana' }
const joao = { id: 'j', username: 'joao' }
const block = (id: string) => ({ id, type: 'text', title: id })
const moment = (revision: number, author: typeof ana, summary: Partial<Moment['summary']>): Moment => ({
  revision,
  time: '2026-11-20T10:00:00Z',
  authors: [author],
  summary: { added: [], changed: [], removed: [], ...summary },
})

test('lists one line per block to publish, with all its editors', () => {
  const going = pendingBlockChanges([
    moment(1, ana, { added: [block('x')] }),
    moment(2, joao, { changed: [block('x'), block('y')] }),
  ])
  expect(going.map(({ id, kind }) => [id, kind])).toEqual([
    ['x', 'added'],
    ['y', 'changed'],
  ])
  expect(going[0]?.authors.map(({ id }) => id)).toEqual(['a', 'j'])
})

test('omits a block added and removed since, and lists a removed one', () => {
  const going = pendingBlockChanges([
    moment(1, ana, { added: [block('x')] }),
    moment(2, ana, { removed: [block('x'), block('z')] }),
  ])
  expect(going.map(({ id, kind }) => [id, kind])).toEqual([['z', 'removed']])
})
