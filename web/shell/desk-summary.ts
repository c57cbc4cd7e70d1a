import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DeskFrame } from '#schemas/api/desk.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const
/** Session ended, and no right to the desk: neither changes by trying again. */
const FINAL_CODES = new Set([4401, 4403])

const addressOf = (only: 'counts' | undefined): string => {
  const address = new URL('/botadmin/realtime/desk', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (only !== undefined) address.searchParams.set('only', only)
  return address.href
}

interface Listener {
  /** `isAgain`: after a loss, so that frames may be missing. */
  opened(isAgain: boolean): void
  received(frame: DeskFrame): void
  lost?(): void
}

/** Connects to the socket of the desk, and again after each loss. */
export const openDeskConnection = (only: 'counts' | undefined, { opened, received, lost }: Listener) => {
  let socket: WebSocket | undefined
  let attempts = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const connect = () => {
    const current = new WebSocket(addressOf(only))
    socket = current
    current.onopen = () => {
      const isAgain = attempts > 0
      attempts = 0
      opened(isAgain)
    }
    current.onmessage = ({ data }) => received(JSON.parse(String(data)) as DeskFrame)
    current.onclose = ({ code }) => {
      if (isStopped) return
      lost?.()
      if (FINAL_CODES.has(code)) return
      const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 0
      attempts += 1
      again = setTimeout(connect, wait)
    }
  }
  connect()
  return {
    send(frame: object) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
    stop() {
      isStopped = true
      clearTimeout(again)
      socket?.close()
    },
  }
}

export type DeskSummary = AnswerOf<'GET /desk/summary'>

/** Whether people write to a user in this state: who only finishes still answers the chats they have. */
export const isAtWork = (state: DeskSummary['me']['state']): boolean => state === 'available' || state === 'finishing'

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
