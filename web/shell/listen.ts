import type { QueryClient } from '@tanstack/react-query'
import { io, type Socket } from 'socket.io-client'

/** ms after which a server that could let nobody in is asked again. */
const AGAIN_AFTER = 5000

type Line = Pick<Socket, 'active' | 'on' | 'connect' | 'close'>

/** With its first connection the server is told for how many ms the page has been read: news of that time are told as well. */
const open = (): Line => {
  const socket = io({
    path: '/botadmin/socket.io',
    withCredentials: true,
    transports: ['websocket'],
    auth: (give: (data: object) => void) => give(isFirst ? { since: Math.round(performance.now()) } : {}),
  })
  let isFirst = true
  socket.on('connect', () => {
    isFirst = false
  })
  return socket
}

/** Listens to the server for what others do, and has what they changed read again; answers how to stop. */
export const listen = (client: Pick<QueryClient, 'invalidateQueries'>, socket = open()): (() => void) => {
  const again = (queryKey: readonly unknown[]) => void client.invalidateQueries({ queryKey })
  let later: ReturnType<typeof setTimeout> | undefined
  let wasConnected = false
  socket.on('connect_error', ({ message }) => {
    console.warn('Notifications are not available', message)
    if (!socket.active && message === 'store.unavailable') later = setTimeout(() => socket.connect(), AGAIN_AFTER)
  })
  socket.on('notificationEmit', ({ entity }: { readonly entity?: string }) => {
    again(['notification'])
    again(['home'])
    if (entity !== undefined) again([entity])
  })
  socket.on('releaseEmit', () => again(['releasenote']))
  socket.on('commentEmit', ({ entity, entityid }) => again(['comment', entity, entityid]))
  socket.on('accessEmit', () => {
    again(['session'])
    again(['hierarchy'])
    again(['notification'])
  })
  // What was said while the socket was away was told to nobody here.
  socket.on('connect', () => {
    if (wasConnected) void client.invalidateQueries({ predicate: ({ state }) => state.dataUpdatedAt > 0 })
    wasConnected = true
    again(['session'])
    again(['comment'])
    again(['notification'])
    again(['releasenote'])
  })
  return () => {
    clearTimeout(later)
    socket.close()
  }
}
