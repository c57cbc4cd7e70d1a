import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { dropRow } from './desk-query.ts'

test('removes a chat that the user may not see any more from every list that has it [P-2383]', () => {
  const client = new QueryClient()
  const page = (...ids: readonly string[]) => ({
    items: ids.map(conversation => ({ conversation })),
    total: ids.length + 10,
    page: 1,
    size: 50,
  })
  const [all, mine] = [page('a', 'b'), page('b')]
  client.setQueryData(['desk', 'list', { view: 'all' }], all)
  client.setQueryData(['desk', 'list', { view: 'mine' }], mine)
  dropRow(client, 'a')
  expect(client.getQueryData(['desk', 'list', { view: 'all' }])).toEqual({ ...all, items: page('b').items, total: 11 })
  expect(client.getQueryData(['desk', 'list', { view: 'mine' }])).toBe(mine)
})
