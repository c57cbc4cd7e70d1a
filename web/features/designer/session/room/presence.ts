import type { Awareness } from 'y-protocols/awareness'
import type { Cursor } from '../../model/peer.ts'

/** Presence fields of a client (API.md, Realtime); the server owns `user`. */
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
