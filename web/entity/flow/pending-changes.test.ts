import { expect, test } from 'vitest'
import { CODE, type Moment, pendingBlockChanges } from './pending-changes.ts'

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

const link = (id: string, from: string, to: string) => ({ id, from, to })
const links = (kind: 'added' | 'changed' | 'removed', ...changed: readonly ReturnType<typeof link>[]) => ({
  links: { added: [], changed: [], removed: [], [kind]: changed },
})

test('lists a block of which links alone changed, and a link that came and went not at all [P-2843]', () => {
  const going = pendingBlockChanges([
    moment(1, ana, links('changed', link('q:yes', 'q', 'a'))),
    moment(2, joao, links('added', link('b:1', 'b', 'a'))),
    moment(3, joao, links('removed', link('b:1', 'b', 'a'))),
  ])
  expect(going.map(({ id, kind, links: said }) => [id, kind, said.map(each => `${each.kind} ${each.to}`)])).toEqual([
    ['q', 'changed', ['changed a']],
  ])
  expect(going[0]?.authors).toEqual([ana])
})

test('leaves out links to blocks that are listed themselves, and of removed ones [P-2843]', () => {
  const going = pendingBlockChanges([
    moment(1, ana, { added: [block('new')], ...links('added', link('s:1', 's', 'new')) }),
    moment(1, ana, links('changed', link('old:1', 'old', 's'))),
    moment(2, ana, {
      removed: [block('old')],
      ...links('removed', link('s:2', 's', 'old'), link('old:1', 'old', 's')),
    }),
  ])
  expect(going.map(({ id, kind, links: said }) => [id, kind, said.length])).toEqual([
    ['new', 'added', 0],
    ['old', 'removed', 0],
  ])
})

test('lists the code of a handler [P-2843]', () => {
  expect(pendingBlockChanges([moment(1, ana, { script: true })]).map(({ id }) => id)).toEqual([CODE])
})
