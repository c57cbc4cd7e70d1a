import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type UnrecognizedLine = AnswerOf<'GET /nluproject/{id}/unrecognized'>['items'][number]

/** While people talk, what is shown is at most this old. */
const REFETCH_INTERVAL_MS = 30_000

export const unrecognizedQuery = (project: string) =>
  queryOptions({
    // Read again with the intents: a line that is a statement by now is not listed.
    queryKey: ['intent', 'unrecognized', project],
    queryFn: ({ signal }) => http.get('/nluproject/{id}/unrecognized', { params: { id: project }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
