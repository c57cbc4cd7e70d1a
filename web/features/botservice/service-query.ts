import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Services = AnswerOf<'GET /bot/{id}/services'>
export type Service = Services['items'][number]

/** Nodes report every 10 s; a change of state is pushed at once. */
const REFRESH_MS = 10_000

export const servicesQuery = (bot: string) =>
  queryOptions({
    queryKey: ['botservice', 'ofbot', bot],
    queryFn: ({ signal }) => http.get('/bot/{id}/services', { params: { id: bot }, signal }),
    refetchInterval: REFRESH_MS,
  })
