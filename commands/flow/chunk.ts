import type { FlowEdited } from '#schemas/events/flow.ts'

/** Bytes of a Yjs update in one event: in base64 and with its envelope well under the 1 MiB of an append. */
const PIECE = 600_000
/** Characters of all data beside the update from which it gets its own event. */
const LONG = 150_000

/**
 * The data of the events that one edit becomes: one, or chunks of a group of which only the last carries more than
 * its piece of the update.
 */
export const chunked = (group: string, edit: Omit<FlowEdited, 'update' | 'part'>, update: Uint8Array): FlowEdited[] => {
  const rest = JSON.stringify(edit).length
  const bytes = Buffer.from(update)
  if (bytes.length <= PIECE && rest <= LONG) return [{ ...edit, update: bytes.toString('base64') }]
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(bytes.subarray(at, at + PIECE))
  if (rest > LONG || pieces.length === 1) pieces.push(Buffer.alloc(0))
  const n = pieces.length
  return pieces.map((piece, index) => ({
    ...(index === n - 1 ? edit : EMPTY),
    update: piece.toString('base64'),
    part: { group, k: index + 1, n },
  }))
}

const EMPTY: Omit<FlowEdited, 'update' | 'part'> = {
  authors: [],
  bindings: [],
  ranges: [],
  summary: { added: [], changed: [], removed: [], links: { added: [], changed: [], removed: [] }, script: false },
}
