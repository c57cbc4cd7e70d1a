import { queryOptions, useQuery } from '@tanstack/react-query'
import { isEntityName } from '#schemas/entities/registry.ts'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import { fetchName } from './name-batch.ts'

export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

export interface Row {
  readonly id: string
  readonly revision: number
  readonly hierarchylevel: string | null
  readonly created_at: string
  readonly modified_at: string
  readonly created_by: string | null
  readonly modified_by: string | null
  readonly [field: string]: Value
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

export interface Change {
  readonly path: string
  readonly before: Value
  readonly after: Value
  readonly secret?: true
}

export interface HistoryItem {
  readonly revision: number
  readonly type: string
  readonly time: string
  readonly actor: NamedPerson | null
  readonly action: string
  readonly changes: readonly Change[]
}

export type ListParams = Readonly<Record<string, string | number | boolean | undefined>>

export const listQuery = (entity: string, params: ListParams) =>
  queryOptions({
    queryKey: [entity, 'list', params] as const,
    queryFn: ({ signal }) => api.get<Page<Row>>(`/${entity}`, params, signal),
    // What is there must not stand, for a moment, among what was removed, with a button to bring it back.
    placeholderData: (before, query) => (query?.queryKey[2]?.removed === params.removed ? before : undefined),
  })

export const detailQuery = (entity: string, id: string) =>
  queryOptions({
    queryKey: [entity, 'detail', id],
    queryFn: async () => (await api.read<Row>(`/${entity}/${id}`)).data,
  })

const PAGE = 100

/** The whole history of a thing, newest first. */
const wholeHistory = async (entity: string, id: string): Promise<readonly HistoryItem[]> => {
  const found: HistoryItem[] = []
  for (let after = 0; ; ) {
    const page = await api.get<Page<HistoryItem>>(`/${entity}/${id}/history`, { after, size: PAGE })
    found.push(...page.items)
    const last = page.items.at(-1)
    if (last === undefined || page.items.length < PAGE) return found.reverse()
    after = last.revision
  }
}

export const historyQuery = (entity: string, id: string) =>
  queryOptions({ queryKey: [entity, 'history', id], queryFn: () => wholeHistory(entity, id) })

/** Roles and user groups of the levels above may be given here, though not opened. */
export const isAssignable = (entity: string): boolean => entity === 'role' || entity === 'usergroup'

export const assignableQuery = (entity: string) =>
  queryOptions({
    queryKey: [entity, 'assignable'],
    queryFn: () =>
      api.get<{ items: readonly { readonly id: string; readonly name: string }[] }>(`/${entity}/assignable`),
    staleTime: 30_000,
  })

/** Name of a thing; undefined while it is asked, null when it is not there or may not be seen. */
export const useName = (entity: string, id: string | null | undefined): string | null | undefined => {
  const isKnown = isEntityName(entity) && Boolean(id)
  const { data, isError } = useQuery({
    queryKey: [entity, 'name', id ?? ''],
    queryFn: () => fetchName(entity, id ?? ''),
    enabled: isKnown,
    staleTime: 60_000,
    // A page that shows the name of what is gone would ask again with each mount.
    retryOnMount: false,
  })
  return !isKnown || isError ? null : data
}
