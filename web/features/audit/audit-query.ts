import { queryOptions } from '@tanstack/react-query'
import { AUDIT_FIGURES, type AuditFigure } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type AuditLine = AnswerOf<'GET /audit'>['items'][number]

export const FILTERS = [
  'search',
  'entity',
  'entityid',
  'user',
  'action',
  'service',
  'groups',
  'roles',
  'from',
  'to',
  'hierarchy',
  'within',
  'figure',
  'all',
] as const
type Name = (typeof FILTERS)[number]
export type AuditFilter = Readonly<Partial<Record<Exclude<Name, 'figure'>, string>>> & { readonly figure?: AuditFigure }

const isFigure = (value: string): boolean => AUDIT_FIGURES.some(figure => figure === value)

/** Audit filter from an address. */
export const readFilter = (search: URLSearchParams): AuditFilter =>
  Object.fromEntries(
    FILTERS.flatMap(name => {
      const value = search.get(name)
      return !value || (name === 'figure' && !isFigure(value)) ? [] : [[name, value]]
    }),
  )

const BUCKETS = 96

/** The filter in API terms: level switches and service states only if requested or filtered for. */
export const apiFilter = ({ all, ...filter }: AuditFilter) => {
  const isAsked = all === 'true' || filter.action === 'levelchanged' || filter.entity === 'botservice'
  return isAsked ? filter : { ...filter, quiet: 'true' as const }
}

export const auditQuery = (filter: AuditFilter, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', 'list', filter, page, size],
    queryFn: () => http.get('/audit', { query: { ...apiFilter(filter), page, size } }),
    // Keeps only pages of the same filter: other lines would not match the filter shown.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[2]) === JSON.stringify(filter) ? before : undefined,
  })

/** The histogram does not follow the period: it is what chooses it. */
export const activityQuery = ({ from: _from, to: _to, ...filter }: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'activity', filter],
    queryFn: async () =>
      (
        await http.get('/audit/activity', {
          query: {
            ...apiFilter(filter),
            buckets: BUCKETS,
          },
        })
      ).items,
    placeholderData: before => before,
  })
