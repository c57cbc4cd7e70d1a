import type { QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'

/** Listens to the server for what others do, and has what they changed read again; answers how to stop. */
export const listen = (client: QueryClient): (() => void) => {
  const socket = io({ path: '/botadmin/socket.io', withCredentials: true, transports: ['websocket'] })
  const again = (queryKey: readonly unknown[]) => void client.invalidateQueries({ queryKey })
  socket.on('connect_error', error => console.warn('Notifications are not available', error.message))
  socket.on('notificationEmit', ({ entity }: { readonly entity?: string }) => {
    again(['notification'])
    again(['home'])
    if (entity !== undefined) again([entity])
  })
  socket.on('commentEmit', ({ entity, entityid }) => again(['comment', entity, entityid]))
  // What was said while the socket was away was told to nobody here.
  socket.on('connect', () => again(['comment']))
  return () => socket.close()
}
