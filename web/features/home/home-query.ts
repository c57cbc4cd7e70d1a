import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import type { Change } from '#web/entity/entity-query.ts'

export interface HomeFlow {
  readonly entity: 'dialog' | 'handler'
  readonly id: string
  readonly name: string | null
  readonly parents: readonly { readonly entity: string; readonly id: string; readonly name: string | null }[]
  readonly card: {
    readonly time: string
    readonly blocks: number
    readonly editors: readonly { readonly person: NamedPerson; readonly time: string }[]
    readonly miniature: readonly (readonly [number, number, string])[]
  } | null
}

export interface HomeChange {
  readonly entity: string
  readonly entityid: string
  readonly name: string | null
  readonly action: string
  readonly user: NamedPerson | null
  readonly time: string
  readonly revision: number
  readonly changes: readonly Change[]
}

export interface HomeBots {
  readonly total: number
  readonly status: Readonly<Record<string, number>>
  readonly items: readonly {
    readonly id: string
    readonly name: string | null
    readonly runningstatus: string | null
  }[]
}

export interface HomeEditing {
  readonly entity: 'dialog' | 'handler'
  readonly id: string
  readonly name: string
  readonly people: readonly { readonly user: string; readonly name: string }[]
}

export interface Home {
  readonly flows?: readonly HomeFlow[]
  readonly changes?: readonly HomeChange[]
  readonly bots?: HomeBots
  readonly locked?: readonly (NamedPerson & { readonly time: string })[]
  readonly editing?: readonly HomeEditing[]
}

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: () => api.get<Home>('/home'),
  refetchInterval: 30_000,
})
