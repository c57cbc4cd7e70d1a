import type { Awareness } from 'y-protocols/awareness'
import type { WebsocketProvider } from 'y-websocket'
import type { Cursor } from '../../model/block-appearance.ts'

/** Presence fields of a client; the server owns `user`. */
export interface PresenceState {
  readonly cursor?: Cursor | undefined
  readonly selection?: readonly string[] | undefined
  readonly drag?: { readonly ids: readonly string[]; readonly dx: number; readonly dy: number } | undefined
  readonly link?:
    | { readonly from: string; readonly fromConnector: string; readonly x: number; readonly y: number }
    | undefined
}

/** Limits this client to thirty frames a second. */
const FRAME = 34

export interface Presence {
  show(part: PresenceState): void
  /** Position of the text cursor in a field, as y-tiptap writes it. */
  showText(cursor: unknown): void
  stop(): void
}

/** Collects what changes between two frames and sends it as one state. */
export const createPresence = (
  awareness: Awareness,
  user: { readonly id: string; readonly name: string },
): Presence => {
  let shown: PresenceState = {}
  let text: unknown
  let sentAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    timer = undefined
    sentAt = performance.now()
    awareness.setLocalState({ ...JSON.parse(JSON.stringify(shown)), ...(text === undefined ? {} : { text }), user })
  }
  const soon = () => {
    timer ??= setTimeout(send, Math.max(0, FRAME - (performance.now() - sentAt)))
  }
  send()
  return {
    show: part => {
      shown = { ...shown, ...part }
      soon()
    },
    showText: cursor => {
      text = cursor ?? undefined
      soon()
    },
    stop: () => {
      clearTimeout(timer)
      awareness.setLocalState(null)
    },
  }
}

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
