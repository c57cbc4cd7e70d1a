import type { SealedContact } from '#schemas/events/audience.ts'

const MAX_ROWS = 1000
/** With what else is in an event it stays far below the 1 MiB of an append. */
const MAX_BYTES = 512 * 1024
/** Of a row without its ciphertext. */
const ROW_BYTES = 200

/** Rows in the chunks that events carry. */
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
