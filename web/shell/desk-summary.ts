import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type DeskSummary = AnswerOf<'GET /desk/summary'>

/** Without the desk's page, whose socket brings the counts, they are at most this old, ms. */
const REFETCH_MS = 30_000

/** The caller's state at the desk, its counts, queues and agents. */
export const deskSummaryQuery = queryOptions({
  queryKey: ['desk', 'summary'],
  queryFn: ({ signal }) => http.get('/desk/summary', { signal }),
  refetchInterval: REFETCH_MS,
})
