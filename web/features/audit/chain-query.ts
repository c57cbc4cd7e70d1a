import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'

export interface Finding {
  readonly kind: string
  readonly stream: string
  readonly revision: number | null
  readonly text: string
}

export interface Chain {
  readonly seal: { readonly number: number; readonly time: string; readonly events: number } | null
  readonly unsealed: number
  readonly running: { readonly since: string } | null
  readonly verification: {
    readonly time: string
    readonly user: NamedPerson | null
    readonly amiss: number
    readonly findings: readonly Finding[]
  } | null
}

/** How often to look while a verification runs, ms. */
const GLANCE = 1500

export const chainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: () => api.get<Chain>('/audit/chain'),
  refetchInterval: ({ state }) => (state.data?.running ? GLANCE : false),
})

export const verifyChain = () => api.post<Chain>('/audit/chain/verify', {})
