import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Insight = AnswerOf<'GET /bot/{id}/metrics'>
export type InsightFilter = QueryOf<'GET /bot/{id}/metrics'>
export type InsightMetric = Insight['total']
export type InsightRow = Insight['rows'][number]

/** Age of shown figures, ms. */
const REFETCH_INTERVAL_MS = 30_000

export const insightQuery = (bot: string, filter: InsightFilter) =>
  queryOptions({
    queryKey: ['bot', 'metrics', bot, filter],
    queryFn: ({ signal }) => http.get('/bot/{id}/metrics', { params: { id: bot }, query: filter, signal }),
    placeholderData: before => before,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

/** Titles of the blocks of a dialog as it is drawn now. */
export const drawnTitlesQuery = (dialog: string) =>
  queryOptions({
    queryKey: ['dialog', 'drawntitles', dialog],
    queryFn: async (): Promise<Readonly<Record<string, string>>> => {
      const { operators } = await http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog } })
      return Object.fromEntries(Object.entries(operators).map(([id, { title }]) => [id, String(title ?? '')]))
    },
    staleTime: 60_000,
    retry: false,
  })
