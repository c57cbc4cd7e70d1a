import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type VersionPreview = AnswerOf<'GET /version/{id}/preview'>
export type PreviewedThing = VersionPreview['things'][number]
type Summary = NonNullable<PreviewedThing['summary']>
export type PreviewedFlow = PreviewedThing & { readonly summary: Summary }

export const isFlow = (thing: PreviewedThing): thing is PreviewedFlow => thing.summary !== undefined

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['version', 'preview', id],
    queryFn: () => http.get('/version/{id}/preview', { params: { id } }),
    staleTime: 0,
  })

export const countOf = ({ summary }: PreviewedFlow, part: keyof Summary): number => summary[part].length

/** Sign and colours of what happens to a thing, so that colour is never alone. */
export const LOOKS = {
  added: { sign: '+', tone: 'positive', palette: 'diff.added' },
  changed: { sign: '△', tone: 'warning', palette: 'diff.changed' },
  removed: { sign: '−', tone: 'danger', palette: 'diff.removed' },
} as const
export const PARTS = ['added', 'changed', 'removed'] as const
