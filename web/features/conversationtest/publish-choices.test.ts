import { expect, test } from 'vitest'
import { publishChoices } from './publish-choices.ts'

const flow = (id: string, task: string, kind: 'dialog' | 'handler' = 'dialog') => ({
  id,
  name: id,
  kind,
  dialogtask: { id: task, name: `Task ${task}` },
  main: false,
  state: 'modified' as const,
  editor: null,
  edited_at: null,
})
const waiting = {
  tasks: { total: 3, nomain: [{ id: 'c', name: 'Task c' }] },
  pending: {
    total: 5,
    items: [flow('one', 'a'), flow('two', 'a', 'handler'), flow('three', 'b'), flow('four', 'c'), flow('five', 'c')],
  },
}

test('offers a task as a whole where several of its flows wait, unless it has no main dialog [P-1381]', () => {
  expect(publishChoices(waiting, () => true)).toEqual([
    { entity: 'dialogtask', id: 'a', name: 'Task a', count: 2 },
    { entity: 'dialog', id: 'three', name: 'three', count: 1 },
    { entity: 'dialog', id: 'four', name: 'four', count: 1 },
    { entity: 'dialog', id: 'five', name: 'five', count: 1 },
  ])
})

test('offers only what the person may publish [P-1381]', () => {
  expect(publishChoices(waiting, action => action === 'publishhandler').map(({ id }) => id)).toEqual(['two'])
  expect(publishChoices(waiting, () => false)).toEqual([])
})
