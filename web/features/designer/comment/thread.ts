import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import type { FlowAddress } from '../session/room/flow-address.ts'

export interface Comment {
  readonly id: string
  readonly revision: number
  readonly text: string
  readonly author: NamedPerson | null
  readonly mentioned: readonly NamedPerson[]
  readonly created_at: string
  readonly edited_at: string | null
}

export interface Thread extends Comment {
  readonly block: string
  /** It was removed and stays for its answers, without its text. */
  readonly withdrawn: boolean
  readonly resolved: boolean
  readonly resolved_by: NamedPerson | null
  readonly resolved_at: string | null
  readonly answers: readonly Comment[]
}

interface ThreadPage {
  readonly items: readonly Thread[]
  readonly total: number
  readonly page: number
  readonly size: number
  /** Open threads of each block that has any. */
  readonly open: Readonly<Record<string, number>>
}

export interface Wanted {
  readonly resolved: boolean
  readonly block: string | undefined
}

/** What is kept of a flow's comments is read again under this key when anything is said: `commentEmit` of the socket. */
export const commentKey = ({ kind, id }: FlowAddress) => ['comment', kind, id] as const

const PAGE = 25

export const openThreadsQuery = (address: FlowAddress) =>
  queryOptions({
    queryKey: [...commentKey(address), 'open'],
    queryFn: () => api.get<ThreadPage>(`/${address.kind}/${address.id}/comment`, { resolved: false, size: 1 }),
    select: ({ open }) => open,
  })

export const threadsQuery = (address: FlowAddress, { resolved, block }: Wanted) =>
  infiniteQueryOptions({
    queryKey: [...commentKey(address), 'threads', resolved, block ?? ''],
    queryFn: ({ pageParam: page }) =>
      api.get<ThreadPage>(`/${address.kind}/${address.id}/comment`, { resolved, block, page, size: PAGE }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }: ThreadPage) => (page * size < total ? page + 1 : undefined),
    placeholderData: before => before,
  })

/** The comment an address names: where its thread stands, and whether that is settled. */
export interface LedTo {
  readonly id: string
  readonly block: string
  readonly resolved: boolean
}

type Raw = { readonly block: string; readonly resolved: boolean } & Readonly<Record<string, unknown>>

/** Asked once: what happens to the thread while one looks at it does not lead elsewhere. */
export const ledToQuery = ({ kind, id }: FlowAddress, comment: string) =>
  queryOptions({
    queryKey: ['comment led to', kind, id, comment],
    queryFn: async (): Promise<LedTo> => {
      const read = (one: string) => api.get<Raw>(`/${kind}comment/${encodeURIComponent(one)}`)
      const said = await read(comment)
      const first = said[`${kind}comment`]
      const { block, resolved } = typeof first === 'string' ? await read(first) : said
      return { id: comment, block, resolved }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

export const readersQuery = ({ kind, id }: FlowAddress, search: string) =>
  queryOptions({
    queryKey: ['reader', kind, id, search],
    queryFn: () => api.get<{ items: readonly NamedPerson[] }>(`/${kind}/${id}/reader`, { search, size: 8 }),
    select: ({ items }) => items,
    staleTime: 60_000,
    placeholderData: before => before,
  })
