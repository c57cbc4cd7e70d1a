import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import type { ContactHolder } from './holder.ts'

export type Contact = AnswerOf<'GET /contact'>['items'][number]

const SEARCH_SIZE = 50

/** The newest first. */
export const contactsQuery = ({ id, of }: Pick<ContactHolder, 'id' | 'of'>, page: number, size: number) =>
  queryOptions({
    queryKey: ['contact', id, 'list', page, size],
    queryFn: ({ signal }) => http.get('/contact', { query: { ...of, page, size }, signal }),
    placeholderData: before => before,
  })

/** By a part of a name or number, which is not written into an address. */
export const contactSearchQuery = ({ id, of }: ContactHolder, search: string) =>
  infiniteQueryOptions({
    queryKey: ['contact', id, 'search', search],
    queryFn: ({ pageParam, signal }) =>
      http.post('/contact/search', { body: { ...of, search, after: pageParam, size: SEARCH_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: search !== '',
    gcTime: 0,
  })
