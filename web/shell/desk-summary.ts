import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { openDeskConnection } from './desk-connection.ts'

export type DeskSummary = AnswerOf<'GET /desk/summary'>

/** Pages with queues and agents read them again at this interval: the socket tells the caller's own counts alone, ms. */
const QUEUES_MS = 30_000

/** The caller's state at the desk, its counts, queues and agents. Needs `showdesk`. */
export const deskSummaryQuery = queryOptions({
  queryKey: ['desk', 'summary'],
  queryFn: ({ signal }) => http.get('/desk/summary', { signal }),
})

/** The same for pages that show what other agents do now. */
export const deskQueuesQuery = queryOptions({ ...deskSummaryQuery, refetchInterval: QUEUES_MS })

/** Number of waiting people. A page beside the desk gets it from a socket of counts. */
export const useDeskWaiting = (isWanted: boolean): number | undefined => {
  const client = useQueryClient()
  const summary = useQuery({ ...deskSummaryQuery, enabled: isWanted }).data
  const isFollowed = isWanted && summary?.enabled === true
  useEffect(() => {
    if (!isFollowed) return
    const connection = openDeskConnection('counts', {
      opened: isAgain => isAgain && void client.invalidateQueries(deskSummaryQuery),
      received: frame => {
        if (frame.kind !== 'counts') return
        const { kind: _kind, ...counts } = frame
        client.setQueryData(deskSummaryQuery.queryKey, before => before && { ...before, counts })
      },
    })
    return () => connection.stop()
  }, [client, isFollowed])
  return summary?.counts.waiting
}
