export type SaveStatus = 'saved' | 'saving' | 'offline' | 'failed'

/** State of the document's delivery. Counts are document messages of the present connection. */
interface Delivery {
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

export const saveStatus = (delivery: Delivery): SaveStatus => {
  if (!delivery.connected) return 'offline'
  if (!delivery.synced) return delivery.kept > 0 ? 'saving' : 'saved'
  if (delivery.acked >= delivery.sent) return 'saved'
  if (delivery.waiting >= LOST) return 'failed'
  return delivery.waiting >= QUIET ? 'saving' : 'saved'
}
