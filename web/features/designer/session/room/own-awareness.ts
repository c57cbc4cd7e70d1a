import type { WebsocketProvider } from 'y-websocket'

interface Changes {
  readonly added: readonly number[]
  readonly updated: readonly number[]
  readonly removed: readonly number[]
}

/**
 * Sends what this client shows of itself and nothing else: y-websocket sends on all that it hears, so that each pointer
 * would come back to the server from everyone in the room.
 */
export const sendOwnAwareness = ({
  awareness,
  _awarenessUpdateHandler: send,
}: Pick<WebsocketProvider, 'awareness' | '_awarenessUpdateHandler'>): void => {
  const own = (clients: readonly number[]) => clients.filter(client => client === awareness.clientID)
  awareness.off('update', send)
  awareness.on('update', ({ added, updated, removed }: Changes, origin: unknown) => {
    const changes = { added: own(added), updated: own(updated), removed: own(removed) }
    if (Object.values(changes).some(({ length }) => length > 0)) send(changes, origin)
  })
}
