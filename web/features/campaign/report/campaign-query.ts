import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import type { DeliveryStatus } from './delivery.ts'

export type Statistics = AnswerOf<'GET /campaign/{id}/statistics'>
export type Reason = Statistics['byreason'][number]
export type Recipient = AnswerOf<'GET /campaign/{id}/recipients'>['items'][number]

/** Between two readings while a run is open. */
const LIVE_MS = 2000
const ENDED: ReadonlySet<unknown> = new Set([null, undefined, 'cancelled', 'expired', 'completed'])

/** A run of the campaign has not ended. */
export const isOpen = ({ run_status: status }: RowOf<'campaign'>): boolean => !ENDED.has(status)

/** Refetch interval of campaign data; receipts also arrive after the run has ended. */
const again = (row: RowOf<'campaign'>) => (isOpen(row) ? LIVE_MS : row.run_status === null ? false : LIVE_MS * 10)

export const statisticsQuery = (row: RowOf<'campaign'>) =>
  queryOptions({
    queryKey: ['campaign', 'statistics', row.id],
    queryFn: ({ signal }) => http.get('/campaign/{id}/statistics', { params: { id: row.id }, query: {}, signal }),
    refetchInterval: again(row),
  })

interface Narrowing {
  readonly status: DeliveryStatus | undefined
  readonly reason: string | undefined
  readonly page: number
}

export const RECIPIENTS_SHOWN = 25

export const recipientsQuery = (row: RowOf<'campaign'>, { status, reason, page }: Narrowing) =>
  queryOptions({
    queryKey: ['campaign', 'recipients', row.id, status, reason, page],
    queryFn: ({ signal }) =>
      http.get('/campaign/{id}/recipients', {
        params: { id: row.id },
        query: {
          ...(status === undefined ? {} : { status }),
          ...(reason === undefined ? {} : { reason }),
          page,
          size: RECIPIENTS_SHOWN,
        },
        signal,
      }),
    refetchInterval: again(row),
    placeholderData: before => before,
  })

/** Finds recipients by name or number. Neither is in a URL. */
export const recipientSearchQuery = (row: RowOf<'campaign'>, search: string) =>
  infiniteQueryOptions({
    queryKey: ['campaign', 'recipients', row.id, 'search', search],
    queryFn: ({ pageParam, signal }) =>
      http.post('/campaign/{id}/recipients/search', {
        params: { id: row.id },
        body: { search, size: RECIPIENTS_SHOWN, ...(pageParam === '' ? {} : { after: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    gcTime: 0,
  })

export type Review = AnswerOf<'GET /campaign/{id}/review'>

/** Between two readings of a review that runs in the background. */
const REVIEW_MS = 500

/** A review; while it has `progress` the same one is read again. */
export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', 'review', id],
    queryFn: ({ signal, client, queryKey }): Promise<Review> => {
      const before = client.getQueryData<Review>(queryKey)
      const query = before === undefined || before.progress === null ? {} : { job: before.job }
      return http.get('/campaign/{id}/review', { params: { id }, query, signal })
    },
    refetchInterval: ({ state }) => (state.data?.progress ? REVIEW_MS : false),
    staleTime: 0,
  })
