import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type NotificationItem = AnswerOf<'GET /notification'>['items'][number]

const PAGE = 30
const pageAt = (page: number, scope = '') =>
  http.get('/notification', { query: { page, size: PAGE, ...(scope === '' ? {} : { scope }) } })

/** The newest ones, and how many are unread. */
export const notificationsQuery = queryOptions({
  queryKey: ['notification'],
  queryFn: () => pageAt(1),
  staleTime: 30_000,
})

/** All of them, or all about one entity, page by page. */
export const allNotificationsQuery = (scope: string) =>
  infiniteQueryOptions({
    queryKey: ['notification', 'pages', scope],
    queryFn: ({ pageParam }) => pageAt(pageParam, scope),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

const SOON = 1500
/** Its program could not be fetched. */
const AGAIN = 15_000

/** Hears of others' acts while they happen: the bell counts, and what they changed is read again. */
export const useNotifications = (): void => {
  const client = useQueryClient()
  useEffect(() => {
    let left = false
    let close = () => {}
    const join = async () => {
      const { listen } = await import('./listen.ts')
      if (!left) close = listen(client)
    }
    let timer: ReturnType<typeof setTimeout>
    const begin = (after: number) => {
      timer = setTimeout(() => void join().catch(() => left || begin(AGAIN)), after)
    }
    begin(SOON)
    return () => {
      left = true
      clearTimeout(timer)
      close()
    }
  }, [client])
}
