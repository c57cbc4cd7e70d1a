import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

type Lines = AnswerOf<'GET /bot/{id}/logs'>
export type Line = Lines['items'][number]
export type Level = Line['level']

export interface LogFilter {
  readonly level: Level | undefined
  readonly search: string
  readonly service: string | undefined
}

const PAGE = 100
/** Interval of requests for new lines while following, in ms. */
const FOLLOW_MS = 2_000

/** More new lines reload the newest page. */
export const MAX_NEWS = 500

const queryOf = ({ level, search, service }: LogFilter, size: number) => ({
  size,
  ...(level === undefined ? {} : { level }),
  ...(search === '' ? {} : { search }),
  ...(service === undefined ? {} : { service }),
})

/** The newest lines, and older ones page by page. Its first page is read again while the log is followed. */
export const linesQuery = (bot: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['bot', 'log', bot, filter],
    queryFn: ({ pageParam, signal }) =>
      http.get('/bot/{id}/logs', {
        params: { id: bot },
        query: { ...queryOf(filter, PAGE), ...(pageParam === undefined ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ older }) => older ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Lines after those shown, oldest first, and counts per level. */
export const newLogLinesQuery = (bot: string, filter: LogFilter, after: string | undefined) =>
  queryOptions({
    queryKey: ['bot', 'lognews', bot, filter, after],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/logs', {
        params: { id: bot },
        query: { ...queryOf(filter, MAX_NEWS), after: after ?? '' },
        signal,
      }),
    enabled: after !== undefined,
    refetchInterval: FOLLOW_MS,
    placeholderData: before => before,
  })
