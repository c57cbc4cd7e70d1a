import * as Y from 'yjs'

/** Updates that Yjs joins at once: it orders all of them again for each struct. */
const BATCH_SIZE = 16

/** One update that says what all of them say. */
export const mergedUpdates = (updates: readonly Uint8Array[]): Uint8Array => {
  let merged = updates
  while (merged.length > BATCH_SIZE) {
    const groups = Array.from({ length: Math.ceil(merged.length / BATCH_SIZE) }, (_, group) =>
      merged.slice(group * BATCH_SIZE, (group + 1) * BATCH_SIZE),
    )
    merged = groups.map(group => Y.mergeUpdates(group))
  }
  const [first, ...more] = merged
  return first !== undefined && more.length === 0 ? first : Y.mergeUpdates([...merged])
}
