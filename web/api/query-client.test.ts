import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { Problem } from './failure.ts'
import { queryClient } from './query-client.ts'

test.each([
  [403, undefined],
  [404, undefined],
  [500, 'before'],
])('a later reading that fails with %i leaves %s of what was read before [P-2084]', async (status, left) => {
  const answers = [() => 'before', () => Promise.reject(new Problem(status, {}))]
  const options = { queryKey: ['refused', status], queryFn: async () => answers.shift()?.() ?? 'after' }
  const observer = new QueryObserver(queryClient, options)
  const stop = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().data).toBe('before')
  await observer.refetch()
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error', error: { status } })
  expect(observer.getCurrentResult().data).toBe(left)
  await observer.refetch()
  expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: 'after', error: null })
  stop()
})
