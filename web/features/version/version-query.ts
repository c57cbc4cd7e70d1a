import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'

export interface FlowPreview {
  readonly id: string
  readonly name: string
  readonly state: 'added' | 'changed' | 'removed' | 'same'
  /** Blocks added, changed and removed: counts, or the blocks themselves. */
  readonly summary: Readonly<Record<'added' | 'changed' | 'removed', number | readonly unknown[]>> | null
}

export interface VersionPreview {
  readonly dialogs: readonly FlowPreview[]
  readonly handlers?: readonly FlowPreview[]
  readonly settings: readonly unknown[]
}

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['version', 'preview', id],
    queryFn: () => api.get<VersionPreview>(`/version/${id}/preview`),
    staleTime: 0,
  })

export const countOf = (flow: FlowPreview, part: 'added' | 'changed' | 'removed'): number => {
  const value = flow.summary?.[part]
  return typeof value === 'number' ? value : (value?.length ?? 0)
}
