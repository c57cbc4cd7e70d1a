import type { SealedContact } from '#schemas/events/campaign.ts'

const MAX_ROWS = 1000
/** With the other members of the event this stays far below the 1 MiB of an append. */
const MAX_BYTES = 512 * 1024
/** Size of a row without its ciphertext. */
const ROW_BYTES = 200

/** Splits rows into chunks that fit into one event each. */
export function* chunksOf(rows: readonly SealedContact[]): Generator<readonly SealedContact[]> {
  let chunk: SealedContact[] = []
  let bytes = 0
  for (const row of rows) {
    const size = row.sealed.length + ROW_BYTES
    if (chunk.length > 0 && (chunk.length === MAX_ROWS || bytes + size > MAX_BYTES)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(row)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}
