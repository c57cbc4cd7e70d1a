import { BACKWARDS, END, FORWARDS, type KurrentDBClient, START, StreamDeletedError } from '@kurrent/kurrentdb-client'
import type { StoredEvent } from '#schemas/event.ts'
import type { ReadStream } from '../port.ts'
import { toStoredEvent } from './record.ts'
import { isNotFound, known, Patience, readWithDeadline } from './retry-deadline.ts'

/** Small enough that one left in the middle costs the server little. */
const CHUNK = 500

/** An interrupted read resumes after the last event. @throws StoreUnavailable when nothing arrives for so long */
export async function* readStream(
  client: KurrentDBClient,
  stream: string,
  { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY }: ReadStream,
  deadline: number,
): AsyncGenerator<StoredEvent> {
  const forwards = direction === 'forwards'
  const patience = new Patience(deadline)
  let next = from
  let left = limit
  while (left > 0) {
    if (next !== undefined && next < 1 && !forwards) return
    const maxCount = Math.min(left, CHUNK)
    let read = 0
    try {
      const source = client.readStream(stream, {
        direction: forwards ? FORWARDS : BACKWARDS,
        fromRevision: next === undefined ? (forwards ? START : END) : BigInt(Math.max(next, 1) - 1),
        maxCount,
        requiresLeader: true,
      })
      for await (const resolved of readWithDeadline(source, patience)) {
        const event = toStoredEvent(resolved)
        read += 1
        left -= 1
        next = Number(resolved.event?.revision ?? 0) + (forwards ? 2 : 0)
        if (event !== undefined) yield event
      }
      if (read < maxCount) return
    } catch (error) {
      if (isNotFound(error) || error instanceof StreamDeletedError) return
      const sure = known(error, stream)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}
