import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Metrics = AnswerOf<'GET /desk/metrics'>
export type Metric = Metrics['total']
export type MetricsFilter = QueryOf<'GET /desk/metrics'>

/** Figures are at most this old, ms. */
const FRESH = 30_000

export const metricsQuery = (filter: MetricsFilter) =>
  queryOptions({
    queryKey: ['desk', 'metrics', filter],
    queryFn: ({ signal }) => http.get('/desk/metrics', { query: filter, signal }),
    placeholderData: before => before,
    refetchInterval: FRESH,
  })
