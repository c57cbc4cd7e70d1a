import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { EMBED_LIFE_S } from '#schemas/api/report.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type ReportEntry = AnswerOf<'GET /reports'>['items'][number]

/** `bot`: only reports offered under it. */
export const reportsQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['report', 'granted', bot ?? null],
    queryFn: () => http.get('/reports', bot === undefined ? {} : { query: { bot } }),
  })

/** Before a token ends, so that no click in the frame meets an ended one. */
const RENEW_MS = (EMBED_LIFE_S - 30) * 1000

/** The address of a frame, asked again before it ends while the page is looked at. Forgotten with the page. */
export const embedQuery = (report: string, bot: string | undefined) =>
  queryOptions({
    queryKey: ['report', 'embed', report, bot ?? null],
    queryFn: () =>
      http.get('/report/{id}/embed', { params: { id: report }, ...(bot === undefined ? {} : { query: { bot } }) }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  })

/** Bots that a report can be shown under. */
export const botsQuery = queryOptions({
  queryKey: ['bot', 'list', 'names'],
  queryFn: () => http.get('/{entity}', { params: { entity: 'bot' }, query: { size: 100, sort: 'name' } }),
  placeholderData: keepPreviousData,
})
