import * as decoding from 'lib0/decoding'
import type { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { createStore, type Store } from '../../model/store.ts'

type SaveStatus = 'saved' | 'saving' | 'offline' | 'failed'

/** State of the document's delivery. Counts are document messages of the present connection. */
interface SaveStatusDelivery {
  readonly connected: boolean
  readonly synced: boolean
  readonly sent: number
  readonly acked: number
  /** Edits of this person that no acknowledgement covers yet, kept over reconnects. */
  readonly kept: number
  /** Milliseconds since the oldest message without an acknowledgement was sent; 0 when there is none. */
  readonly waiting: number
}

/** Short waits stay "saved", so that the word does not flicker with every drop. */
const QUIET = 400
const LOST = 15_000

export const saveStatus = (delivery: SaveStatusDelivery): SaveStatus => {
  if (!delivery.connected) return 'offline'
  if (!delivery.synced) return delivery.kept > 0 ? 'saving' : 'saved'
  if (delivery.acked >= delivery.sent) return 'saved'
  if (delivery.waiting >= LOST) return 'failed'
  return delivery.waiting >= QUIET ? 'saving' : 'saved'
}

const ACKNOWLEDGED = 100
const BEAT = 200

export interface Saving {
  readonly status: SaveStatus
  /** This person's edits that are not known to be stored. */
  readonly kept: number
}

export interface Delivery {
  readonly saving: Store<Saving>
  /** The socket's own reports, see `ackSocket`. */
  readonly socket: { readonly fresh: () => void; readonly sent: () => void }
  watch(provider: WebsocketProvider): void
  start(kept: number): void
  stop(): void
}

const hasChanges = ({ beforeState, afterState, deleteSet }: Y.Transaction): boolean =>
  deleteSet.clients.size > 0 || [...afterState].some(([client, clock]) => beforeState.get(client) !== clock)

/** Counts what this client sent and what the server has stored, and says it as one word. */
export const createDelivery = (doc: Y.Doc, onKept: (edits: number) => void): Delivery => {
  const saving = createStore<Saving>({ status: 'saved', kept: 0 })
  let provider: WebsocketProvider | undefined
  let sent = 0
  let acked = 0
  let kept = 0
  let since = 0
  let everConnected = false
  const tell = () => {
    const connected = provider?.wsconnected ?? false
    everConnected ||= connected
    const waiting = acked < sent ? Date.now() - since : 0
    const synced = provider?.synced ?? false
    const status = everConnected || kept > 0 ? saveStatus({ connected, synced, sent, acked, kept, waiting }) : 'saved'
    const before = saving.get()
    if (before.status !== status || before.kept !== kept) saving.set({ status, kept })
  }
  const keep = (edits: number) => {
    if (edits === kept) return
    kept = edits
    onKept(kept)
  }
  // Not the updates: Yjs would encode each for this.
  const onTransaction = (transaction: Y.Transaction) => {
    if (!hasChanges(transaction)) return
    if (transaction.local) keep(kept + 1)
    tell()
  }
  doc.on('afterTransaction', onTransaction)
  const beat = setInterval(tell, BEAT)
  return {
    saving,
    socket: {
      fresh: () => {
        sent = 0
        acked = 0
        since = 0
      },
      sent: () => {
        if (acked === sent) since = Date.now()
        sent += 1
      },
    },
    watch: watched => {
      provider = watched
      watched.messageHandlers[ACKNOWLEDGED] = (_encoder, decoder) => {
        acked = decoding.readVarUint(decoder)
        since = Date.now()
        if (acked >= sent && watched.synced) keep(0)
        tell()
      }
      watched.on('status', tell)
      watched.on('sync', tell)
    },
    start: edits => {
      keep(kept + edits)
      tell()
    },
    stop: () => {
      clearInterval(beat)
      doc.off('afterTransaction', onTransaction)
    },
  }
}
