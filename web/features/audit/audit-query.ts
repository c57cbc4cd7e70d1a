import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import type { Change, Page } from '#web/entity/entity-query.ts'

export interface AuditLine {
  readonly entity: string
  readonly entityid: string
  readonly name: string | null
  readonly action: string
  readonly service: string
  readonly user: NamedPerson | null
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly hierarchy: string | null
  readonly time: string
  readonly revision: number
  readonly changes: readonly Change[]
}

export const FILTERS = ['entity', 'entityid', 'user', 'action', 'from', 'to', 'hierarchy'] as const
export type AuditFilter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>

/** What an address narrows the audit to. */
export const readFilter = (search: URLSearchParams): AuditFilter =>
  Object.fromEntries(FILTERS.flatMap(name => (search.get(name) ? [[name, search.get(name) ?? '']] : [])))

export const BUCKETS = 96

export const auditQuery = (filter: AuditFilter, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', 'list', filter, page, size],
    queryFn: () => api.get<Page<AuditLine>>('/audit', { ...filter, page, size }),
    placeholderData: before => before,
  })

/** The histogram does not follow the period: it is what chooses it. */
export const activityQuery = ({ from: _from, to: _to, ...filter }: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'activity', filter],
    queryFn: async () =>
      (
        await api.get<{ items: readonly { from: string; count: number }[] }>('/audit/activity', {
          ...filter,
          buckets: BUCKETS,
        })
      ).items,
    placeholderData: before => before,
  })
