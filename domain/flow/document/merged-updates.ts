import * as Y from 'yjs'

/** Updates that Yjs joins at once: it orders all of them again for each struct. */
const AT_ONCE = 16

/** One update that says what all of them say. */
export const mergedUpdates = (updates: readonly Uint8Array[]): Uint8Array => {
  let merged = updates
  while (merged.length > AT_ONCE) {
    const groups = Array.from({ length: Math.ceil(merged.length / AT_ONCE) }, (_, group) =>
      merged.slice(group * AT_ONCE, (group + 1) * AT_ONCE),
    )
    merged = groups.map(group => Y.mergeUpdates(group))
  }
  const [first, ...more] = merged
  return first !== undefined && more.length === 0 ? first : Y.mergeUpdates([...merged])
}
