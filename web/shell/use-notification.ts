import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#web/api/client.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'

export interface NotificationItem {
  readonly id: string
  readonly message: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly time: string
  readonly notificationType: 'alert' | 'warn' | 'info'
  readonly scope: string
  readonly hierarchy: string | null
  readonly entity?: string
  readonly entityid?: string
  readonly actor?: NamedPerson
  readonly read: boolean
}

interface NotificationPage {
  readonly items: readonly NotificationItem[]
  readonly total: number
  readonly unread: number
}

export const notificationsQuery = queryOptions({
  queryKey: ['notification'],
  queryFn: () => api.get<NotificationPage>('/notification', { size: 30 }),
  staleTime: 30_000,
})

const SOON = 1500
/** Its program could not be fetched. */
const AGAIN = 15_000

/** Hears of others' acts while they happen: the bell counts, and what they changed is read again. */
export const useNotifications = (): void => {
  const client = useQueryClient()
  useEffect(() => {
    let left = false
    let close = () => {}
    const join = async () => {
      const { listen } = await import('./listen.ts')
      if (!left) close = listen(client)
    }
    let timer: ReturnType<typeof setTimeout>
    const begin = (after: number) => {
      timer = setTimeout(() => void join().catch(() => left || begin(AGAIN)), after)
    }
    begin(SOON)
    return () => {
      left = true
      clearTimeout(timer)
      close()
    }
  }, [client])
}
