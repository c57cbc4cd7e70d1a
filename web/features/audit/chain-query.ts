import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Chain = AnswerOf<'GET /audit/chain'>
export type Finding = NonNullable<Chain['verification']>['findings'][number]

/** While a verification runs. */
const POLL_INTERVAL_MS = 1500

export const chainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: () => http.get('/audit/chain'),
  refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
})

export const verifyChain = () => http.post('/audit/chain/verify')
