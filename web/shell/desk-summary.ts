import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type DeskSummary = AnswerOf<'GET /desk/summary'> & {
  readonly self: {
    readonly sound_chat: 'off' | 'unfocused' | 'always'
    readonly sound_message: 'off' | 'unfocused' | 'always'
    readonly sound_repeat: boolean
    readonly show_words: boolean
    readonly onphone: boolean
  }
}

/** Without the desk's page, whose socket brings the counts, they are at most this old, ms. */
const REFETCH_MS = 30_000

/** The caller's state at the desk, its counts, queues and agents. */
export const deskSummaryQuery = queryOptions({
  queryKey: ['desk', 'summary'],
  queryFn: async ({ signal }) => (await http.get('/desk/summary', { signal })) as DeskSummary,
  refetchInterval: REFETCH_MS,
})
