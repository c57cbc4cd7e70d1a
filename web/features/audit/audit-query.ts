import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type AuditLine = AnswerOf<'GET /audit'>['items'][number]

export const FILTERS = ['entity', 'entityid', 'user', 'action', 'from', 'to', 'hierarchy'] as const
export type AuditFilter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>

/** What an address narrows the audit to. */
export const readFilter = (search: URLSearchParams): AuditFilter =>
  Object.fromEntries(FILTERS.flatMap(name => (search.get(name) ? [[name, search.get(name) ?? '']] : [])))

const BUCKETS = 96

export const auditQuery = (filter: AuditFilter, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', 'list', filter, page, size],
    queryFn: () => http.get('/audit', { query: { ...filter, page, size } }),
    placeholderData: before => before,
  })

/** The histogram does not follow the period: it is what chooses it. */
export const activityQuery = ({ from: _from, to: _to, ...filter }: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'activity', filter],
    queryFn: async () =>
      (
        await http.get('/audit/activity', {
          query: {
            ...filter,
            buckets: BUCKETS,
          },
        })
      ).items,
    placeholderData: before => before,
  })
