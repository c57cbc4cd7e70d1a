import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export const SUPPRESSION_KEY = 'suppression'
export type SuppressionEntry = AnswerOf<'GET /suppression'>['items'][number]

/** Entries that hold now, newest first. */
export const suppressionsQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: [SUPPRESSION_KEY, 'list', page, size],
    queryFn: ({ signal }) => http.get('/suppression', { query: { page, size }, signal }),
    placeholderData: before => before,
  })

/** A number is not written into an address. */
export const numberQuery = (phone: string) =>
  queryOptions({
    queryKey: [SUPPRESSION_KEY, 'search', phone],
    queryFn: ({ signal }) => http.post('/suppression/search', { body: { phone }, signal }),
    enabled: phone !== '',
    retry: false,
    gcTime: 0,
  })
