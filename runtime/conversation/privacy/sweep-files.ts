import type { FileStorage } from '../../storage/port.ts'

/** A conversation whose files arrived a moment ago may not be known to this node yet, ms. */
const GRACE_MS = 86_400_000

/**
 * Removes files of conversations that have not been there for a day: a file can arrive while its conversation is
 * removed. Returns the number of these conversations.
 */
export const createFileSweep = (
  storage: Pick<FileStorage, 'conversations' | 'removeOf'>,
  mayHoldFiles: (conversation: string) => Promise<boolean>,
  now: () => number = Date.now,
): (() => Promise<number>) => {
  let missing = new Map<string, number>()
  return async () => {
    const found = new Map<string, number>()
    let removed = 0
    for await (const conversation of storage.conversations()) {
      if (await mayHoldFiles(conversation)) continue
      const since = missing.get(conversation) ?? now()
      if (now() - since < GRACE_MS) {
        found.set(conversation, since)
        continue
      }
      await storage.removeOf(conversation)
      removed += 1
    }
    missing = found
    return removed
  }
}
