import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

type ThreadPage = AnswerOf<'GET /{kind}/{id}/comment'>
export type Thread = ThreadPage['items'][number]
export type Comment = Thread['answers'][number]

interface ThreadFilter {
  readonly resolved: boolean
  readonly block: string | undefined
}

/** Query key of a flow's comments; `commentEmit` of the socket invalidates it. */
export const commentKey = ({ kind, id }: FlowAddress) => ['comment', kind, id] as const

const PAGE = 25

export const openThreadsQuery = (address: FlowAddress) =>
  queryOptions({
    queryKey: [...commentKey(address), 'open'],
    queryFn: () =>
      http.get('/{kind}/{id}/comment', {
        params: { kind: address.kind, id: address.id },
        query: { resolved: false, size: 1 },
      }),
    select: ({ open }) => open,
  })

export const threadsQuery = (address: FlowAddress, { resolved, block }: ThreadFilter) =>
  infiniteQueryOptions({
    queryKey: [...commentKey(address), 'threads', resolved, block ?? ''],
    queryFn: ({ pageParam: page }) =>
      http.get('/{kind}/{id}/comment', {
        params: { kind: address.kind, id: address.id },
        query: { resolved, block, page, size: PAGE },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }: ThreadPage) => (page * size < total ? page + 1 : undefined),
    placeholderData: before => before,
  })

/** The comment in the address: its thread's block, and whether the thread is resolved. */
export interface LedTo {
  readonly id: string
  readonly block: string
  readonly resolved: boolean
}

/** Fetched once: later changes of the thread do not navigate. */
export const ledToQuery = ({ kind, id }: FlowAddress, comment: string) =>
  queryOptions({
    queryKey: ['comment led to', kind, id, comment],
    queryFn: async (): Promise<LedTo> => {
      const read = (one: string) => http.get('/{entity}/{id}', { params: { entity: `${kind}comment`, id: one } })
      const said = await read(comment)
      const first = said[`${kind}comment`]
      const { block, resolved } = typeof first === 'string' ? await read(first) : said
      return { id: comment, block: String(block), resolved: resolved === true }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

export const readersQuery = ({ kind, id }: FlowAddress, search: string) =>
  queryOptions({
    queryKey: ['reader', kind, id, search],
    queryFn: () => http.get('/{kind}/{id}/reader', { params: { kind, id }, query: { search, size: 8 } }),
    select: ({ items }) => items,
    staleTime: 60_000,
    placeholderData: before => before,
  })
