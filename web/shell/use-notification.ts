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

export interface NotificationPage {
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
    const listen = async () => {
      const { io } = await import('socket.io-client')
      if (left) return
      const socket = io({ path: '/botadmin/socket.io', withCredentials: true, transports: ['websocket'] })
      socket.on('connect_error', error => console.warn('Notifications are not available', error.message))
      socket.on('notificationEmit', (told: Partial<NotificationItem>) => {
        void client.invalidateQueries({ queryKey: ['notification'] })
        void client.invalidateQueries({ queryKey: ['home'] })
        if (told.entity) void client.invalidateQueries({ queryKey: [told.entity] })
      })
      close = () => socket.close()
    }
    let timer: ReturnType<typeof setTimeout>
    const begin = (after: number) => {
      timer = setTimeout(() => void listen().catch(() => left || begin(AGAIN)), after)
    }
    begin(SOON)
    return () => {
      left = true
      clearTimeout(timer)
      close()
    }
  }, [client])
}
