import { expect, test } from 'vitest'
import { waitingFlows } from './overview-query.ts'

const dialogtask = { id: 't', name: 'Task' }
const flow = (id: string) => ({ kind: 'dialog' as const, id, name: id, dialogtask })
const pending = (id: string) => ({
  ...flow(id),
  main: false,
  state: 'modified' as const,
  editor: null,
  edited_at: null,
})
const overview = (...ids: string[]) => ({ pending: { total: ids.length, items: ids.map(pending) } })

test('lists each flow once, those with errors first, also one that is live with errors [P-431]', () => {
  const errors = [
    { ...flow('live'), errors: 2 },
    { ...flow('b'), errors: 1 },
  ]
  const listed = waitingFlows(overview('a', 'b'), errors)
  expect(listed.map(({ id, errors: count, state }) => [id, count, state])).toEqual([
    ['b', 1, 'modified'],
    ['live', 2, 'published'],
    ['a', 0, 'modified'],
  ])
})
