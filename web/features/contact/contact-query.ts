import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Contact = AnswerOf<'GET /contact'>['items'][number]

const SEARCH_SIZE = 50

/** The newest first. */
export const contactsQuery = (campaign: string, page: number, size: number) =>
  queryOptions({
    queryKey: ['contact', campaign, 'list', page, size],
    queryFn: ({ signal }) => http.get('/contact', { query: { campaign, page, size }, signal }),
    placeholderData: before => before,
  })

/** By a part of a name or number, which is not written into an address. */
export const contactSearchQuery = (campaign: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['contact', campaign, 'search', search],
    queryFn: ({ pageParam, signal }) =>
      http.post('/contact/search', { body: { campaign, search, after: pageParam, size: SEARCH_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: search !== '',
    gcTime: 0,
  })
