import * as Y from 'yjs'

/**
 * The part of an update that a stored one lacks; undefined when nothing remains. Both were validated: the writer of the
 * stored one had everything before it.
 */
export const beyondStored = (update: Uint8Array, stored: Uint8Array): Uint8Array | undefined => {
  const { to } = Y.parseUpdateMeta(stored)
  const { from } = Y.parseUpdateMeta(update)
  const overlaps = [...from].some(([client, clock]) => clock < (to.get(client) ?? 0))
  // Edits of concurrent authors share no structs.
  if (from.size > 0 && !overlaps) return update
  const { structs, ds } = Y.decodeUpdate(update)
  const isOld = ({ id, length }: (typeof structs)[number]) => id.clock + length <= (to.get(id.client) ?? 0)
  if (structs.every(isOld) && deletesAll(Y.decodeUpdate(stored).ds, ds)) return undefined
  return overlaps ? Y.diffUpdate(update, Y.encodeStateVector(to)) : update
}

type DeleteSet = ReturnType<typeof Y.decodeUpdate>['ds']

const deletesAll = (stored: DeleteSet, wanted: DeleteSet): boolean => {
  for (const [client, ranges] of wanted.clients) {
    const held = stored.clients.get(client) ?? []
    const isHeld = ({ clock, len }: { clock: number; len: number }) =>
      held.some(range => range.clock <= clock && range.clock + range.len >= clock + len)
    if (!ranges.every(isHeld)) return false
  }
  return true
}
