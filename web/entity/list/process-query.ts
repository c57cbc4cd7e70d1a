import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

/** Progress of a bulk command. */
export type ProcessState = AnswerOf<'GET /process/{id}'>

const POLL_INTERVAL_MS = 700

export const processQuery = (id: string) =>
  queryOptions({
    queryKey: ['process', id],
    queryFn: ({ signal }) => http.get('/process/{id}', { params: { id }, signal }),
    refetchInterval: query => (query.state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    // Updates the progress in a background window too.
    refetchIntervalInBackground: true,
    retry: 3,
  })
