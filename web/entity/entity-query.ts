import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { NamedRow } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'

type Names = AnswerOf<'POST /names'>

interface PendingName {
  readonly entity: string
  readonly id: string
  readonly resolve: (name: string | null) => void
  readonly reject: (error: unknown) => void
}

/** Of POST /names. */
const MAX_IDS = 500

/** Joins the names asked for within one tick into one call of POST /names. Null: gone, or not visible to the caller. */
export const createNameBatch = (ask: (ids: Record<string, string[]>) => Promise<Names>) => {
  let wanted: PendingName[] = []

  const send = async (batch: readonly PendingName[]): Promise<void> => {
    const ids: Record<string, string[]> = {}
    for (const { entity, id } of batch) {
      const known = ids[entity] ?? []
      ids[entity] = known.includes(id) ? known : [...known, id]
    }
    try {
      const names = await ask(ids)
      for (const { entity, id, resolve } of batch) resolve(names[entity]?.[id] ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const flush = () => {
    const batch = wanted
    wanted = []
    for (let at = 0; at < batch.length; at += MAX_IDS) void send(batch.slice(at, at + MAX_IDS))
  }

  return (entity: string, id: string): Promise<string | null> =>
    new Promise((resolve, reject) => {
      if (wanted.length === 0) setTimeout(flush)
      wanted.push({ entity, id, resolve, reject })
    })
}

const fetchName = createNameBatch(ids => http.post('/names', { body: { ids } }))

export type Value = Json

export type Row = AnswerOf<'GET /{entity}/{id}'>
export type HistoryItem = AnswerOf<'GET /{entity}/{id}/history'>['items'][number]
export type Change = HistoryItem['changes'][number]

type ListParams = Readonly<Record<string, string | number | boolean | undefined>>

export const listQuery = <N extends string>(entity: N, params: ListParams) =>
  queryOptions({
    queryKey: [entity, 'list', params] as const,
    queryFn: async ({ signal }) => {
      const page = await http.get('/{entity}', { params: { entity }, query: params, signal })
      return page as Omit<typeof page, 'items'> & { readonly items: readonly NamedRow<N>[] }
    },
    // Existing rows must not flash in the list of removed ones, with a restore button.
    placeholderData: (before, query) => (query?.queryKey[2]?.removed === params.removed ? before : undefined),
  })

export const readRow = async <N extends string>(entity: N, id: string): Promise<NamedRow<N>> => {
  const row = await http.get('/{entity}/{id}', { params: { entity, id } })
  return row as NamedRow<N>
}

export const detailQuery = <N extends string>(entity: N, id: string) =>
  queryOptions({ queryKey: [entity, 'detail', id], queryFn: () => readRow(entity, id) })

const PAGE = 100

/** The whole history of a thing, newest first. */
const wholeHistory = async (entity: string, id: string): Promise<readonly HistoryItem[]> => {
  const found: HistoryItem[] = []
  for (let after = 0; ; ) {
    const page = await http.get('/{entity}/{id}/history', { params: { entity, id }, query: { after, size: PAGE } })
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
    queryFn: () => http.get('/{entity}/assignable', { params: { entity } }),
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
    // Prevents a refetch with each mount for the name of a removed thing.
    retryOnMount: false,
  })
  return !isKnown || isError ? null : data
}
