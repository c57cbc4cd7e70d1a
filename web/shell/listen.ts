import type { QueryClient } from '@tanstack/react-query'
import { io, type Socket } from 'socket.io-client'

/** ms after which a server that could let nobody in is asked again. */
const AGAIN_AFTER = 5000
/** ms between two readings of what others changed. */
const CHANGE_PAUSE = 1000

type Line = Pick<Socket, 'active' | 'on' | 'connect' | 'close'>

/** The first connection sends the page's age in ms: the server then includes events since the page load. */
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

interface Change {
  readonly entity: string
  /** Undefined: too many to name. */
  readonly ids?: readonly string[]
}

/** Views of one thing, by the second part of their query key. */
const OF_ONE = new Set(['detail', 'history', 'name', 'at', 'usedby', 'removal'])

/** Entities that the summary of the desk shows. */
const AT_DESK = ['deskqueue', 'deskagent']

/** Refetches others' changes at once, then at most once per `CHANGE_PAUSE`. */
const gatherChanges = (client: Pick<QueryClient, 'invalidateQueries'>) => {
  let waiting = new Map<string, Set<string> | 'all'>()
  let pause: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    const changed = waiting
    waiting = new Map()
    pause = changed.size === 0 ? undefined : setTimeout(flush, CHANGE_PAUSE)
    if (changed.size === 0) return
    void client.invalidateQueries({
      predicate: ({ queryKey: [entity, view, id] }) => {
        if (entity === 'desk') return view === 'summary' && AT_DESK.some(each => changed.has(each))
        const ids = changed.get(String(entity))
        return ids !== undefined && (ids === 'all' || !OF_ONE.has(String(view)) || ids.has(String(id)))
      },
    })
  }
  return {
    take({ entity, ids }: Change) {
      const known = waiting.get(entity)
      if (ids === undefined || known === 'all') waiting.set(entity, 'all')
      else waiting.set(entity, new Set([...(known ?? []), ...ids]))
      if (pause === undefined) flush()
    },
    stop: () => clearTimeout(pause),
  }
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
  const changes = gatherChanges(client)
  socket.on('notificationEmit', () => {
    again(['notification'])
    again(['home'])
  })
  socket.on('changeEmit', changes.take)
  socket.on('releaseEmit', () => again(['releasenote']))
  socket.on('commentEmit', ({ entity, entityid }) => again(['comment', entity, entityid]))
  socket.on('accessEmit', () => {
    again(['session'])
    again(['hierarchy'])
    again(['notification'])
  })
  // Events during the disconnection were missed.
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
    changes.stop()
    socket.close()
  }
}
