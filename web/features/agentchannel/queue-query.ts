import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type AgentQueue = AnswerOf<'GET /agentchannel/{id}/queue'>

const REFETCH_INTERVAL_MS = 5_000

export const queueQuery = (channel: string) =>
  queryOptions({
    queryKey: ['agentchannel', 'queue', channel],
    queryFn: ({ signal }) => http.get('/agentchannel/{id}/queue', { params: { id: channel }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
