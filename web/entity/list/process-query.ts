import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

/** How far a bulk command has come. */
export type ProcessState = AnswerOf<'GET /process/{id}'>

const POLL_INTERVAL_MS = 700

export const processQuery = (id: string) =>
  queryOptions({
    queryKey: ['process', id],
    queryFn: ({ signal }) => http.get('/process/{id}', { params: { id }, signal }),
    refetchInterval: query => (query.state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    // The progress goes on while the window is in the background.
    refetchIntervalInBackground: true,
    retry: 3,
  })
