import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

type VersionPreview = AnswerOf<'GET /version/{id}/preview'>
export type FlowPreview = VersionPreview['dialogs'][number]

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['version', 'preview', id],
    queryFn: () => http.get('/version/{id}/preview', { params: { id } }),
    staleTime: 0,
  })

export const countOf = ({ summary }: FlowPreview, part: 'added' | 'changed' | 'removed'): number => summary[part].length
